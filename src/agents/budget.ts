// Budgets of tool results: what a result takes when it is sent, and how much of a text fits.

import { BYTES_PER_TOKEN } from '../contract/schemas/parameters.ts';
import { isLeadSurrogate } from '../text/surrogates.ts';

/** The bytes around a result: the JSON-RPC message, and what the server says about itself. */
const ENVELOPE = 300;

/**
 * Returns the bytes of a tool's result as it is sent: once as text, once as structured content, with the
 * message around them.
 */
export function sentBytes(result: object): number {
  const json = JSON.stringify(result);
  // As text, its quotation marks and backslashes are escaped; it has no other characters that must be.
  const escaped = json.split(/["\\]/).length + 1; // with the marks around it
  return 2 * Buffer.byteLength(json) + escaped + ENVELOPE;
}

/** Returns how many of the first items fit, if `sizeOf` grows with their number. */
export function countFitting(count: number, fits: (count: number) => boolean): number {
  let [fitting, tooMany] = [0, count + 1];
  while (tooMany - fitting > 1) {
    const middle = Math.floor((fitting + tooMany) / 2);
    if (fits(middle)) fitting = middle;
    else tooMany = middle;
  }
  return fitting;
}

/** Returns the longest beginning of a text that fits. It never splits a character. */
export function cutText(text: string, fits: (text: string) => boolean): string {
  return beginning(
    text,
    countFitting(text.length, (length) => fits(beginning(text, length))),
  );
}

/** Returns the first characters of a text, without half of one at its end. */
export function beginning(text: string, length: number): string {
  const cut = text.slice(0, length);
  return isLeadSurrogate(cut.charCodeAt(cut.length - 1)) ? cut.slice(0, -1) : cut;
}

/**
 * Returns the response with the largest page that fits a budget in tokens. It is read again with fewer
 * items, because only the gateway can make the cursor behind them. One item is always returned.
 */
export async function readWithin<
  K extends string,
  R extends Readonly<Record<K, readonly object[]>>,
>(
  name: K,
  { limit, tokens }: { readonly limit: number; readonly tokens: number },
  read: (limit: number) => Promise<R>,
): Promise<R> {
  for (let size = limit; ;) {
    const response = await read(size);
    const { length } = response[name];
    const count = countFitting(
      length,
      (most) =>
        sentBytes({ ...response, [name]: response[name].slice(0, most) }) <=
        tokens * BYTES_PER_TOKEN,
    );
    if (count === length || length === 1) return response;
    size = Math.max(count, 1);
  }
}
