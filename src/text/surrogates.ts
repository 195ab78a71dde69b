// Surrogates: the halves of characters that take two UTF-16 code units.

/** Returns whether a code unit is the first half of a character. */
export function isLeadSurrogate(code: number): boolean {
  return (code & 0xfc00) === 0xd800;
}

/** Returns whether a code unit is the second half of a character. */
export function isTrailSurrogate(code: number): boolean {
  return (code & 0xfc00) === 0xdc00;
}
