// Reads a secret: from a terminal without showing it, otherwise from standard input. Never from an argument.

import { Refusal } from '../../store/refusal.ts';
import type { Context } from '../context.ts';
import { ask } from './ask.ts';

const MAX_CHARACTERS = 16_384;

/**
 * Reads a secret. On a terminal it asks twice. Otherwise it is all of standard input without its last line end.
 * Rejects with `Refusal` if the two differ, or nothing is given.
 */
export async function readSecret(
  context: Context,
  question: string,
  again: string,
): Promise<string> {
  const { isTTY, stream } = context.stdin;
  if (isTTY) {
    const secret = await ask(context, question, { isSecret: true });
    if (secret === (await ask(context, again, { isSecret: true }))) return secret;
    throw new Refusal('The two are not the same; nothing was changed.');
  }
  let text = '';
  stream.setEncoding('utf8');
  for await (const part of stream) {
    text += String(part);
    if (text.length > MAX_CHARACTERS)
      throw new Refusal('Standard input is too long for a password.');
  }
  return text.replace(/\r?\n$/, '');
}
