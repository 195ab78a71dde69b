// Order: compares texts in an order that does not depend on a language.

/** Compares two texts by their UTF-16 code units, for a sort in ascending order. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
