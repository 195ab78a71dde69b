// Lazy: what is made when it is first wanted, so that a start pays for nothing that it does not use.

/** Makes the function that makes a value at its first call, and gives the same one ever after. */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
