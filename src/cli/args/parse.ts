// Parses an argument list strictly: unknown, repeated and incomplete options are usage errors.

import { parseArgs, type ParseArgsConfig } from 'node:util';

import { suggest, type Synonyms } from './suggest.ts';

/** The program was called wrongly: one line on stderr, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Names that other programs give to our options. */
const OPTION_SYNONYMS: Synonyms = {
  address: 'host',
  after: 'started-after',
  before: 'started-before',
  bind: 'host',
  db: 'database',
  file: 'output',
  force: 'overwrite',
  listen: 'host',
  name: 'label',
  o: 'output',
  out: 'output',
  query: 'q',
  search: 'q',
  since: 'started-after',
  tz: 'timezone',
  until: 'started-before',
  user: 'account',
};

/** Returns the error of an option that takes one of some names: the name that was meant, or all of them. */
export function notOneOf(
  option: string,
  names: readonly string[],
  given: string,
  synonyms?: Synonyms,
): UsageError {
  const meant = suggest(given, names, synonyms);
  return new UsageError(
    meant === undefined
      ? `--${option} takes ${names.join(', ')}, not "${given}".`
      : `--${option} does not take "${given}". Did you mean "${meant}"?`,
  );
}

type OptionTypes = NonNullable<ParseArgsConfig['options']>;

/** Parses arguments as Node's `parseArgs` does, in our own words. Throws `UsageError`. */
export function parseStrictly<T extends ParseArgsConfig>(config: T) {
  const { options = {}, allowPositionals = false } = config;
  // Node's own messages are for developers, and it lets a repeated option overwrite the first silently.
  const { tokens = [] } = parseArgs({ ...config, strict: false, tokens: true });
  const given = new Set<string>();
  for (const token of tokens) {
    if (token.kind === 'positional' && !allowPositionals)
      throw new UsageError(`Unexpected argument "${token.value}"; see --help.`);
    if (token.kind !== 'option') continue;
    checkOption(token, options);
    if (given.has(token.name) && !options[token.name]?.multiple)
      throw new UsageError(`Give ${token.rawName} once.`);
    given.add(token.name);
  }
  return parseArgs(config);
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

function checkOption(token: OptionToken, options: OptionTypes): void {
  const { name, rawName, value, inlineValue } = token;
  const option = Object.hasOwn(options, name) ? options[name] : undefined;
  if (option === undefined || !rawName.startsWith('--')) throw unknownOption(rawName, options);
  if (option.type === 'boolean') {
    if (value !== undefined) throw new UsageError(`${rawName} is a switch and takes no value.`);
  } else if (value === undefined) throw new UsageError(`${rawName} needs a value; see --help.`);
  else if (!inlineValue && /^-./.test(value))
    throw new UsageError(
      `${rawName} needs a value before "${value}"; if that is the value, write ${rawName}=${value}.`,
    );
}

function unknownOption(rawName: string, options: OptionTypes): UsageError {
  const word = rawName.replace(/^-+/, '');
  const meant = suggest(word, Object.keys(options), OPTION_SYNONYMS);
  const orId = /^-[^-]/.test(rawName)
    ? ', or write "--" before an ID or a name that begins with "-"'
    : '';
  return new UsageError(
    meant === undefined
      ? `Unknown option "${rawName}"; see --help${orId}.`
      : `Unknown option "${rawName}". Did you mean "--${meant}"?`,
  );
}
