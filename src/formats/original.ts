// Originals: the bytes that a memory was made from, recorded while they are read.

import { MEDIA_TYPES } from '../lib/media-types.ts';
import type { PackedBytes, Packer } from '../lib/packed-bytes.ts';
import { concatBytes, ITEM_BYTES, type ByteStream } from './bytes.ts';

/** What a memory was made from. */
export interface Original {
  readonly media_type: string;
  /** Those of a long file are packed. */
  readonly bytes: Uint8Array | PackedBytes;
}

/** The bytes of a file, which are recorded while they are read. */
export interface Recording {
  readonly bytes: ByteStream;
  /** Stops the recording of a file whose items are kept one by one. */
  readonly drop: () => void;
  /** Returns what was read so far. Undefined if it was dropped, or is larger than an item may be. */
  readonly recorded: () => Promise<Uint8Array | PackedBytes | undefined>;
}

/** From this size on, a recording is packed while it is read. To pack a short one can turn out to be needless. */
const LONG_BYTES = 1024 * 1024;

/** Records a stream. A long one is packed by what `createPacker` creates. */
export function record(bytes: ByteStream, createPacker: () => Packer): Recording {
  let parts: Uint8Array[] = [];
  let packer: Packer | undefined;
  let length = 0;
  let isDropped = false;

  function drop(): void {
    isDropped = true;
    parts = [];
    packer?.release();
  }

  async function add(part: Uint8Array): Promise<void> {
    length += part.length;
    if (length > ITEM_BYTES) drop();
    if (isDropped) return;
    parts.push(part);
    if (length < LONG_BYTES) return;
    packer ??= createPacker();
    for (const each of parts) await packer.add(each);
    parts = [];
  }

  async function* read(): ByteStream {
    for await (const part of bytes) {
      yield part;
      // Whoever reads the first part drops the recording of a file with items.
      await add(part);
    }
  }

  return {
    bytes: read(),
    drop,
    recorded: async () => (isDropped ? undefined : (packer?.end() ?? concatBytes(parts))),
  };
}

/** Returns the original of JSON values. */
export function jsonOriginal(value: unknown): Original {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  return { media_type: 'application/json', bytes };
}

/** Returns the original of a file. */
function fileOriginal(name: string, bytes: Original['bytes']): Original {
  const ending = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return { media_type: MEDIA_TYPES[ending] ?? 'text/plain', bytes };
}

/** A file whose bytes were recorded. */
interface RecordedFile {
  readonly name: string;
  readonly recording?: Recording | undefined;
}

/** Returns what a memory was made from: an item of a file, or the whole file. */
export async function originalOf(
  { name, recording }: RecordedFile,
  item: unknown,
): Promise<Original | undefined> {
  if (item !== undefined) return jsonOriginal(item);
  const bytes = await recording?.recorded();
  return bytes && fileOriginal(name, bytes);
}
