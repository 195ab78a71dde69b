// What an import says: rejects as they come, and what it came to in the end.

import { amount, showTime } from '../command.ts';
import { plainLine } from '../plain.ts';
import type { Reject, Tally } from './tally.ts';

/** The most characters of a line. */
const LONGEST = 2000;

/** A reject on a line: where, and why. */
export function showReject({ file, line, item, reason }: Reject): string {
  const place = `${file}${line === undefined ? '' : `:${line}`}${item === undefined ? '' : `, item ${item}`}`;
  return plainLine(`${place}: ${reason}.`, LONGEST);
}

/** How an import was done, and whether all of it was undone for what was rejected. */
interface How {
  readonly isDry: boolean;
  readonly isUndone: boolean;
}

/** What an import came to, in a few lines. */
export function showTally(tally: Tally, how: How): string {
  const { files, added, updated, unchanged, rejected, first_started_at, last_started_at } = tally;
  const would = how.isDry || how.isUndone ? ' would be' : '';
  const counts = [
    `${amount(added, 'memory', 'memories')}${would} added`,
    `${updated}${would} updated`,
    `${unchanged} unchanged`,
    `${rejected} rejected`,
  ];
  return [
    `${amount(files, 'file', 'files')} read: ${counts.join(', ')}.`,
    ...Object.entries(tally.passed_over).map(([reason, n]) =>
      plainLine(`${n} passed over: ${reason}.`, LONGEST),
    ),
    ...(first_started_at === null
      ? []
      : [`They are from ${day(first_started_at)} to ${day(last_started_at)}, ${whose(tally)}.`]),
    ...(how.isDry ? ['Nothing was written, as this was a dry run.'] : []),
    ...(how.isDry && tally.sample.length > 0 ? ['The first of them:'] : []),
    ...(how.isDry ? tally.sample.map(showSample) : []),
    ...(how.isUndone ? ['Nothing was written, as not all of it could be.'] : []),
    ...(isNothing(tally) ? ['There was nothing in it to import.'] : []),
  ].join('\n');
}

function isNothing({ added, updated, unchanged, rejected }: Tally): boolean {
  return added + updated + unchanged + rejected === 0;
}

function showSample({ started_at, id, name, transcript }: Tally['sample'][number]): string {
  const time = showTime(Date.parse(started_at));
  return `  ${time}  ${id}  ${plainLine(name, 60)}: ${plainLine(transcript, 60)}`;
}

function whose({ accounts, formats }: Tally): string {
  return `for ${list(accounts)}, by format ${list(formats)}`;
}

function list(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, n]) => `${name} (${n})`)
    .join(', ');
}

function day(time: string | null): string {
  return time?.slice(0, 10) ?? '';
}
