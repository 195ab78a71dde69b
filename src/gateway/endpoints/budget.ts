// The budget of a response: callers count it in tokens, and we count bytes.

/** The estimate of a token, as the API documents it. */
const BYTES_PER_TOKEN = 4;

/** Returns how many bytes a response may have. Default: any number. */
export function budgetOf(max_tokens: number | undefined): number {
  return max_tokens === undefined ? Infinity : max_tokens * BYTES_PER_TOKEN;
}
