// How thorough a run of the tests is: with THOROUGH=1, as in CI, they try all cases, and otherwise fewer.

/** Whether random tests try all their cases. */
export const isThorough = process.env['THOROUGH'] === '1';

/** Returns the number of cases to try: all of them in a thorough run, otherwise a twentieth, or the given few. */
export function cases(all: number, few: number = Math.ceil(all / 20)): number {
  return isThorough ? all : few;
}
