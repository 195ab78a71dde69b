// How much a run of the tests tries. `npm test` tries a few random cases, `.ci/run` more of them and the short form of long tests.

/** Whether tests go through all entry points, and random tests try all their cases: `THOROUGH=1`. */
export const isThorough = process.env['THOROUGH'] === '1';

/** Whether long tests take their short form: `SHORT=1`. Without it they run whole. */
export const isShort = process.env['SHORT'] === '1';

/**
 * Returns the number of cases to try: all of them in a thorough run, in its short form a quarter, otherwise a
 * twentieth, or the given few. Each run has other random cases.
 */
export function cases(all: number, few: number = Math.ceil(all / 20)): number {
  if (!isThorough) return few;
  // A step through all cases is smaller in a thorough run.
  return isShort && few < all ? Math.max(few, Math.ceil(all / 4)) : all;
}

/** Returns what a whole test tries in turn, or for its short form the last of it, which tells most. */
export function lastIfShort<T>(all: readonly T[]): readonly T[] {
  return isShort ? all.slice(-1) : all;
}

/** Returns the number for a whole test, or the smaller one for its short form. */
export function sized(all: number, few: number): number {
  return isShort ? few : all;
}
