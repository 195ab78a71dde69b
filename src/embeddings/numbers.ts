// The numbers of vectors as bytes: rounded to one byte each, and as one sign bit each for a first look.

/** The vector of a query: its numbers, with the length 1, and their sign bits. */
export interface QueryVector {
  readonly numbers: Float32Array;
  readonly signs: Uint8Array;
}

/** The vectors of a memory as they are stored, one after the other. */
export interface StoredVectors<Bytes extends Uint8Array = Uint8Array<ArrayBuffer>> {
  readonly signs: Bytes;
  readonly numbers: Bytes;
}

/** Each vector begins with 1 divided by the length of its rounded numbers, as a little-endian float. */
const HEAD = 4;
const LARGEST = 127;

/** Returns how many bytes the signs of a vector have. */
function signBytes(dimensions: number): number {
  return Math.ceil(dimensions / 8);
}

/** Returns whether vectors have as many numbers. There may be none. */
export function haveLength({ signs, numbers }: StoredVectors<Uint8Array>, length: number): boolean {
  const vectors = signs.length / signBytes(length);
  return Number.isInteger(vectors) && numbers.length === vectors * (HEAD + length);
}

/** Returns the vector of a query. */
export function toQueryVector(vector: readonly number[]): QueryVector {
  const length = Math.hypot(...vector);
  return { numbers: Float32Array.from(vector, (n) => n / length), signs: toStored([vector]).signs };
}

/** Rounds vectors of one length, each so that its largest number is 127: its direction is what counts. */
export function toStored(vectors: readonly (readonly number[])[]): StoredVectors {
  const dimensions = vectors[0]?.length ?? 0;
  const signs = new Uint8Array(vectors.length * signBytes(dimensions));
  const numbers = new Uint8Array(vectors.length * (HEAD + dimensions));
  const view = new DataView(numbers.buffer);
  for (const [n, vector] of vectors.entries()) {
    const start = n * (HEAD + dimensions);
    const scale = LARGEST / vector.reduce((most, number) => Math.max(most, Math.abs(number)), 0);
    let squares = 0;
    for (const [i, number] of vector.entries()) {
      const rounded = Math.round(number * scale);
      squares += rounded * rounded;
      view.setInt8(start + HEAD + i, rounded);
      if (rounded > 0) {
        const at = n * signBytes(dimensions) + (i >> 3);
        signs[at] = (signs[at] ?? 0) | (1 << (i & 7));
      }
    }
    view.setFloat32(start, 1 / Math.sqrt(squares), true);
  }
  return { signs, numbers };
}

const BITS = Uint8Array.from(
  { length: 256 },
  (_, byte) => byte.toString(2).replaceAll('0', '').length,
);

/** Returns in how many signs each vector of a memory differs from the query. */
export function distances({ signs: wanted }: QueryVector, signs: Uint8Array): number[] {
  const size = wanted.length;
  const found: number[] = [];
  for (let start = 0; start + size <= signs.length; start += size) {
    let distance = 0;
    for (let i = 0; i < size; i++)
      distance += BITS[(wanted[i] ?? 0) ^ (signs[start + i] ?? 0)] ?? 0;
    found.push(distance);
  }
  return found;
}

/** How near a vector is: the cosine of its angle to the query, and in how many signs it differs. */
export interface Nearness {
  readonly similarity: number;
  readonly distance: number;
}

/** Compares each vector of a memory with the query. Returns undefined if the vectors have another length. */
export function compareVectors(
  { numbers: wanted }: QueryVector,
  stored: StoredVectors<Uint8Array>,
): Nearness[] | undefined {
  if (!haveLength(stored, wanted.length)) return undefined;
  const { numbers } = stored;
  const size = HEAD + wanted.length;
  const view = new DataView(numbers.buffer, numbers.byteOffset, numbers.length);
  const found: Nearness[] = [];
  for (let start = 0; start < numbers.length; start += size) {
    let [sum, distance] = [0, 0];
    for (const [i, number] of wanted.entries()) {
      const other = view.getInt8(start + HEAD + i);
      sum += number * other;
      if (number > 0 !== other > 0) distance++;
    }
    found.push({ similarity: sum * view.getFloat32(start, true), distance });
  }
  return found;
}
