// Random texts for property tests: any text, and texts made of strings that are special to a parser.

import * as fc from 'fast-check';

/**
 * Any text, including lone surrogates. Built by hand, because `unit: 'binary'` of fast-check takes
 * a second to create.
 */
export const anything: fc.Arbitrary<string> = fc.string({
  unit: fc
    .oneof(
      fc.integer({ min: 0, max: 0x7f }),
      fc.integer({ min: 0, max: 0xffff }),
      fc.integer({ min: 0x1_0000, max: 0x10_ffff }),
    )
    .map((code) => String.fromCodePoint(code)),
});

/** Text as Node passes on the bytes of a request: one character per byte. */
export const latin: fc.Arbitrary<string> = fc.string({
  unit: fc.integer({ min: 0, max: 0xff }).map((code) => String.fromCharCode(code)),
});

/** Texts of some of these pieces, and sometimes of others. */
export function piecesOf(pieces: readonly string[], others = anything): fc.Arbitrary<string> {
  const piece = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...pieces) }, others);
  return fc.array(piece, { maxLength: 8 }).map((parts) => parts.join(''));
}
