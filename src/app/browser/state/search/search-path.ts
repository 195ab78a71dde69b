// The addresses of searches, and of other screens with values in their queries.

/** Values of an address by their names. An empty value is left out. */
type Values = Readonly<Record<string, string | readonly string[]>>;

/** Returns the path of a search with other values in its address. */
export function searchPath(query: string, changes: Values): string {
  return pathWith('search', changes, query);
}

/** Returns the path of a screen with values in its address, besides those of a query. */
export function pathWith(screen: string, values: Values, query = ''): string {
  const asked = new URLSearchParams(query);
  for (const [name, value] of Object.entries(values)) {
    const [first = '', ...more] = [value].flat();
    if (first === '') asked.delete(name);
    else asked.set(name, first);
    for (const each of more) asked.append(name, each);
  }
  return asked.size === 0 ? screen : `${screen}?${asked}`;
}
