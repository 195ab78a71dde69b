// Runs a script of npm as the program runs its commands: strict options, help, one line for expected errors, an exit code.

import type { ParseArgsConfig } from 'node:util';

import { parseStrictly, UsageError } from '../src/cli/args/parse.ts';
import { refuseSecrets } from '../src/cli/args/secrets.ts';
import { runToExit } from '../src/cli/exit.ts';
import { print } from '../src/cli/output/print.ts';
import { processContext } from '../src/cli/process.ts';

/** An option with a value, and one without. */
export const word = { type: 'string' } as const;
export const flag = { type: 'boolean' } as const;

/** Prints a line to standard output. */
export const say = (line: string): void => print(processContext.stdout, line);

/** Runs the work of a script with its parsed arguments, or prints its help, and sets the exit code. */
export async function runScript<T extends ParseArgsConfig>(
  { name, help, ...config }: T & { readonly name: string; readonly help: string },
  work: (parsed: ReturnType<typeof parseStrictly<T>>) => Promise<void>,
): Promise<void> {
  process.exitCode = await runToExit(name, processContext, async () => {
    refuseSecrets(process.argv.slice(2));
    const parsed = parseStrictly({ ...config, options: { ...config.options, help: flag } });
    if ('help' in parsed.values) say(help.trimEnd());
    else await work(parsed as ReturnType<typeof parseStrictly<T>>);
    return 0;
  });
}

/** The bounds of a number, and what it is if nobody gives it. */
interface Bounds<Fallback> {
  readonly fallback: Fallback;
  readonly least: number;
  readonly most: number;
}

/** Reads a whole number. Throws `UsageError`. */
export function readWhole<Fallback extends number | undefined>(
  name: string,
  text: string | undefined,
  { fallback, least, most }: Bounds<Fallback>,
): number | Fallback {
  if (text === undefined) return fallback;
  if (/^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
  throw new UsageError(`--${name} takes a whole number from ${least} to ${most}, not "${text}".`);
}
