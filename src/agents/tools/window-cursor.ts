// Cursors of lists: the API's cursor, with the window and the query of the first call, so that later responses have them too.

import * as v from 'valibot';

import { Failure } from '../../contract/failure.ts';
import { TimeZone } from '../../contract/schemas/moment.ts';
import type { UnderstoodWindow } from '../time-window.ts';

/** A cursor, and the window and the query that it continues. */
export interface WindowCursor {
  /** The cursor of the API. */
  readonly cursor: string;
  readonly window: UnderstoodWindow;
  readonly query: string | undefined;
}

/** Writes a cursor, such as `abc~lq2x9k~~Europe/Berlin~milk`. */
export function writeCursor({ cursor, window, query = '' }: WindowCursor): string {
  const { started_after, started_before, timezone } = window;
  const times = [shortTime(started_after), shortTime(started_before)];
  return [cursor, ...times, timezone, encodeURIComponent(query.toWellFormed())].join('~');
}

function shortTime(instant: string | null): string {
  return instant === null ? '' : Date.parse(instant).toString(36);
}

/** Reads a cursor. A cursor of the API has no window. */
export function readCursor(text: string): WindowCursor {
  const [cursor = '', after, before, timezone = 'UTC', ...query] = text.split('~');
  const window = {
    started_after: readShortTime(after),
    started_before: readShortTime(before),
    timezone: v.is(TimeZone, timezone) ? timezone : 'UTC', // the cursor was changed
  };
  return { cursor, window, query: readWritten(query.join('~')) };
}

function readWritten(query: string): string | undefined {
  try {
    return decodeURIComponent(query) || undefined;
  } catch {
    return undefined; // the cursor was cut
  }
}

function readShortTime(text = ''): string | null {
  const date = new Date(text === '' ? Number.NaN : Number.parseInt(text, 36));
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

/** Throws a 422 if other parameters than `allowed` accompany a cursor. */
export function requireAlone(args: object, allowed: readonly string[]): void {
  const others = Object.entries(args).filter(
    ([name, value]) => name !== 'cursor' && !allowed.includes(name) && value !== undefined,
  );
  if (others.length === 0) return;
  throw new Failure(
    422,
    `The parameter "cursor" carries the other parameters of its first call. Send it without "${others[0]?.[0]}".`,
  );
}
