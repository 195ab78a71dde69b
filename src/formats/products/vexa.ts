// The Vexa format: meetings with transcript segments from its API.

import * as v from 'valibot';

import {
  anyId,
  detail,
  detailList,
  detailText,
  isPresent,
  maybe,
  maybeSeconds,
  maybeText,
  maybeTime,
} from '../field-schemas.ts';
import type { ItemFormat, JsonObject } from '../format.ts';
import { isJsonObject } from '../json/unwrap.ts';
import { bulletsIn, firstText } from '../markdown-input.ts';
import { asUtc, secondsBetween, sortByTime, type MaybeTime } from '../time/product-time.ts';
import { toTranscript } from '../turns/turns.ts';

const Segment = v.object({
  segment_id: maybeText,
  speaker: maybeText,
  text: maybeText,
  completed: maybe(v.boolean()),
  absolute_start_time: maybeTime,
  absolute_end_time: maybeTime,
  end: maybeSeconds,
  source: maybeText,
  start: detail(v.number()),
  language: detailText,
});
type Segment = v.InferOutput<typeof Segment>;

const Meeting = v.object({
  id: anyId,
  status: maybeText,
  title: maybeText,
  start_time: maybeTime,
  end_time: maybeTime,
  notes: maybeText,
  data: maybe(
    v.object({ title: maybeText, name: maybeText, participants: detailList(v.string()) }),
  ),
  segments: maybe(v.array(Segment)),
});

/** The statuses of finished meetings. Before, a bot is joining or recording. */
const DONE = new Set(['completed', 'failed']);

const NO_ID = 'it does not say which meeting it is of; export it with the fields of its meeting';
const NO_TRANSCRIPT = 'it has no segments; export the transcript of each meeting, not their list';

/**
 * Vexa. The `id` identifies a meeting. Its platform and native id identify a meeting link, which many
 * meetings can share.
 */
export const vexa: ItemFormat = {
  name: 'vexa',
  product: 'Vexa transcripts',
  paths: ['meetings'],
  matches: (item) =>
    'native_meeting_id' in item || hasSegments(item['segments']) || isProcessedView(item),
  item: v.pipe(
    v.looseObject({}),
    v.check((item) => 'id' in item, NO_ID),
    Meeting,
    v.transform(({ id, status, title, data, notes, ...meeting }) => {
      const segments = settle(meeting.segments ?? []);
      const first = segments.find(({ absolute_start_time }) => absolute_start_time);
      const last = segments.findLast(({ absolute_end_time }) => absolute_end_time);
      const started_at = asUtc(meeting.start_time || first?.absolute_start_time);
      return {
        id,
        name: firstText(title, data?.title, data?.name),
        started_at,
        ended_at: asUtc(meeting.end_time || last?.absolute_end_time),
        duration_seconds: durationOf(meeting),
        is_processing: !DONE.has(status ?? 'completed'),
        quick_summary: notes,
        key_takeaways: bulletsIn(notes),
        transcript: toTranscript(
          segments.map(({ speaker, text, ...segment }) => ({
            speaker,
            text,
            ...placeOf(segment, started_at),
          })),
        ),
        lacks: isPresent(meeting.segments) ? undefined : NO_TRANSCRIPT,
        details: {
          language: languageOf(segments),
          people: data?.participants.map((name) => ({ name })),
        },
      };
    }),
  ),
};

/** Returns where a segment is. Times of day count: offsets may begin at another moment than the meeting. */
function placeOf(segment: Omit<Segment, 'speaker' | 'text'>, began: MaybeTime) {
  const { absolute_start_time: from, absolute_end_time: to, start, end, source } = segment;
  if (from)
    return { start: secondsBetween(began, asUtc(from)), end: secondsBetween(began, asUtc(to)) };
  // A chat message has the time of day in the place of seconds.
  return source === 'chat' ? {} : { start, end };
}

/** Returns the language if all segments are in one. */
function languageOf(segments: readonly Segment[]): string | undefined {
  const [language, ...others] = new Set(segments.flatMap((segment) => segment.language ?? []));
  return others.length > 0 ? undefined : language;
}

function hasSegments(segments: unknown): boolean {
  const first: unknown = Array.isArray(segments) ? segments[0] : undefined;
  return isJsonObject(first) && ('absolute_start_time' in first || 'segment_id' in first);
}

/** Whether an item is what a view of a meeting was made from: it has the words, but no times of day. */
function isProcessedView({ segments, data }: JsonObject): boolean {
  return Array.isArray(segments) && isJsonObject(data) && 'processed' in data;
}

/** Returns the duration if only segments tell it, in seconds from the start. */
function durationOf({
  end_time,
  segments,
}: Pick<v.InferOutput<typeof Meeting>, 'end_time' | 'segments'>): number | undefined {
  // A chat message has the time of day in the place of seconds.
  const spoken = (segments ?? []).filter(({ source }) => source !== 'chat');
  if (end_time || spoken.some(({ absolute_end_time }) => absolute_end_time)) return undefined;
  return spoken.reduce((last, { end }) => Math.max(last, end ?? 0), 0);
}

/**
 * Replaces drafts of segments with their final versions, and sorts segments by time: Vexa puts the
 * messages of the chat last. A draft without an id has the start and the speaker of its final version.
 */
function settle(segments: readonly Segment[]): Segment[] {
  const settled = new Map<unknown, Segment>();
  for (const segment of segments) {
    const key = keyOf(segment);
    const before = settled.get(key);
    const isFinal = segment.completed !== false;
    // Two final segments are two, even if they start at the same moment.
    if (before === undefined || before.completed === false) settled.set(key, segment);
    else if (isFinal) settled.set(segment.segment_id ? key : segment, segment);
  }
  return sortByTime([...settled.values()], (segment) => segment.absolute_start_time);
}

function keyOf(segment: Segment): unknown {
  const { segment_id, absolute_start_time, speaker, source } = segment;
  if (segment_id) return segment_id;
  if (source === 'chat') return segment;
  return absolute_start_time ? JSON.stringify([absolute_start_time, speaker]) : segment;
}
