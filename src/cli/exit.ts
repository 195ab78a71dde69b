// Ends the program: one line for expected errors, the whole stack for bugs; and how npm runs it.

import { resolve } from 'node:path';

import { shellWord } from '../lib/shell.ts';
import { isPostgres, optionOf } from '../store/address.ts';
import { Refusal } from '../store/refusal.ts';
import { options } from './args/options/options.ts';
import { UsageError } from './args/parse.ts';
import type { Context, Environment } from './context.ts';
import { BrokenPipe, printError } from './output/print.ts';

/** Returns whether the program runs as one of our npm scripts. */
export function isUnderNpm(env: Environment): boolean {
  return env['npm_package_name'] === 'memory-gateway';
}

/** Returns what the app needs to name the program: the words that start it, what people type, and its database. */
export function ownProgram({ env, program }: Context, database: string) {
  const command = isUnderNpm(env) ? NPM_COMMAND : 'memory-gateway';
  const [first = '', ...more] = program;
  // An executable need not be in the PATH.
  const isExecutable = !isUnderNpm(env) && more.length === 0;
  const database_option = optionOf(isPostgres(database) ? database : resolve(database));
  const here = { command: isExecutable ? shellWord(first) : command, database_option };
  return { program, command, here };
}

const NPM_COMMAND = 'npm run -s cli --';

/**
 * Replaces the program's name in commands within a text by what you type here. Under npm that is
 * `npm run -s cli --`. Texts are written with `memory-gateway`, because the store does not know npm.
 */
export function nameProgram(text: string, env: Environment): string {
  return isUnderNpm(env)
    ? text.replaceAll(/\bmemory-gateway (?=[A-Za-z])/g, `${NPM_COMMAND} `)
    : text;
}

/** Runs a program. Resolves with its exit code: 0 success, 1 failure, 2 usage error. */
export async function runToExit(
  name: string,
  { env, stderr }: Context,
  work: () => Promise<number>,
): Promise<number> {
  try {
    refuseSwallowedOptions(env);
    return await work();
  } catch (error) {
    if (!(error instanceof UsageError) && !(error instanceof Refusal)) throw error;
    if (error instanceof BrokenPipe) return 1; // `export | head` wants no more, not even an error
    printError(stderr, `${name}: ${formatMessage(error.message, env)}`);
    if ('after' in error) printError(stderr, formatMessage(String(error.after), env));
    return error instanceof UsageError ? 2 : 1;
  }
}

/**
 * Formats a message for a terminal: on one line, with the way to call the program here. API keys that
 * were typed by mistake are masked.
 */
export function formatMessage(message: string, env: Environment): string {
  return nameProgram(message, env)
    .replaceAll(/mem_[0-9A-Za-z]{16,}\S*|[0-9A-Za-z]{40,}/gi, 'mem_…')
    .replaceAll(/\p{Cc}/gu, ' ');
}

/** The npm scripts that take our options. */
const SCRIPTS = new Set(['cli', 'start', 'demo', 'seed']);

/** Options that npm has as well: they may be set in its configuration. */
const NPM_OPTIONS = new Set(['cache', 'proxy', 'yes']);

/** Throws `UsageError` if npm took options that were meant for the program, as it does without `--`. */
function refuseSwallowedOptions(env: Environment): void {
  const script = env['npm_lifecycle_event'] ?? '';
  if (!isUnderNpm(env) || !SCRIPTS.has(script)) return;
  const swallowed = Object.keys(options).find((name) => {
    const value = env[`npm_config_${name.replaceAll('-', '_')}`];
    return !NPM_OPTIONS.has(name) && value !== undefined && value !== '' && value !== 'false';
  });
  if (swallowed !== undefined)
    throw new UsageError(
      `npm took --${swallowed} for itself. Write "--" before the arguments: npm run ${script} -- …`,
    );
}
