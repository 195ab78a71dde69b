// Decides how long to wait before a request is sent again.

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 60_000;

/** Returns the milliseconds before the next attempt. They double, and half of them are random, so that clients spread after an outage. */
export function waitBefore(attempt: number, firstMs = FIRST_DELAY_MS): number {
  const longest = Math.min(firstMs * 2 ** (attempt - 1), LONGEST_DELAY_MS);
  return longest * (1 - Math.random() / 2);
}

/**
 * Reads `retry-after` (RFC 9110, section 10.2.3), seconds or a date, as milliseconds to wait; 0 if it
 * is missing or invalid. A date counts from the response's own `date`, because clocks differ.
 */
export function retryAfter(headers: Headers, now: number): number {
  const text = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  const until = Date.parse(text);
  return Number.isNaN(until) ? 0 : Math.max(0, until - (serverTime(headers) ?? now));
}

/** Returns the `date` of a response, in milliseconds since 1970. */
export function serverTime(headers: Headers): number | undefined {
  const time = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(time) ? undefined : time;
}
