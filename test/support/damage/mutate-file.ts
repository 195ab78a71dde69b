// Mutations of a file's bytes, as faulty disks, interrupted copies and hostile people make them.

/** Numbers below 2^32. */
type Random = () => number;

/** A mutation: returns the changed bytes of a file with pages of the given size. */
type Mutation = (bytes: Buffer, pageSize: number, random: Random) => Buffer;

/** The mutations by name. */
export const MUTATIONS: Readonly<Record<string, Mutation>> = {
  'bits anywhere': (bytes, _, random) => {
    for (let i = 1 + (random() % 16); i > 0; i--) flip(bytes, random() % bytes.length, random);
    return bytes;
  },
  'random bytes in a row': (bytes, _, random) => {
    const at = random() % bytes.length;
    const end = Math.min(bytes.length, at + 1 + (random() % 64));
    for (let i = at; i < end; i++) bytes[i] = random() % 256;
    return bytes;
  },
  'a byte of the header': (bytes, _, random) => {
    bytes[random() % 100] = random() % 256;
    return bytes;
  },
  // The head of a page says what it is and where its cells are.
  'a byte at the head of a page': (bytes, pageSize, random) => {
    const at = page(bytes, pageSize, random);
    bytes[at + (random() % 32)] = random() % 256;
    return bytes;
  },
  'zeros for a page': (bytes, pageSize, random) => {
    const at = page(bytes, pageSize, random);
    return bytes.fill(0, at, at + pageSize);
  },
  'two pages in each other’s place': (bytes, pageSize, random) => {
    const [one, other] = [page(bytes, pageSize, random), page(bytes, pageSize, random)];
    const kept = Buffer.from(bytes.subarray(one, one + pageSize));
    bytes.copy(bytes, one, other, other + pageSize);
    kept.copy(bytes, other);
    return bytes;
  },
  'a page twice': (bytes, pageSize, random) => {
    const from = page(bytes, pageSize, random);
    bytes.copy(bytes, page(bytes, pageSize, random), from, from + pageSize);
    return bytes;
  },
  'cut at a page': (bytes, pageSize, random) => bytes.subarray(0, page(bytes, pageSize, random)),
  'cut anywhere': (bytes, _, random) => bytes.subarray(0, random() % bytes.length),
  'more at the end': (bytes, _, random) =>
    Buffer.concat([bytes, Buffer.alloc(random() % 10_000, random() % 256)]),
};

function page(bytes: Buffer, pageSize: number, random: Random): number {
  return pageSize * (random() % (bytes.length / pageSize));
}

function flip(bytes: Buffer, at: number, random: Random): void {
  bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << (random() % 8)), at);
}
