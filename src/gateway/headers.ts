// Request headers, read from the raw list: Node's own object keeps one of two lines in silence.

/** The headers of a request: lower-case name → the values of its lines, in their order. */
export type Headers = ReadonlyMap<string, readonly string[]>;

const NONE: readonly string[] = [];

/** Reads headers from name, value, name, value, …, in one pass. */
export function readHeaders(raw: readonly string[]): Headers {
  const headers = new Map<string, string[]>();
  for (let i = 0; i < raw.length; i += 2) {
    const name = (raw[i] as string).toLowerCase();
    const values = headers.get(name);
    if (values === undefined) headers.set(name, [raw[i + 1] as string]);
    else values.push(raw[i + 1] as string);
  }
  return headers;
}

/** All values of a header; none when it has not come. */
export function valuesOf(headers: Headers, name: string): readonly string[] {
  return headers.get(name) ?? NONE;
}
