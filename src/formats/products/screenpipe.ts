// The screenpipe format: audio chunks. Chunks without a long gap between them become one memory.

import * as v from 'valibot';

import {
  anyId,
  detailList,
  isPresent,
  maybe,
  maybeSeconds,
  maybeText,
  maybeTime,
} from '../field-schemas.ts';
import type { Exclusion, Draft, JsonObject, ItemFormat } from '../format.ts';
import { issueText } from '../issue-text.ts';
import { isJsonObject } from '../json/unwrap.ts';
import { readProductTime, readAsUtc } from '../time/product-time.ts';
import { toTranscript } from '../turns/turns.ts';

/** A longer silence starts a new conversation. */
export const GAP_MS = 5 * 60 * 1000;

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
    tags: detailList(v.string()),
  }),
});

const Chunk = v.pipe(
  Audio,
  v.transform(({ content }) => {
    const { chunk_id: id, offset_index, start_time, end_time, speaker, transcription } = content;
    const at = readProductTime(content.timestamp, readAsUtc) ?? Number.NaN;
    return {
      id,
      offset: offset_index ?? 0,
      start: at + Math.round((start_time ?? 0) * 1000),
      end: at + Math.round((end_time ?? start_time ?? 0) * 1000),
      hasEnd: isPresent(end_time),
      speaker: speaker?.name,
      text: transcription,
      tags: content.tags,
    };
  }),
  v.check(({ start }) => !Number.isNaN(start), 'its timestamp cannot be read'),
);
type Chunk = v.InferOutput<typeof Chunk>;

const KINDS: ReadonlySet<unknown> = new Set(['Audio', 'OCR', 'UI', 'Input', 'Memory', 'Parsed']);

/** screenpipe. Only audio becomes a memory, not screen text. Its items can be newest first. */
export const screenpipe: ItemFormat = {
  name: 'screenpipe',
  product: 'screenpipe audio',
  paths: ['data', 'results'],
  matches: (item) =>
    (KINDS.has(item['type']) && isJsonObject(item['content'])) || 'meeting_start' in item,
  item: v.pipe(
    v.array(Chunk),
    v.transform((chunks) => toDraft(chunks)),
  ),
  continues: (before, item) => {
    const [one, other] = [v.parse(Chunk, before), v.parse(Chunk, item)];
    return Math.max(one.start, other.start) - Math.min(one.end, other.end) <= GAP_MS;
  },
  exclude,
};

function exclude(item: JsonObject): Exclusion | undefined {
  if ('meeting_start' in item)
    return { skipped: 'it is a meeting without its words, which are in the audio' };
  const { type, content } = item;
  // An unknown type is not quoted: each type would be counted as a separate reason.
  if (typeof type === 'string' && type !== 'Audio' && isJsonObject(content))
    return { skipped: KINDS.has(type) ? `it is ${type}, not audio` : 'it is not audio' };
  const { issues } = v.safeParse(Chunk, item, { abortEarly: true });
  return issues && { reason: issueText(issues[0]) };
}

/**
 * Joins chunks into a draft. Its id comes from the earliest chunk, so the id stays when a later export
 * has more chunks. If a file begins in the middle of a conversation, the id differs.
 */
function toDraft(found: readonly Chunk[]): Draft {
  const once = new Map(found.map((chunk) => [JSON.stringify(chunk), chunk]));
  const chunks = [...once.values()].toSorted(
    (a, b) => a.start - b.start || Number(a.id) - Number(b.id) || a.offset - b.offset,
  );
  const began = chunks[0]?.start ?? 0;
  return {
    id: `screenpipe-${chunks[0]?.id}`,
    started_at: chunks[0]?.start,
    ended_at: chunks.reduce((latest, { end }) => Math.max(latest, end), Number.NEGATIVE_INFINITY),
    transcript: toTranscript(
      chunks.map(({ speaker, text, start, end, hasEnd }) => ({
        speaker,
        text,
        start: (start - began) / 1000,
        end: hasEnd ? (end - began) / 1000 : undefined,
      })),
    ),
    details: { tags: chunks.flatMap(({ tags }) => tags) },
  };
}
