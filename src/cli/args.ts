// Reads the arguments of a command against the options that it takes.

import { parseArgs, type ParseArgsConfig } from 'node:util';

import { hasPassword } from '../store/address.ts';
import type { Option } from './option.ts';
import { options, type OptionName } from './options.ts';

/** A slip in how the program was called: one line on stderr, exit 2. */
export class Mistake extends Error {
  override readonly name = 'Mistake';
}

/** What a command was called with. */
export interface Args {
  readonly positionals: readonly string[];
  /** The text of an option: from its flag, else its environment, else its default. */
  text(name: OptionName): string | undefined;
  /** The text of an option that has a default. */
  need(name: OptionName): string;
  flag(name: OptionName): boolean;
}

/** Reads arguments against the options that a command takes, of which some may be its own. Fails with `Mistake`. */
export function readArgs(
  argv: readonly string[],
  names: readonly OptionName[],
  own: Partial<Readonly<Record<OptionName, Option>>> = {},
): Args {
  const { values, positionals } = parse(argv, names);
  const text = (name: OptionName): string | undefined => {
    const { env = [], default: fallback }: Option = own[name] ?? options[name];
    const given = values[name];
    if (given !== undefined && String(given).split(',').some(hasPassword))
      throw new Mistake(
        `Everybody on this machine sees --${name}; give a password in ${env.join(', ')} or in PGPASSWORD.`,
      );
    return given !== undefined && typeof given !== 'boolean'
      ? String(given) // several with commas between
      : (env.map((variable) => process.env[variable]).find(Boolean) ?? fallback);
  };
  const need = (name: OptionName): string => {
    const found = text(name);
    if (found) return found;
    throw new Mistake(`Give --${name} ${((own[name] ?? options[name]) as Option).value}.`);
  };
  const flag = (name: OptionName): boolean => values[name] === true || isOn(name, text(name));
  return { positionals, text, need, flag };
}

function isOn(name: OptionName, text = 'off'): boolean {
  const word = text.toLowerCase();
  if (['1', 'true', 'yes', 'on'].includes(word)) return true;
  if (['0', 'false', 'no', 'off'].includes(word)) return false;
  const { env = [] }: Option = options[name];
  throw new Mistake(`${env.join(', ')} takes "on" or "off", not "${text}".`);
}

function parse(argv: readonly string[], names: readonly OptionName[]) {
  const types = names.map(
    (name) =>
      [name, { type: isSwitch(name) ? 'boolean' : 'string', multiple: isMultiple(name) }] as const,
  );
  return parseStrictly({
    args: [...argv],
    options: Object.fromEntries(types),
    allowPositionals: true,
  });
}

function isSwitch(name: OptionName): boolean {
  return !('value' in options[name]);
}

function isMultiple(name: OptionName): boolean {
  return 'multiple' in options[name];
}

/** Fails where an option is given twice: `parseArgs` takes the last one in silence. */
function requireOnce(config: ParseArgsConfig): void {
  const given = new Set<string>();
  for (const token of parseArgs({ ...config, tokens: true }).tokens) {
    if (token.kind !== 'option' || config.options?.[token.name]?.multiple) continue;
    if (given.has(token.name)) throw new Mistake(`Give --${token.name} once.`);
    given.add(token.name);
  }
}

/** Parses arguments as `parseArgs` does, each option once unless it is `multiple`. Fails with `Mistake`, in one sentence. */
export function parseStrictly<T extends ParseArgsConfig>(config: T) {
  try {
    requireOnce(config);
    return parseArgs(config);
  } catch (error) {
    if (error instanceof Mistake) throw error;
    // parseArgs speaks in several sentences; the first one says what is wrong.
    throw new Mistake(`${(error as Error).message.split(/\.\s/)[0]}; see --help.`);
  }
}
