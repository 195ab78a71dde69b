// Replaces repeated errors by the first of them, because logs write each error object once.

/** How many errors are remembered. The oldest are forgotten first. */
const MAX_ERRORS = 1000;

/**
 * Returns a function that replaces an error by an earlier one with the same message, if that is less
 * than `forMs` old. Logs write each error object once.
 */
export function dedupeErrors(forMs: number): (error: Error) => Error {
  const known = new Map<string, { readonly error: Error; readonly since: number }>();

  return (error) => {
    const now = performance.now();
    const found = known.get(error.message);
    if (found !== undefined && now - found.since < forMs) return found.error;
    known.delete(error.message); // keeps the map in order of time
    for (const [message, { since }] of known) {
      if (known.size < MAX_ERRORS && now - since < forMs) break;
      known.delete(message);
    }
    known.set(error.message, { error, since: now });
    return error;
  };
}
