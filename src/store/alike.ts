// Alike: errors that say the same are one error for a while, so that the log has them once.

/** So many are known at a time; of more, the oldest is forgotten first. */
const MOST = 1000;

/** Makes the function that gives an error, or the one that has said the same less than `forMs` ago. */
export function keepAlike(forMs: number): (error: Error) => Error {
  const known = new Map<string, { readonly error: Error; readonly since: number }>();

  return (error) => {
    const now = performance.now();
    const found = known.get(error.message);
    if (found !== undefined && now - found.since < forMs) return found.error;
    known.delete(error.message); // what is known stays in the order of its time
    for (const [message, { since }] of known) {
      if (known.size < MOST && now - since < forMs) break;
      known.delete(message);
    }
    known.set(error.message, { error, since: now });
    return error;
  };
}
