// Values that may be promised, so that a value that is there costs no promise.

/** A value, or the promise of one. */
export type Awaitable<T> = T | Promise<T>;

/** Passes a value to the next function, at once or when its promise resolves. */
export function andThen<A, B>(value: Awaitable<A>, next: (value: A) => Awaitable<B>): Awaitable<B> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Runs a step for each item, one after the other; at once as long as the steps return no promise. */
export function eachInTurn<T>(
  items: readonly T[],
  step: (item: T) => Awaitable<void>,
): Awaitable<void> {
  for (const [i, item] of items.entries()) {
    const done = step(item);
    if (done instanceof Promise) return eachAfter(done, items.slice(i + 1), step);
  }
}

async function eachAfter<T>(
  before: Promise<void>,
  items: readonly T[],
  step: (item: T) => Awaitable<void>,
): Promise<void> {
  await before;
  for (const item of items) await step(item);
}
