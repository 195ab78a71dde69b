// A part of a whole, in words.

/** Returns a part of a whole as "37 %". What is little, and not nothing, is "< 1 %". */
export function percentOf(share: number): string {
  return `${share > 0 && share < 0.005 ? '<\u00a01' : Math.round(share * 100)}\u00a0%`;
}
