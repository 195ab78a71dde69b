// Our own format: memories as the API returns them and `export` writes them.

import * as v from 'valibot';

import { Corrections, Details, ReadDetails } from '../../contract/schemas/details.ts';
import {
  anyId,
  detail,
  maybe,
  maybeList,
  maybeSeconds,
  maybeText,
  maybeTime,
} from '../field-schemas.ts';
import type { Draft, ItemFormat, JsonObject } from '../format.ts';
import { linesOf } from '../turns/lines.ts';
import { asTranscript } from '../turns/turns.ts';

const Exported = v.object({
  ...ReadDetails.entries,
  source: v.object({
    ...ReadDetails.entries.source.entries,
    imported_at: v.optional(Details.entries.source.entries.imported_at),
  }),
  corrections: v.optional(Corrections),
});

const Ours = v.looseObject({
  id: anyId,
  name: maybeText,
  started_at: maybeTime,
  ended_at: maybeTime,
  is_processing: maybe(v.boolean()),
  user_id: v.optional(v.string()),
  duration_seconds: maybeSeconds,
  summary: maybe(v.object({ quick_summary: maybeText, key_takeaways: maybeList(v.string()) })),
  transcript: v.string(),
  details: detail(Exported),
});

/** The fields that an import cannot derive. */
const NEEDED = ['id', 'started_at', 'transcript'];

/** Names that few other formats have. Many have an `id`, a `summary` and a `transcript`. */
const OURS = ['started_at', 'ended_at', 'duration_seconds', 'is_processing', 'user_id'];

function isNearMemory(item: JsonObject): boolean {
  return 'id' in item && OURS.some((name) => name in item);
}

const hasNeeded = v.rawCheck<JsonObject>(({ dataset, addIssue }) => {
  if (!dataset.typed) return;
  const missing = NEEDED.filter((name) => !(name in dataset.value));
  if (missing.length > 0)
    addIssue({ message: `it looks like our own format, but has no ${missing.join(' and no ')}` });
});

/** The memory of the contract. Handwritten files can omit fields that can be derived. */
export const memory = {
  name: 'memory',
  product: 'Memory Gateway memories',
  paths: ['memories'],
  resembles: isNearMemory,
  matches: (item) => 'started_at' in item && typeof item['transcript'] === 'string',
  item: v.pipe(
    v.looseObject({}),
    hasNeeded,
    Ours,
    v.transform(({ user_id, summary, details, ...ours }) => ({
      ...ours,
      transcript: asTranscript(ours.transcript),
      ...(details && fromExport(details, linesOf(ours.transcript).length)),
      account_id: user_id,
      quick_summary: summary?.quick_summary,
      key_takeaways: summary?.key_takeaways,
      extra: ours,
    })),
  ),
} satisfies ItemFormat;

/**
 * Returns the details and the history in an export. The times of lines are left out if the transcript has another
 * number of lines, because somebody may have edited the one and not the other.
 */
function fromExport(
  { corrections = [], source, ...rest }: v.InferOutput<typeof Exported>,
  lines: number,
): Pick<Draft, 'own_details' | 'history'> {
  const { imported_at, ...own } = source;
  const line_starts_ms = rest.line_starts_ms?.length === lines ? rest.line_starts_ms : null;
  return {
    own_details: { ...rest, source: own, line_starts_ms },
    history: { imported_at, corrections },
  };
}
