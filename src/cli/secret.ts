// Keys in clear: the one place that prints them, and the one that reads them.

import type { Awaitable } from '../contract/awaitable.ts';
import type { IssuedApiKey } from '../store/keys.ts';
import { withWriter, type Writer } from '../store/writer.ts';
import type { Args } from './args.ts';
import { isoTime, showTime, type Result } from './command.ts';
import { print, requireReader } from './print.ts';

/** Issues a key and prints it before it is committed: one that nobody could read is not left behind. */
export async function issue(
  args: Args,
  make: (writer: Writer) => Awaitable<IssuedApiKey>,
): Promise<Result> {
  requireReader();
  const { id, expires_at } = await withWriter(args.need('database'), (writer) =>
    writer.transaction(async () => {
      const issued = await make(writer);
      const json = { id: issued.id, key: issued.key, expires_at: isoTime(issued.expires_at) };
      print(args.flag('json') ? JSON.stringify(json) : issued.key);
      return issued;
    }),
  );
  const until = expires_at === null ? 'never expires' : `expires at ${showTime(expires_at)}`;
  return { note: `Key ${id} ${until}. Keep it now: it is not stored and cannot be shown again.` };
}

/** Reads standard input as far as a key could go: what is longer is none. */
export async function readStart(input: AsyncIterable<Buffer>): Promise<string> {
  let start = '';
  for await (const part of input) {
    start += part.toString('latin1');
    if (start.length > 1024) break;
  }
  return start;
}
