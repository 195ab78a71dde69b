// Asks a question on the terminal.

import { Writable } from 'node:stream';

import { Refusal } from '../../store/refusal.ts';
import type { Context } from '../context.ts';

/**
 * Asks on standard error, which is never piped into a file by mistake. Resolves with the answer, empty if the input has
 * ended: without spaces around it, or a secret as it was typed, which is not shown. Rejects with `Refusal` at Ctrl-C.
 */
export async function ask(
  { stdin, stderr }: Context,
  question: string,
  { isSecret = false } = {},
): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  const hidden = { output: nowhere(), terminal: true, historySize: 0 };
  const shown = { output: stderr.stream };
  const terminal = createInterface({ input: stdin.stream, ...(isSecret ? hidden : shown) });
  if (isSecret) stderr.stream.write(question);
  try {
    const answer = await new Promise<string>((resolve, reject) => {
      terminal.once('close', () => resolve(''));
      terminal.once('SIGINT', () => reject(new Refusal('Interrupted; nothing was changed.')));
      terminal.question(question).then(resolve, reject);
    });
    return isSecret ? answer : answer.trim();
  } finally {
    terminal.close();
    if (isSecret) stderr.stream.write('\n');
  }
}

function nowhere(): Writable {
  return new Writable({ write: (_, __, done) => done() });
}
