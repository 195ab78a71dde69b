// Request headers, read from the raw list: Node's own object keeps one of two lines in silence.

/** All values of a header, in the order of its lines; `headers` is name, value, name, value, … */
export function headerValues(headers: readonly string[], name: string): string[] {
  const values: string[] = [];
  for (let i = 0; i < headers.length; i += 2) {
    const field = headers[i] as string;
    if (field.length === name.length && field.toLowerCase() === name) {
      values.push(headers[i + 1] as string);
    }
  }
  return values;
}
