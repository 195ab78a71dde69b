// once: a value that is created when it is first needed, so that starting the program does not pay for it.

/**
 * Returns a function that creates a value at its first call and returns the same value from then on. A promise that
 * rejects is forgotten, so that the next call tries again.
 */
export function once<T>(create: () => T): () => T {
  let created: { readonly value: T } | undefined;
  return () => {
    if (created !== undefined) return created.value;
    const { value } = (created = { value: create() });
    if (value instanceof Promise)
      value.catch(() => {
        created = undefined;
      });
    return value;
  };
}
