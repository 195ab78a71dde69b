// Reads JSON with the numbers that it does not have, such as NaN, which Python writes.

/** A string that may go on behind the text, or a number that JSON does not have. */
const TOKEN = /"(?:[^"\\]|\\[^])*(?:"|\\?$)|-?\b(?:nan|inf(?:inity)?)\b(?:\([a-z]*\))?/gi;
const MAY_HAVE = /nan|inf/i;

/** Replaces NaN and infinities by null, unless they are in strings. `isInString`: the text begins within a string. */
export function replaceBareNumbers(text: string, isInString = false): string {
  if (!MAY_HAVE.test(text)) return text;
  const replaced = (isInString ? `"${text}` : text).replaceAll(TOKEN, (token) =>
    token.startsWith('"') ? token : 'null',
  );
  return isInString ? replaced.slice(1) : replaced;
}

/** Parses JSON, also with NaN and infinities. Returns `undefined` if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    const replaced = replaceBareNumbers(text);
    return replaced === text ? undefined : parseJson(replaced);
  }
}
