// Details of a memory: its document, and what of it a caller may read.

import { hash } from 'node:crypto';

import { fromJson, toJson, type Json } from '../../../contract/json.ts';
import type { Details } from '../../../contract/schemas/details.ts';
import { failure } from '../../../contract/statuses.ts';
import { andThen, type Awaitable } from '../../../lib/async.ts';
import { NOTHING_READ } from '../../../store/details/details-row.ts';
import type { StoredDetails } from '../../../store/details/reads.ts';
import type { Store } from '../../../store/store.ts';
import type { Caller } from '../../request/auth.ts';

/** Details as bytes with their hash. */
export interface DetailsResult {
  readonly etag: string;
  readonly body: Json<Details>;
  readonly revision: string | undefined;
}

/** Reads the details of a memory. Throws a 404 if there is no such memory. */
export function readDetails(
  store: Store,
  { account_id, revision, scope }: Caller,
  id: string,
): Awaitable<DetailsResult> {
  const wanted = { account_id, revision, id };
  return andThen(store.memory({ ...wanted, projection: 'slim', known: '' }), (memory) => {
    if (!memory) throw failure(404);
    return andThen(store.details(wanted), ({ found, revision: read }) => {
      const whole = found?.bytes ?? toJson(nothingKnown(id));
      const body = scope?.reads === 'summaries' ? withoutLines(whole) : whole;
      const etag = found?.bytes === body ? found.sha256 : hash('sha256', body);
      const isConsistent = memory.revision === read;
      return { etag, body, revision: isConsistent ? read : undefined };
    });
  });
}

/** Returns when each line of a transcript starts, in milliseconds, or null if that is unknown. */
export function lineStartsOf(stored: StoredDetails | undefined): Details['line_starts_ms'] {
  return stored === undefined ? null : fromJson(stored.bytes).line_starts_ms;
}

/** The details of a memory that was imported before there were any. */
function nothingKnown(memory_id: string): Details {
  return {
    memory_id,
    ...NOTHING_READ,
    source: { ...NOTHING_READ.source, imported_at: null },
    corrections: [],
    original: null,
  };
}

/** Returns details for a caller who may read summaries only. The hash of an original would tell whether a guess of it is right. */
function withoutLines(json: Json<Details>): Json<Details> {
  const details = fromJson(json);
  return toJson({
    ...details,
    line_starts_ms: null,
    audio: null,
    chapters: details.chapters.map((each) => ({ ...each, line: null })),
    action_items: details.action_items.map((each) => ({ ...each, line: null })),
    original: null,
  });
}
