// Reads files with settings: a configuration file with the names of options, and a file of environment variables.

import { readFileSync, statSync } from 'node:fs';
import { parseEnv } from 'node:util';

import { hasPassword } from '../../store/address.ts';
import { Refusal } from '../../store/refusal.ts';
import { UsageError } from './parse.ts';
import { suggest } from './suggest.ts';

/** Texts by name. */
export type Texts = ReadonlyMap<string, string>;

/**
 * Reads a configuration file: lines such as `port = 8787`, and comments that start with `#`. `names` are
 * the options that may stand in it. Throws `UsageError` for a wrong line, and `Refusal` if the file cannot be read.
 */
export function readConfigFile(file: string, names: readonly string[]): Texts {
  const found = new Map<string, string>();
  for (const [i, line] of readText(file).split(/\r?\n/).entries()) {
    if (/^\s*(#|$)/.test(line)) continue;
    const [, name = '', text] = /^\s*([\w-]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    const at = `${file}, line ${i + 1}:`;
    if (text === undefined)
      throw new UsageError(`${at} write an option and its value, such as port = 8787.`);
    if (!names.includes(name)) {
      const meant = suggest(name, names);
      const hint =
        meant === undefined ? 'Give it on the command line.' : `Did you mean "${meant}"?`;
      throw new UsageError(`${at} "${name}" is no setting. ${hint}`);
    }
    if (found.has(name)) throw new UsageError(`${at} give ${name} once.`);
    found.set(name, text);
  }
  refuseReaders(file, found);
  return found;
}

const PREFIX = 'MEMORY_GATEWAY_';

/**
 * Reads a file of environment variables, in Node's format. It may have those of other programs. Throws
 * `UsageError` for a variable that is nearly one of `names`, and `Refusal` if the file cannot be read.
 */
export function readEnvFile(file: string, names: readonly string[]): Texts {
  const found = new Map(
    Object.entries(parseEnv(readText(file))).map(([name, text = '']) => [name, text]),
  );
  refuseMisspelt([...found.keys()], names, `${file}: `);
  refuseReaders(file, found);
  return found;
}

/** Throws `UsageError` for a variable that is nearly one of `names`. `where` begins its sentence. */
export function refuseMisspelt(
  variables: readonly string[],
  names: readonly string[],
  where = '',
): void {
  const own = names.filter((name) => name.startsWith(PREFIX));
  const words = own.map((name) => name.slice(PREFIX.length).toLowerCase());
  for (const name of variables) {
    if (!name.startsWith(PREFIX) || names.includes(name)) continue;
    const meant = suggest(name.slice(PREFIX.length), words)?.toUpperCase();
    if (meant !== undefined)
      throw new UsageError(`${where}"${name}" is no setting. Did you mean "${PREFIX}${meant}"?`);
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new Refusal(`${file} cannot be read (${code}); name a file with settings.`, { cause });
  }
}

/** Throws `Refusal` if every user of the machine can read a secret in the file. */
function refuseReaders(file: string, texts: Texts): void {
  const secret = [...texts].find(([name, text]) => isSecret(name, text))?.[0];
  if (secret === undefined || process.platform === 'win32') return;
  if ((statSync(file).mode & 0o004) === 0) return;
  throw new Refusal(
    `${file} has a secret in "${secret}", and every user of this machine can read it; run chmod 640 ${file}.`,
  );
}

function isSecret(name: string, text: string): boolean {
  const isCalledSecret = /PASSWORD$|_(KEY|TOKEN|SECRET)$/i.test(name) && text !== '';
  return isCalledSecret || text.split(',').some(hasPassword);
}
