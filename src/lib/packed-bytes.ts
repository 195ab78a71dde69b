// Packed bytes: bytes that are held compressed, with their hash.

/** Bytes that are held compressed. */
export interface PackedBytes {
  /** The number of bytes before they were compressed. */
  readonly length: number;
  readonly sha256: string;
  /** One frame of zstd: some releases of Node read no more than the first of several. */
  readonly compressed: Uint8Array<ArrayBuffer>;
}

/** Packs bytes that come part by part. */
export interface Packer {
  /** Adds a part. Nobody may change its bytes until this has ended. */
  add(part: Uint8Array): Promise<void>;
  /** Returns all parts. Nothing can be added afterwards. */
  end(): Promise<PackedBytes>;
  /** Releases the memory. Nothing can be added afterwards. */
  release(): void;
}
