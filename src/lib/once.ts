// once: a value that is created when it is first needed, so that starting the program does not pay for it.

/** Returns a function that creates a value at its first call and returns the same value from then on. */
export function once<T>(create: () => T): () => T {
  let created: { readonly value: T } | undefined;
  return () => (created ??= { value: create() }).value;
}
