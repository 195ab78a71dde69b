// Binary search: where something begins to be true.

/** Returns the first number below a count for which something is true, and stays true. Otherwise the count. */
export function firstThat(count: number, isTrue: (at: number) => boolean): number {
  let [from, to] = [0, count];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (isTrue(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}
