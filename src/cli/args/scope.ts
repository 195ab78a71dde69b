// The scope of a key on the command line: its options, and how it is shown.

import * as v from 'valibot';

import { ScopeName, ScopeTags } from '../../contract/schemas/parameters.ts';
import { toMillisecondBounds } from '../../lib/timezone.ts';
import { isReads, scopeOf, toScopeColumns, type Scope } from '../../store/scope.ts';
import { formatTime } from '../output/text.ts';
import type { Args, OptionOverrides } from './args.ts';
import type { OptionName } from './options/options.ts';
import { readListParameters } from './parameters.ts';
import { UsageError } from './parse.ts';

/** The options of a scope. */
export const scopeOptions = [
  'scope',
  'from',
  'to',
  'timezone',
  'source',
  'tag',
] as const satisfies readonly OptionName[];

/** What these options mean here. `copy` has a `--from` and a `--to` as well, with variables for databases. */
export const scopeOverrides: OptionOverrides = {
  from: {
    value: 'TIME',
    env: [],
    unset: 'the first memory',
    help: 'Read only memories that started then or later: 2026-11-18, or 2026-11-18T09:00:00Z',
  },
  to: {
    value: 'TIME',
    env: [],
    unset: 'the latest memory',
    help: 'Read only memories that started before then',
  },
  timezone: { help: 'Time zone of dates, such as Europe/Berlin' },
  source: { help: 'Read only memories from this product: limitless' },
  tag: {
    multiple: true,
    help: 'Read only memories with this folder, tag or star; repeat the option for all of several',
  },
};

/** Reads the scope of a key. Undefined: it reads everything. Rejects with `UsageError`. */
export async function readScope(args: Args): Promise<Scope | undefined> {
  const [reads, source = null, tags] = [args.need('scope'), args.text('source'), args.all('tag')];
  if (!isReads(reads)) throw new UsageError(`--scope takes "all" or "summaries", not "${reads}".`);
  if (source !== null && !v.is(ScopeName, source))
    throw new UsageError(`--source takes ${v.getDescription(ScopeName)}.`);
  if (!v.is(ScopeTags, tags)) throw new UsageError(`--tag takes ${v.getDescription(ScopeTags)}.`);
  const texts = { started_after: args.text('from'), started_before: args.text('to') };
  const { timezone, ...moments } = readListParameters(
    { ...texts, timezone: args.text('timezone') },
    { started_after: '--from', started_before: '--to' },
  );
  const bounds = await toMillisecondBounds(moments, timezone);
  const { started_after = null, started_before = null } = bounds;
  if (started_after !== null && started_before !== null && started_before <= started_after)
    throw new UsageError('--to takes a time after --from.');
  return scopeOf(toScopeColumns({ reads, started_after, started_before, source, tags }));
}

/** Formats a scope on one line, such as `summaries from 2026-11-01 to 2026-12-01 of limitless with "work"`. */
export function formatScope(scope: Scope): string {
  const { reads, started_after, started_before, source, tags } = scope;
  const from = started_after === null ? '' : ` from ${formatMoment(started_after)}`;
  const to = started_before === null ? '' : ` to ${formatMoment(started_before)}`;
  const of = source === null ? '' : ` of ${source}`;
  const tagged = tags.length === 0 ? '' : ` with ${tags.map((tag) => `"${tag}"`).join(' and ')}`;
  return reads + from + to + of + tagged;
}

/** Formats the start of a day as its date. */
function formatMoment(time: number): string {
  return formatTime(time).replace(' 00:00Z', '');
}
