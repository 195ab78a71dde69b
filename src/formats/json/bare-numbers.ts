// Replaces the numbers that JSON does not have, such as NaN, which Python writes.

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
