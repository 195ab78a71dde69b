// Edit distance: how many letters two words differ by, and share at their beginning, to suggest a word that was probably meant.

/**
 * Returns how many letters have to be inserted, deleted, replaced or swapped with their neighbour, or
 * `Infinity` if these are more than `most`. Counts UTF-16 code units.
 */
export function editDistance(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return Infinity;
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, i) => i);
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1];
      let cost = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + Number(!isSame),
      );
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      row.push(cost);
      least = Math.min(least, cost);
    }
    if (least > most) return Infinity;
    [beforeLast, last] = [last, row];
  }
  const distance = last[other.length] ?? Infinity;
  return distance <= most ? distance : Infinity;
}

/** Returns how many letters two words share at their beginning. */
export function sharedLetters(one: string, other: string): number {
  let shared = 0;
  while (shared < one.length && one[shared] === other[shared]) shared++;
  return shared;
}

/** Returns how many letters a word may differ by and still be suggested. Undefined: words this short are not. */
export function toleranceOf(word: string): number | undefined {
  const { length } = word;
  if (length < 3) return undefined;
  return length < 5 ? 1 : length < 9 ? 2 : 3;
}
