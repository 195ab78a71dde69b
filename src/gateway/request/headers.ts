// Request headers, read from the raw list because Node's own object drops some repeated headers.

/** Request headers: lower-case name → the values of its lines, in the order they were sent. */
export type Headers = ReadonlyMap<string, readonly string[]>;

const NO_VALUES: readonly string[] = [];

/** Reads headers from a list of name, value, name, value, … */
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

/** Returns all values of a header, none if it was not sent. */
export function valuesOf(headers: Headers, name: string): readonly string[] {
  return headers.get(name) ?? NO_VALUES;
}

/** Returns a value without the space around it, which is SP and HTAB (RFC 9110 §5.6.3): `trim` would take U+00A0, too. */
export function trimSpace(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isSpace(text[start])) start++;
  while (end > start && isSpace(text[end - 1])) end--;
  return text.slice(start, end);
}

function isSpace(char: string | undefined): boolean {
  return char === ' ' || char === '\t';
}
