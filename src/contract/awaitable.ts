// A value now or later, so that what is at hand pays for no promise.

/** A value, or the promise of one. */
export type Awaitable<T> = T | Promise<T>;

/** Goes on with a value: at once when it is there, in a promise when it is one. */
export function andThen<A, B>(value: Awaitable<A>, next: (value: A) => Awaitable<B>): Awaitable<B> {
  return value instanceof Promise ? value.then(next) : next(value);
}
