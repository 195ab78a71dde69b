// The only code that prints an API key in clear or reads one, and the guard against secrets in arguments.

import type { Awaitable } from '../../lib/async.ts';
import { toIsoTime } from '../../lib/time.ts';
import type { IssuedApiKey } from '../../store/accounts/api-keys.ts';
import { hasPassword } from '../../store/address.ts';
import type { Writer } from '../../store/engine.ts';
import { engineOf } from '../../store/engines.ts';
import { Refusal } from '../../store/refusal.ts';
import type { Context, OutputStream } from '../context.ts';
import {
  BrokenPipe,
  print,
  printError,
  requireStdoutReader,
  warnOfReaders,
} from '../output/print.ts';
import { formatTime } from '../output/text.ts';
import type { Args } from './args.ts';
import { UsageError } from './parse.ts';

/** Issues a key and prints it before the transaction commits, so that an unprinted key never exists. */
export async function issueAndPrint(
  args: Args,
  { stdout, stderr }: Context,
  make: (writer: Writer) => Awaitable<IssuedApiKey>,
): Promise<{ readonly note: string; readonly expires_at: number | null }> {
  requireStdoutReader(stdout);
  const { id, expires_at } = await engineOf(args.need('database')).withWriter((writer) =>
    writer.transaction(async () => {
      const issued = await make(writer);
      const json = { id: issued.id, key: issued.key, expires_at: toIsoTime(issued.expires_at) };
      printKey(stdout, args.flag('json') ? JSON.stringify(json) : issued.key);
      return issued;
    }),
  );
  const warning = warnOfReaders(stdout);
  if (warning !== undefined) printError(stderr, warning); // also with --json, which prints no note
  const until = expires_at === null ? 'never expires' : `expires at ${formatTime(expires_at)}`;
  const note = `Key ${id} ${until}. Keep it now: it is not stored and cannot be shown again.`;
  return { note, expires_at };
}

/** Prints a key. A reader that has left is an error here, because the key is not created then. */
function printKey(stdout: OutputStream, line: string): void {
  try {
    print(stdout, line);
  } catch (error) {
    throw error instanceof BrokenPipe ? new Refusal(error.message) : error;
  }
}

/** More bytes than any API key has. */
const KEY_INPUT_BYTES = 1024;

/** Reads the start of an input, at least as much of it as a key can be long. */
export async function readKeyInput(input: AsyncIterable<Buffer>): Promise<string> {
  let start = '';
  for await (const part of input) {
    start += part.toString('latin1');
    if (start.length > KEY_INPUT_BYTES) break;
  }
  return start;
}

/** Throws `UsageError` if an argument contains a key or a password, because every user of the machine can read arguments. */
export function refuseSecrets(argv: readonly string[]): void {
  if (argv.some((word) => /mem_[0-9A-Za-z]{40}/i.test(word)))
    throw new UsageError(
      'Do not put an API key on the command line; "keys check" reads one from standard input.',
    );
  if (argv.some((word) => hasPassword(word.replace(/^--?[\w-]+=/, ''))))
    throw new UsageError(
      'Do not put a password on the command line; use PGPASSWORD, ~/.pgpass, or the whole address in MEMORY_GATEWAY_DATABASE.',
    );
}
