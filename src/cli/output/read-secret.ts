// Reads a secret: from a terminal without showing it, otherwise from standard input. Never from an argument.

import { Refusal } from '../../store/refusal.ts';
import type { Context } from '../context.ts';

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
    const secret = await ask(context, question);
    if (secret === (await ask(context, again))) return secret;
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

const [INTERRUPT, END, BACKSPACE, DELETE] = ['\u0003', '\u0004', '\b', '\u007f'];

/** Asks on standard error, which is never piped into a file by mistake. */
async function ask(context: Context, question: string): Promise<string> {
  const stdin = context.stdin.stream;
  const stderr = context.stderr.stream;
  stderr.write(question);
  stdin.setRawMode?.(true);
  stdin.setEncoding('utf8').resume();
  try {
    return await new Promise((resolve, reject) => {
      let typed: string[] = [];
      stdin.on('data', (text: string) => {
        for (const character of text) {
          if (character === '\r' || character === '\n' || character === END)
            return resolve(typed.join(''));
          if (character === INTERRUPT)
            return reject(new Refusal('Interrupted; nothing was changed.'));
          if (character === BACKSPACE || character === DELETE) typed = typed.slice(0, -1);
          else typed.push(character);
        }
      });
    });
  } finally {
    stdin.removeAllListeners('data').pause();
    stdin.setRawMode?.(false);
    stderr.write('\n');
  }
}
