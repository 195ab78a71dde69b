// The Pocket format: recordings from its API and its webhook.

import * as v from 'valibot';

import type { DraftActionItem } from '../details.ts';
import {
  anyId,
  detail,
  detailList,
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
import { firstText, joinParagraphs, listItems } from '../markdown-input.ts';
import { toSecondsByWords } from '../time/offsets.ts';
import { asUtc } from '../time/product-time.ts';
import { lineSegments, speakerLabel, toTranscript } from '../turns/turns.ts';

const Speaker = maybe(
  v.union([
    v.pipe(
      v.union([v.string(), v.number()]),
      v.transform((label) => speakerLabel(label)),
    ),
    v.pipe(
      v.object({ name: maybeText }),
      v.transform(({ name }) => name),
    ),
  ]),
);

const Spoken = v.pipe(
  v.object({
    speaker: Speaker,
    speakerName: maybeText,
    text: maybeText,
    start: detail(v.number()),
    end: detail(v.number()),
  }),
  v.transform(({ speaker, speakerName, ...said }) => ({
    ...said,
    speaker: firstText(speakerName, speaker),
  })),
);

const Text = v.pipe(v.string(), v.transform(lineSegments));

const Whole = v.pipe(
  v.object({ text: v.optional(v.nullable(Text)), segments: maybeList(Spoken) }),
  v.transform(({ text, segments }) => (segments.length > 0 ? segments : (text ?? []))),
);

/** A text, an array, or an object with one of them. */
const Transcript = v.lazy((input) => {
  if (typeof input === 'string') return Text;
  return Array.isArray(input) ? v.array(Spoken) : Whole;
});

const Recording = v.object({
  id: anyId,
  title: maybeText,
  recordingAt: maybeTime,
  recording_at: maybeTime,
  createdAt: maybeTime,
  created_at: maybeTime,
  duration: maybeSeconds,
  transcript: maybe(Transcript),
  summarizations: v.optional(v.unknown()),
  // Its properties are read as if they were beside it.
  recording: v.optional(v.unknown()),
  language: detailText,
  tags: detailList(v.object({ name: detailText })),
});

const NO_TRANSCRIPT =
  'it has no transcript; save each recording by itself, which gives it whole: a list leaves it out';

/** Pocket. Its API gives the recording with its words in it or beside it, and names in two spellings. */
export const pocket: ItemFormat = {
  name: 'pocket',
  product: 'Pocket recordings',
  paths: ['data'],
  matches: (item) => isNested(item) || isRecording(item),
  item: v.pipe(
    v.unknown(),
    v.transform((item) =>
      isJsonObject(item) && isNested(item) && isJsonObject(item['recording'])
        ? { ...item, ...item['recording'] }
        : item,
    ),
    Recording,
    v.transform(({ id, title, duration, transcript, summarizations, language, tags, ...times }) => {
      const notes = collectNotes(summarizations, { summaries: [], actions: [] });
      return {
        id,
        name: title,
        started_at: asUtc(
          times.recordingAt ?? times.recording_at ?? times.createdAt ?? times.created_at,
        ),
        duration_seconds: duration,
        quick_summary: joinParagraphs(...notes.summaries),
        key_takeaways: [...new Set(listItems(notes.actions.map(({ text }) => text)))],
        transcript: toTranscript(toSecondsByWords(transcript ?? [])),
        lacks: isPresent(transcript) ? undefined : NO_TRANSCRIPT,
        details: { language, tags: tags.map(({ name }) => name), action_items: notes.actions },
      };
    }),
  ),
};

/** Whether an item has the recording in a property, and perhaps its words beside it. */
function isNested({ recording, ...item }: JsonObject): boolean {
  if (!isJsonObject(recording) || !('id' in recording)) return false;
  return ['summarizations', 'transcript'].some((name) => name in item) || isRecording(recording);
}

function isRecording(item: JsonObject): boolean {
  const isDated = ['recordingAt', 'recording_at', 'createdAt'].some((name) => name in item);
  return (
    'id' in item && ('summarizations' in item || (isDated && 'duration' in item && 'title' in item))
  );
}

interface Notes {
  readonly summaries: string[];
  readonly actions: DraftActionItem[];
}

/** The lists of action items in summaries. */
const ACTIONS: ReadonlySet<string> = new Set(['actions', 'actionItems', 'action_items', 'items']);

const Action = v.union([
  v.pipe(
    v.string(),
    v.transform((text): DraftActionItem => ({ text })),
  ),
  v.pipe(
    v.object({
      title: maybeText,
      label: maybeText,
      assignee: detailText,
      dueDate: detail(maybeTime),
      isCompleted: detail(v.boolean()),
    }),
    v.transform(({ title, label, assignee, dueDate, isCompleted }): DraftActionItem => {
      const text = firstText(title, label);
      return { text, owner: assignee, due: dueDate, done: isCompleted };
    }),
  ),
]);

/** A mind map repeats the summary in pieces. */
const REPEATS = /mind_?map/i;

const MAX_DEPTH = 5;

/**
 * Collects the summaries and action items of a recording. They are at any of several depths: by version,
 * as in `v2_action_items.actions`, or by the id of a summary, as in `a1.v2.summary.markdown`.
 */
function collectNotes(value: unknown, notes: Notes, depth = 0): Notes {
  if (!isJsonObject(value) || depth > MAX_DEPTH) return notes;
  const own = [value['markdown'], value['summary']].find((each) => typeof each === 'string');
  if (typeof own === 'string') notes.summaries.push(own);
  for (const [name, child] of Object.entries(value)) {
    if (Array.isArray(child) && ACTIONS.has(name)) {
      for (const each of child) {
        const { success, output } = v.safeParse(Action, each);
        if (success) notes.actions.push(output);
      }
    } else if (!REPEATS.test(name)) collectNotes(child, notes, depth + 1);
  }
  return notes;
}
