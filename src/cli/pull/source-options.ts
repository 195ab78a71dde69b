// Reads which source a command is about: its name, its address, and the time of what is wanted.

import { readProductTime } from '../../formats/time/product-time.ts';
import type { PullOptions } from '../../sources/page.ts';
import type { Source } from '../../sources/source.ts';
import { sources } from '../../sources/sources.ts';
import type { Args } from '../args/args.ts';
import { UsageError } from '../args/parse.ts';

/** Returns the source of a name. Throws `UsageError`. */
export function findSource(name: string): Source {
  const found = sources.find((each) => each.name === name);
  if (found) return found;
  const names = sources.map((each) => each.name).join(', ');
  throw new UsageError(`Unknown source "${name}". Use one of: ${names}.`);
}

/** Names a source in the database: of two addresses, each has a state of its own. */
export function nameOf(source: Source, url: string): string {
  return url === source.url ? source.name : `${source.name} ${url}`;
}

/** Returns the address of a source, without a slash at its end. Throws `UsageError`. */
export function readUrl(
  source: Source,
  given: string | undefined,
  option: 'url' | 'pull-url' = 'url',
): string {
  if (given === undefined && source.url !== undefined) return source.url;
  if (given === undefined)
    throw new UsageError(
      `Give --${option} ${option === 'url' ? '' : `${source.name}=`}URL: the source ${source.name} has no address of its own.`,
    );
  const url = plainUrl(given);
  if (url !== undefined) return url;
  throw new UsageError(
    `--${option} takes an address such as https://memories.example, without a query or a password.`,
  );
}

/** Returns an address without a slash at its end, or undefined if it is no http address or has a query or a password. */
export function plainUrl(given: string): string | undefined {
  const url = URL.parse(given);
  const isPlain = url?.search === '' && url.hash === '' && url.username + url.password === '';
  return url && isPlain && /^https?:$/.test(url.protocol)
    ? url.href.replace(/\/+$/, '')
    : undefined;
}

/** The times between which items are wanted, in milliseconds since 1970. */
export type WantedTimes = Pick<PullOptions, 'since' | 'until'>;

/** Reads `--since` and `--until`. Throws `UsageError`. */
export function readTimes(
  { name, order }: Source,
  args: Args,
  local: Parameters<typeof readProductTime>[1],
): WantedTimes {
  const read = (option: 'since' | 'until') => {
    const text = args.text(option);
    if (text === undefined) return undefined;
    if (order === 'feed')
      throw new UsageError(`${name} has a feed of changes; pull it without --${option}.`);
    const time = readProductTime(text, local);
    if (time !== undefined) return time;
    throw new UsageError(`--${option} takes a time such as 2026-11-18, not "${text}".`);
  };
  const [since, until] = [read('since'), read('until')];
  if (since !== undefined && until !== undefined && since >= until)
    throw new UsageError('--since must be before --until.');
  return { since, until };
}

/** What `--mirror` does: `report` compares everything, and `delete` also deletes what is gone. */
export type Mirror = 'report' | 'delete' | undefined;

/** Reads `--mirror`. Throws `UsageError` if it cannot compare everything. */
export function readMirror(args: Args, { since, until }: WantedTimes): Mirror {
  const deletes = args.text('mirror')?.toLowerCase() === 'delete';
  if (!deletes && !args.flag('mirror')) return undefined;
  if (since !== undefined || until !== undefined)
    throw new UsageError('--mirror compares everything; pass it without --since and --until.');
  return deletes ? 'delete' : 'report';
}
