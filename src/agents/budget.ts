// Budgets of tool results: what a result takes when it is sent, and how much of it fits.

import { BYTES_PER_TOKEN } from '../contract/schemas/parameters.ts';
import { firstThat } from '../lib/first-that.ts';

/** The bytes around a text: the JSON-RPC message, and what the server says about itself. */
const ENVELOPE = 300;

/** Returns the bytes of a tool's text as it is sent: escaped in JSON, with the message around it. */
export function sentBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) + ENVELOPE;
}

/** Returns how many of the first items fit. Fewer of them must fit as well. */
export function countFitting(count: number, fits: (count: number) => boolean): number {
  return firstThat(count, (fitting) => !fits(fitting + 1));
}

/** A page of items, and how the first of them are written. */
export interface WrittenPage {
  readonly length: number;
  readonly write: (count: number) => string;
}

/**
 * Returns the text with the largest page that fits a budget in tokens. It is read again with fewer items,
 * because only the gateway can make the cursor behind them. One item is always returned.
 */
export async function writeWithin(
  { limit, tokens }: { readonly limit: number; readonly tokens: number },
  read: (limit: number) => Promise<WrittenPage>,
): Promise<string> {
  for (let size = limit; ;) {
    const { length, write } = await read(size);
    const fits = (most: number) => sentBytes(write(most)) <= tokens * BYTES_PER_TOKEN;
    const count = countFitting(length, fits);
    if (count === length || length === 1) return write(length);
    size = Math.max(count, 1);
  }
}
