// Omi: conversations, as its API, its integrations and its exports give them.

import * as v from 'valibot';

import type { ItemFormat } from './format.ts';
import { firstOf, listOf } from './prose.ts';
import { anyId, isThere, maybe, maybeList, maybeSeconds, maybeText, maybeTime } from './shapes.ts';
import { labelOf, toTranscript, type Segment } from './turns.ts';

const Spoken = v.object({
  text: maybeText,
  speaker_name: maybeText,
  speaker: maybeText,
  speaker_id: maybe(v.number()),
  is_user: maybe(v.boolean()),
  end: maybeSeconds,
});

const ActionItem = v.object({ description: maybeText, deleted: maybe(v.boolean()) });

const Conversation = v.object({
  id: anyId,
  started_at: maybeTime,
  finished_at: maybeTime,
  structured: maybe(
    v.object({ title: maybeText, overview: maybeText, action_items: maybeList(ActionItem) }),
  ),
  transcript_segments: maybe(v.array(Spoken)),
  // Anything that an integration brought; of those that made a conversation of a text, that text.
  external_data: v.fallback(maybe(v.object({ text: maybeText })), null),
  status: maybeText,
  discarded: maybe(v.boolean()),
  is_locked: maybe(v.boolean()),
});

const IN_WORK: ReadonlySet<unknown> = new Set(['in_progress', 'processing', 'merging']);

/** Omi. When a record was made, `created_at`, is not when its conversation began, and is not taken for it. */
export const omi: ItemFormat = {
  name: 'omi',
  product: 'Omi conversations',
  inside: ['conversations', 'conversation', 'memory'],
  fits: (item) => 'transcript_segments' in item || ('structured' in item && 'created_at' in item),
  item: v.pipe(
    Conversation,
    v.check(
      ({ discarded, transcript_segments }) => discarded === true || isThere(transcript_segments),
      'it has no transcript_segments; export it with include_transcript=true',
    ),
    v.check(
      ({ discarded, is_locked, transcript_segments }) =>
        discarded === true || is_locked !== true || transcript_segments?.length !== 0,
      'Omi has locked it, and gives none of its words; unlock it there, and export it again',
    ),
    v.transform(({ discarded, ...conversation }) =>
      discarded === true ? { passed_over: 'Omi has discarded it' } : toDraft(conversation),
    ),
  ),
};

function toDraft(conversation: Omit<v.InferOutput<typeof Conversation>, 'discarded'>) {
  const { id, started_at, finished_at, structured, external_data, status } = conversation;
  const segments = conversation.transcript_segments ?? [];
  const items = structured?.action_items.filter(({ deleted }) => deleted !== true);
  return {
    id,
    name: structured?.title,
    started_at,
    ended_at: finished_at,
    // Seconds since the start: where nothing else tells the end, it went on as long as this.
    duration_seconds: finished_at
      ? undefined
      : segments.reduce((last, { end }) => Math.max(last, end ?? 0), 0),
    is_processing: IN_WORK.has(status),
    quick_summary: structured?.overview,
    key_takeaways: listOf(items?.map(({ description }) => description)),
    transcript: toTranscript(segments.map(toSegment)) || firstOf(external_data?.text),
  };
}

function toSegment({ text, speaker_name, is_user, speaker, speaker_id }: SpokenWords): Segment {
  // Who wore the device may have no name; that it was them is known.
  const user = is_user === true ? 'User' : '';
  return { text, speaker: firstOf(speaker_name, user, speaker, labelOf(speaker_id)) };
}

type SpokenWords = v.InferOutput<typeof Spoken>;
