// Reads a secret: from a terminal without showing it, otherwise from standard input. Never from an argument.

import { Refusal } from '../../store/refusal.ts';

const MAX_CHARACTERS = 16_384;

/**
 * Reads a secret. On a terminal it asks twice. Otherwise it is all of standard input without its last line end.
 * Rejects with `Refusal` if the two differ, or nothing is given.
 */
export async function readSecret(question: string, again: string): Promise<string> {
  if (process.stdin.isTTY) {
    const secret = await ask(question);
    if (secret === (await ask(again))) return secret;
    throw new Refusal('The two are not the same; nothing was changed.');
  }
  let text = '';
  process.stdin.setEncoding('utf8');
  for await (const part of process.stdin) {
    text += String(part);
    if (text.length > MAX_CHARACTERS)
      throw new Refusal('Standard input is too long for a password.');
  }
  return text.replace(/\r?\n$/, '');
}

const [INTERRUPT, END, BACKSPACE, DELETE] = ['\u0003', '\u0004', '\b', '\u007f'];

/** Asks on standard error, which is never piped into a file by mistake. */
async function ask(question: string): Promise<string> {
  const { stdin, stderr } = process;
  stderr.write(question);
  stdin.setRawMode(true).setEncoding('utf8').resume();
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
    stdin.removeAllListeners('data').setRawMode(false).pause();
    stderr.write('\n');
  }
}
