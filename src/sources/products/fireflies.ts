// The Fireflies source: transcripts with their sentences from the GraphQL API.

import * as v from 'valibot';

import { fireflies as format } from '../../formats/products/fireflies.ts';
import { isoTime, Items, nextOffset, timeIn } from '../page-fields.ts';
import type { Problem, Source } from '../source.ts';

/** Half of what is allowed: long meetings would make a response too large otherwise. */
const LIMIT = 25;

const LIST = `query ($fromDate: DateTime, $toDate: DateTime, $limit: Int, $skip: Int) {
  transcripts(fromDate: $fromDate, toDate: $toDate, limit: $limit, skip: $skip) {
    id title date duration is_live transcript_url
    meeting_info { silent_meeting summary_status }
    speakers { id name }
    sentences { speaker_name speaker_id text start_time end_time }
    summary { short_summary overview action_items bullet_gist }
  }
}`;

const Transcripts = v.object({ data: v.object({ transcripts: v.nullish(Items, []) }) });

const Found = v.object({ data: v.object({ transcripts: Items }) });

/** Errors after which the documents say to send the request again. */
const TEMPORARY = new Set(['request_timeout', 'invariant_violation']);

const Failed = v.object({
  errors: v.tupleWithRest(
    [
      v.object({
        code: v.nullish(v.string()),
        extensions: v.nullish(
          v.object({
            code: v.nullish(v.string()),
            status: v.nullish(v.number()),
            metadata: v.nullish(v.object({ retryAfter: v.nullish(v.number()) })),
          }),
        ),
      }),
    ],
    v.unknown(),
  ),
});

/** Fireflies. Free plans have 50 requests a day, so sentences come with the list. A live meeting has none yet. */
export const fireflies: Source = {
  name: 'fireflies',
  product: 'Fireflies transcripts',
  documents: [
    'https://docs.fireflies.ai/graphql-api/query/transcripts',
    'https://docs.fireflies.ai/fundamentals/limits',
    'https://docs.fireflies.ai/miscellaneous/error-codes',
  ],
  url: 'https://api.fireflies.ai',
  credential: { variable: 'FIREFLIES_API_KEY', place: 'the developer settings of Fireflies' },
  format,
  order: 'newest first',
  isByPosition: true,
  takesUntil: true,
  list: ({ cursor, since, until }) => ({
    path: '/graphql',
    body: {
      query: LIST,
      variables: {
        limit: LIMIT,
        skip: Number(cursor ?? 0),
        fromDate: isoTime(since) ?? null,
        toDate: isoTime(until) ?? null,
      },
    },
  }),
  readPage: ({ body }, at) => {
    const items = v.parse(Transcripts, body).data.transcripts;
    return {
      items: items.filter((item) => item['is_live'] !== true),
      next: nextOffset(at, { count: items.length, least: LIMIT }),
    };
  },
  timeOf: (item) => timeIn(item, 'date'),
  problemIn,
};

/** Finds an error. `retryAfter` is the moment from which on requests are allowed, in milliseconds since 1970. */
function problemIn(body: unknown): Problem | undefined {
  const { success, output } = v.safeParse(Failed, body);
  // A field that a plan does not have is an error beside the transcripts.
  if (!success || v.is(Found, body)) return undefined;
  const { code, extensions } = output.errors[0];
  const found = extensions?.code ?? code ?? '';
  if (found === 'auth_failed' || extensions?.status === 401) return { kind: 'credential' };
  if (TEMPORARY.has(found)) return { kind: 'busy' };
  if (found !== 'too_many_requests') return { kind: 'response', code: found };
  const from = extensions?.metadata?.retryAfter ?? 0;
  return { kind: 'busy', retryAfterMs: Math.max(0, from - Date.now()) };
}
