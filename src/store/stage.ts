// Stage: a piece of long work that says how far it is.

/** Does work that is counted, and shows people how far it is. */
export type Stage = <T>(
  counted: { readonly total: number; readonly unit: 'memories' | 'pages' },
  work: (to: (done: number) => void) => T | Promise<T>,
) => Promise<T>;

/** Does work that nobody watches. */
export const unwatched: Stage = async (_counted, work) => work(() => {});
