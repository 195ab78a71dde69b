// screenpipe: what was heard; chunks that follow one another without a long gap are one memory.

import * as v from 'valibot';

import { reasonOf } from './draft.ts';
import type { Aside, Draft, Item, ItemFormat } from './format.ts';
import { anyId, maybe, maybeSeconds, maybeText, maybeTime } from './shapes.ts';
import { readTime, utc } from './time.ts';
import { toTranscript } from './turns.ts';
import { isItem } from './unwrap.ts';

/** After as long a silence, what is heard is another conversation. */
const GAP_MS = 5 * 60 * 1000;

const Audio = v.object({
  type: v.literal('Audio'),
  content: v.object({
    chunk_id: anyId,
    timestamp: maybeTime,
    offset_index: maybe(v.number()),
    start_time: maybeSeconds,
    end_time: maybeSeconds,
    speaker: maybe(v.object({ name: maybeText })),
    transcription: maybeText,
  }),
});

const Chunk = v.pipe(
  Audio,
  v.transform(({ content }) => {
    const { chunk_id: id, offset_index, start_time, end_time, speaker, transcription } = content;
    const at = readTime(content.timestamp, utc) ?? Number.NaN;
    return {
      id,
      offset: offset_index ?? 0,
      start: at + Math.round((start_time ?? 0) * 1000),
      end: at + Math.round((end_time ?? start_time ?? 0) * 1000),
      speaker: speaker?.name,
      text: transcription,
    };
  }),
  v.check(({ start }) => !Number.isNaN(start), 'its timestamp cannot be read'),
);
type Chunk = v.InferOutput<typeof Chunk>;

const KINDS: ReadonlySet<unknown> = new Set(['Audio', 'OCR', 'UI', 'Input', 'Memory', 'Parsed']);

/** screenpipe. Of all that it records, what was said makes memories; it may come newest first. */
export const screenpipe: ItemFormat = {
  name: 'screenpipe',
  product: 'screenpipe audio',
  inside: ['data', 'results'],
  fits: (item) => (KINDS.has(item['type']) && isItem(item['content'])) || 'meeting_start' in item,
  item: v.pipe(
    v.array(Chunk),
    v.transform((chunks) => toDraft(chunks)),
  ),
  joins: (before, item) => {
    const [one, other] = [v.parse(Chunk, before), v.parse(Chunk, item)];
    return Math.max(one.start, other.start) - Math.min(one.end, other.end) <= GAP_MS;
  },
  aside,
};

function aside(item: Item): Aside | undefined {
  if ('meeting_start' in item)
    return { passed_over: 'it is a meeting without its words, which are in the audio' };
  const { type, content } = item;
  // What is said of a foreign word would be as many reasons as there are words.
  if (typeof type === 'string' && type !== 'Audio' && isItem(content))
    return { passed_over: KINDS.has(type) ? `it is ${type}, not audio` : 'it is not audio' };
  const { issues } = v.safeParse(Chunk, item, { abortEarly: true });
  return issues && { reason: reasonOf(issues[0]) };
}

/**
 * Its id is that of the earliest chunk, in whatever order they come: it stays when more is heard later.
 * Of a file that begins in the midst of it, the rest is a memory by itself, with another id.
 */
function toDraft(found: readonly Chunk[]): Draft {
  const once = new Map(found.map((chunk) => [JSON.stringify(chunk), chunk]));
  const chunks = [...once.values()].toSorted(
    (a, b) => a.start - b.start || Number(a.id) - Number(b.id) || a.offset - b.offset,
  );
  return {
    id: `screenpipe-${chunks[0]?.id}`,
    started_at: chunks[0]?.start,
    ended_at: chunks.reduce((latest, { end }) => Math.max(latest, end), Number.NEGATIVE_INFINITY),
    transcript: toTranscript(chunks),
  };
}
