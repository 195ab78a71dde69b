// Progress of long work: how the store reports it, and how a caller shows it.

/** Runs one stage of long work. `work` calls `to` with the number of units done. */
export type Stage = <T>(
  counted: { readonly total: number; readonly unit: 'memories' | 'pages' },
  work: (to: (done: number) => void) => T | Promise<T>,
) => Promise<T>;

/** Runs a stage without showing progress. */
export const withoutProgress: Stage = async (_counted, work) => work(() => {});
