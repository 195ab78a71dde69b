// The Omi format: conversations from its API, its integrations and its exports.

import * as v from 'valibot';

import {
  anyId,
  detail,
  detailText,
  isPresent,
  maybe,
  maybeList,
  maybeSeconds,
  maybeText,
  maybeTime,
} from '../field-schemas.ts';
import type { ItemFormat, JsonObject } from '../format.ts';
import { isJsonObject } from '../json/unwrap.ts';
import { firstText, listItems } from '../markdown-input.ts';
import { speakerLabel, toTranscript, type Segment } from '../turns/turns.ts';

const Spoken = v.object({
  text: maybeText,
  speaker_name: maybeText,
  speaker: maybeText,
  speaker_id: maybe(v.number()),
  is_user: maybe(v.boolean()),
  start: detail(v.number()),
  end: maybeSeconds,
});

const ActionItem = v.object({
  description: maybeText,
  deleted: maybe(v.boolean()),
  completed: detail(v.boolean()),
  due_at: detail(maybeTime),
});

const Conversation = v.object({
  id: anyId,
  created_at: maybeTime,
  started_at: maybeTime,
  finished_at: maybeTime,
  structured: maybe(
    v.object({
      title: maybeText,
      overview: maybeText,
      category: detailText,
      action_items: maybeList(ActionItem),
    }),
  ),
  transcript_segments: maybe(v.array(Spoken)),
  // Any data of an integration. If it made the conversation from a text, it has that text.
  external_data: v.fallback(maybe(v.object({ text: maybeText })), null),
  status: maybeText,
  discarded: maybe(v.boolean()),
  is_locked: maybe(v.boolean()),
  language: detailText,
  folder_name: detailText,
  starred: detail(v.boolean()),
});

const Recorded = v.pipe(
  Conversation,
  v.transform(({ discarded, ...conversation }) =>
    discarded === true ? { skipped: 'Omi has discarded it' } : toDraft(conversation),
  ),
);

const Fact = skip('a fact that Omi remembers');
const ChatMessage = skip('a message of a chat with Omi');

function skip(skipped: string) {
  return v.pipe(
    v.looseObject({}),
    v.transform(() => ({ skipped })),
  );
}

/** Whether an item is a conversation. Omi's export has facts and chats beside them, which are no recordings. */
function isConversation(item: JsonObject): boolean {
  return 'transcript_segments' in item || ('structured' in item && 'created_at' in item);
}

function isFact(item: JsonObject): boolean {
  return 'content' in item && 'category' in item && 'created_at' in item;
}

function isChatMessage(item: JsonObject): boolean {
  return 'sender' in item && 'text' in item && 'created_at' in item;
}

const UNFINISHED: ReadonlySet<unknown> = new Set(['in_progress', 'processing', 'merging']);

/** Omi. `created_at` is when the record was made. It is used only if nothing says when the conversation began. */
export const omi: ItemFormat = {
  name: 'omi',
  product: 'Omi conversations',
  paths: ['conversations', 'conversation', 'memory'],
  matches: (item) => isConversation(item) || isFact(item) || isChatMessage(item),
  item: v.lazy((item) => {
    if (!isJsonObject(item) || isConversation(item)) return Recorded;
    if (isFact(item)) return Fact;
    return isChatMessage(item) ? ChatMessage : Recorded;
  }),
};

function toDraft(conversation: Conversing) {
  const { id, created_at, started_at, finished_at, structured, external_data, status } =
    conversation;
  const segments = conversation.transcript_segments ?? [];
  const items = structured?.action_items.filter(({ deleted }) => deleted !== true);
  return {
    id,
    name: structured?.title,
    started_at: started_at || created_at,
    ended_at: finished_at,
    // Segments count seconds from the start. They give the duration if there is no end time.
    duration_seconds: finished_at
      ? undefined
      : segments.reduce((last, { end }) => Math.max(last, end ?? 0), 0),
    is_processing: UNFINISHED.has(status),
    quick_summary: structured?.overview,
    key_takeaways: listItems(items?.map(({ description }) => description)),
    transcript: toTranscript(segments.map(toSegment), { orText: external_data?.text?.trim() }),
    lacks: lackOf(conversation),
    details: {
      language: conversation.language,
      folders: [conversation.folder_name],
      tags: [structured?.category],
      isStarred: conversation.starred,
      action_items: items?.map(({ description, completed, due_at }) => ({
        text: description,
        done: completed,
        due: due_at,
      })),
    },
  };
}

function lackOf({ transcript_segments, is_locked }: Conversing): string | undefined {
  if (!isPresent(transcript_segments))
    return 'it has no transcript_segments; export it with include_transcript=true';
  return is_locked === true && transcript_segments.length === 0
    ? 'Omi has locked it, and gives none of its words; unlock it there, and export it again'
    : undefined;
}

function toSegment(spoken: SpokenWords): Segment {
  const { text, speaker_name, is_user, speaker, speaker_id, start, end } = spoken;
  // The device's owner can be without a name, but is marked as the user.
  const user = is_user === true ? 'User' : '';
  const name = firstText(speaker_name, user, speaker, speakerLabel(speaker_id));
  return { text, speaker: name, start, end };
}

type SpokenWords = v.InferOutput<typeof Spoken>;
type Conversing = Omit<v.InferOutput<typeof Conversation>, 'discarded'>;
