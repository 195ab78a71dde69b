// Asks a question on the terminal.

import type { Context } from '../context.ts';

/** Asks on standard error. Resolves with the answer without spaces around it; it is empty if the input has ended. */
export async function ask({ stdin, stderr }: Context, question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  const terminal = createInterface({ input: stdin.stream, output: stderr.stream });
  const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  const answer = await Promise.race([terminal.question(question), closed]);
  terminal.close();
  return answer.trim();
}
