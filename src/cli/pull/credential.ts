// Reads the credential of a source, from a file, the environment or standard input. It is never printed.

import { createReadStream } from 'node:fs';

import type { Source } from '../../sources/source.ts';
import { Refusal } from '../../store/refusal.ts';
import { UsageError } from '../args/parse.ts';
import type { Context, InputStream } from '../context.ts';

/** More bytes than any credential has. */
const MAX_BYTES = 16_384;

/**
 * Reads the credential of a source: from `file`, or `-` for standard input, otherwise from its
 * variable. Returns undefined if the source takes none, or if none is given and its API may be open.
 * Throws `UsageError` if none is given otherwise, and `Refusal` if the file cannot be read or holds
 * something else.
 */
export async function readCredential(
  { name, credential }: Source,
  file: string | undefined,
  { env, stdin }: Context,
  option = '--credential-file FILE',
): Promise<string | undefined> {
  if (credential === undefined) return undefined;
  const place = file === undefined ? credential.variable : file === '-' ? 'standard input' : file;
  const text = file === undefined ? env[credential.variable] : await readStart(file, stdin);
  const secret = text?.trim();
  const isGiven = secret !== undefined && secret !== '';
  if (!isGiven && credential.isOptional === true) return undefined;
  if (!isGiven)
    throw new UsageError(
      file === undefined
        ? `Put the credential of ${name} into ${credential.variable}, or pass ${option}${credential.renewal === undefined ? '' : `; ${credential.renewal}`}.`
        : `There is no credential in ${place}.`,
    );
  return checkCredential(secret, place);
}

/** Returns a credential if it can be one. Throws `Refusal`, which names the place it comes from. */
export function checkCredential(secret: string, place: string): string {
  // What a header cannot carry; fetch would put it into its error.
  if (!/^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/.test(secret))
    throw new Refusal(
      `The credential in ${place} has characters that no credential has; it must be one line of ASCII text.`,
    );
  // The file that curl takes, which the pages about products make, has a header in it.
  if (/^[\w-]+: /.test(secret))
    throw new Refusal(
      `The credential in ${place} begins with the name of a header; put the key alone there.`,
    );
  return secret;
}

async function readStart(file: string, stdin: InputStream): Promise<string> {
  let text = '';
  try {
    const input = file === '-' ? stdin.stream : createReadStream(file);
    for await (const part of input) {
      text += (part as Buffer).toString('latin1');
      if (text.length > MAX_BYTES) throw new Refusal(`${file} is too large for a credential.`);
    }
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new Refusal(`${file} cannot be read (${code}); name a file with the credential.`);
  }
  return text;
}
