// Texts for property tests: any at all, and such as are made of pieces that mean something to a parser.

import * as fc from 'fast-check';

/** Any text, halves of pairs among it. By hand, as `unit: 'binary'` of fast-check takes a second to be made. */
export const anything: fc.Arbitrary<string> = fc.string({
  unit: fc
    .oneof(
      fc.integer({ min: 0, max: 0x7f }),
      fc.integer({ min: 0, max: 0xffff }),
      fc.integer({ min: 0x1_0000, max: 0x10_ffff }),
    )
    .map((code) => String.fromCodePoint(code)),
});

/** Text as Node hands on what stands in a request: a character for a byte. */
export const latin: fc.Arbitrary<string> = fc.string({
  unit: fc.integer({ min: 0, max: 0xff }).map((code) => String.fromCharCode(code)),
});

/** Texts of some of these pieces, and now and then of others. */
export function piecesOf(pieces: readonly string[], others = anything): fc.Arbitrary<string> {
  const piece = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...pieces) }, others);
  return fc.array(piece, { maxLength: 8 }).map((parts) => parts.join(''));
}
