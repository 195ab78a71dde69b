// Reads the arguments of a command: options from flags, environment variables or defaults.

import { hasPassword } from '../../store/address.ts';
import type { Environment } from '../context.ts';
import type { Option } from './options/option.ts';
import { options, type OptionName } from './options/options.ts';
import { fileOptionNames } from './options/serve-options.ts';
import { parseStrictly, UsageError } from './parse.ts';
import { createCommandSettings, type Settings } from './settings.ts';

/** The arguments of a command. */
export interface Args {
  readonly positionals: readonly string[];
  /** Returns an option's text: from its flag, its environment variable, a configuration file, or its default. */
  text(name: OptionName): string | undefined;
  /** Returns the text of an option that must have one. Throws `UsageError`. */
  need(name: OptionName): string;
  /** Returns the texts of an option that can be repeated. Unlike others, they may have commas. */
  all(name: OptionName): readonly string[];
  /** Returns whether a switch is on. */
  flag(name: OptionName): boolean;
  /** Returns the environment variable or file that an option's value comes from, if it comes from one. */
  source(name: OptionName): string | undefined;
  /** Whether accounts are named by their ids alone: a server knows them, and one may be gone whose id is the name of another. */
  readonly isById: boolean;
  /** The files with settings, which count once they are loaded. */
  readonly settings: Pick<Settings, 'files' | 'load'>;
}

/** The variable that makes a command take accounts by their ids alone. */
export const BY_ID = 'MEMORY_GATEWAY_BY_ID';

/** Changes that a command makes to its options. */
export type OptionOverrides = Partial<Readonly<Record<OptionName, Partial<Option>>>>;

/** How to read arguments. */
export interface ReadArgsOptions {
  readonly env: Environment;
  readonly overrides?: OptionOverrides | undefined;
}

/** Reads arguments against the options that a command takes. Throws `UsageError`. */
export function readArgs(
  argv: readonly string[],
  names: readonly OptionName[],
  { env, overrides = {} }: ReadArgsOptions,
): Args {
  const optionOf = (name: OptionName): Option => ({ ...options[name], ...overrides[name] });
  const { values, positionals } = parse(argv, [...names, ...fileOptionNames], optionOf);
  const { config, 'env-file': envFile } = values as Record<string, string | undefined>;
  const files = { config, envFile: envFile ?? (env['MEMORY_GATEWAY_ENV_FILE'] || undefined) };
  const settings = createCommandSettings(files, env);
  const setting = (name: OptionName) =>
    values[name] === undefined ? settings.find(name, optionOf(name).env ?? []) : undefined;
  const text = (name: OptionName): string | undefined => {
    const option = optionOf(name);
    const given = values[name];
    if (given !== undefined && String(given).split(',').some(hasPassword))
      throw new UsageError(
        `Every user of this machine can see --${name}; give a password in ${option.env?.join(', ')} or PGPASSWORD instead.`,
      );
    if (given !== undefined && typeof given !== 'boolean') return String(given); // several with commas
    return setting(name)?.text ?? option.default;
  };
  const need = (name: OptionName): string => {
    const found = text(name);
    if (found) return found;
    throw new UsageError(`Give --${name} ${optionOf(name).value}.`);
  };
  const all = (name: OptionName): readonly string[] => [values[name] ?? []].flat().map(String);
  const flag = (name: OptionName): boolean => values[name] === true || isOn(name, text(name));
  const source = (name: OptionName) => setting(name)?.source;
  const isById = env[BY_ID] !== undefined;
  return { positionals, text, need, all, flag, source, isById, settings };
}

/** Returns the only positional argument. Throws `UsageError` if there are none or several. */
export function oneArgument({ positionals }: Args, what: string): string {
  const [word, ...more] = positionals;
  if (word?.trim() && more.length === 0) return word;
  throw new UsageError(`Give one ${what}${more.length > 0 ? ', in quotes if it has spaces' : ''}.`);
}

/** Returns the two positional arguments. Throws `UsageError` if there are fewer or more. */
export function twoArguments(
  { positionals }: Args,
  [what, other]: readonly [string, string],
): readonly [string, string] {
  const [word, second, ...more] = positionals;
  if (word?.trim() && second?.trim() && more.length === 0) return [word, second];
  const hint = more.length > 0 ? ', in quotes if it has spaces' : '';
  throw new UsageError(`Give one ${what} and one ${other}${hint}.`);
}

/** Throws `UsageError` if a command that takes no positional arguments got some. */
export function noArguments({ positionals }: Args): void {
  if (positionals.length > 0)
    throw new UsageError(`This command takes options only, not "${positionals[0]}".`);
}

/** Returns the error of a first word that is no command, nor like one. */
export function unknownWord(word: string): UsageError {
  const [option = ''] = word.split('=');
  if (option.startsWith('--') && Object.hasOwn(options, option.slice(2)))
    return new UsageError(`Write ${option} after the command, as in: COMMAND ${option}.`);
  const kind = word.startsWith('-') ? 'option' : 'command';
  return new UsageError(`Unknown ${kind} "${word}"; see --help.`);
}

function isOn(name: OptionName, text = 'off'): boolean {
  const given = text.toLowerCase();
  if (['1', 'true', 'yes', 'on'].includes(given)) return true;
  if (['0', 'false', 'no', 'off'].includes(given)) return false;
  const { word }: Option = options[name];
  const words = word === undefined ? '"on" or "off"' : `"on", "off" or "${word}"`;
  throw new UsageError(`--${name} takes ${words}, not "${text}".`);
}

function parse(
  argv: readonly string[],
  names: readonly OptionName[],
  optionOf: (name: OptionName) => Option,
) {
  const types = names.map((name) => {
    const { multiple = false } = optionOf(name);
    return [name, { type: isSwitch(name) ? 'boolean' : 'string', multiple }] as const;
  });
  const words = new Set(names.filter(hasWord).map((name) => `--${name}`));
  return parseStrictly({
    args: argv.map((arg) => (words.has(arg) ? `${arg}=on` : arg)),
    options: Object.fromEntries(types),
    allowPositionals: true,
  });
}

function isSwitch(name: OptionName): boolean {
  return !('value' in options[name]) && !hasWord(name);
}

function hasWord(name: OptionName): boolean {
  return 'word' in options[name];
}
