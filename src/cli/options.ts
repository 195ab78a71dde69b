// Every option of the command line: its flag, environment variables, default and what it is.
import { parseArgs, type ParseArgsConfig } from 'node:util';

/** A slip in how the program was called: one line on stderr, exit 2. */
export class Mistake extends Error {
  override readonly name = 'Mistake';
}

export interface Option {
  /** What stands for the value in help; an option without one is a switch. */
  readonly value?: string;
  /** Read in this order where the flag is not given. */
  readonly env?: readonly string[];
  readonly default?: string;
  readonly help: string;
}

export const options = {
  database: {
    value: 'FILE',
    env: ['MEMORY_GATEWAY_DATABASE'],
    default: 'memory-gateway.db',
    help: 'the SQLite file',
  },
  host: {
    value: 'ADDRESS',
    env: ['MEMORY_GATEWAY_HOST', 'HOST'],
    default: '127.0.0.1',
    help: 'the address to listen on',
  },
  port: {
    value: 'PORT',
    env: ['MEMORY_GATEWAY_PORT', 'PORT'],
    default: '8787',
    help: 'the port to listen on; 0 takes a free one',
  },
  'access-log': {
    env: ['MEMORY_GATEWAY_ACCESS_LOG'],
    help: 'log a line for every request',
  },
  id: { value: 'ID', help: 'the id of the new account; a UUIDv7 if left out' },
  account: { value: 'ID', help: 'the account, by its id' },
  label: { value: 'TEXT', default: 'unnamed', help: 'what the key is for, for people' },
  expires: {
    value: 'TIME',
    help: 'when the key ends: a span such as 90d, or a date such as 2027-01-31; never if left out',
  },
  grace: { value: 'SPAN', default: '0s', help: 'how long the old key goes on, such as 24h' },
  json: { help: 'print JSON, for machines' },
} as const satisfies Record<string, Option>;

export type OptionName = keyof typeof options;

/** What a command was called with. */
export interface Args {
  readonly positionals: readonly string[];
  /** The text of an option: from its flag, else its environment, else its default. */
  text(name: OptionName): string | undefined;
  /** The text of an option that has a default. */
  need(name: OptionName): string;
  flag(name: OptionName): boolean;
}

/** Reads arguments against the options that a command takes. Fails with `Mistake`. */
export function readArgs(argv: readonly string[], names: readonly OptionName[]): Args {
  const { values, positionals } = parse(argv, names);
  const text = (name: OptionName): string | undefined => {
    const { env = [], default: fallback }: Option = options[name];
    const given = values[name];
    return typeof given === 'string'
      ? given
      : (env.map((variable) => process.env[variable]).find(Boolean) ?? fallback);
  };
  const need = (name: OptionName): string => {
    const found = text(name);
    if (found) return found;
    throw new Mistake(`Give --${name} ${(options[name] as Option).value}.`);
  };
  const flag = (name: OptionName): boolean =>
    values[name] === true || ['1', 'true', 'yes'].includes(text(name)?.toLowerCase() ?? '');
  return { positionals, text, need, flag };
}

function parse(argv: readonly string[], names: readonly OptionName[]) {
  const types = names.map(
    (name) => [name, { type: isSwitch(name) ? 'boolean' : 'string' }] as const,
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

/** Parses arguments as `parseArgs` does. Fails with `Mistake`, in one sentence. */
export function parseStrictly<T extends ParseArgsConfig>(config: T) {
  try {
    return parseArgs(config);
  } catch (error) {
    // parseArgs speaks in several sentences; the first one says what is wrong.
    throw new Mistake(`${(error as Error).message.split(/\.\s/)[0]}; see --help.`);
  }
}

/** Reads a port number. */
export function readPort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new Mistake(`--port takes a number from 0 to 65535, not "${text}".`);
}

const UNITS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** Reads a span such as `24h` as milliseconds. */
export function readSpan(option: OptionName, text: string): number {
  const [, amount = '', unit = ''] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  const factor = UNITS[unit];
  if (factor !== undefined) return Number(amount) * factor;
  throw new Mistake(`--${option} takes a number with s, m, h, d or w, such as 24h, not "${text}".`);
}

/** Reads a span from `now`, or a date, as milliseconds since 1970. */
export function readTime(option: OptionName, text: string, now: number): number {
  if (!/^\d{4}-/.test(text)) return now + readSpan(option, text);
  const time = /^\d{4}-\d\d-\d\d(T[\d:.]+Z)?$/.test(text) ? Date.parse(text) : Number.NaN;
  const isReal = !Number.isNaN(time) && new Date(time).toISOString().startsWith(text.slice(0, 10));
  if (isReal && time > now) return time;
  throw new Mistake(`--${option} takes a date to come, such as 2027-01-31, not "${text}".`);
}
