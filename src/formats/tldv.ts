// tl;dv: meetings of its API, with their transcript and notes put into them.

import * as v from 'valibot';

import type { Item, ItemFormat } from './format.ts';
import { bulletsOf, firstOf, listOf } from './prose.ts';
import {
  anyId,
  isThere,
  maybe,
  maybeList,
  maybeSeconds,
  maybeText,
  maybeTime,
  textOr,
} from './shapes.ts';
import { toTranscript } from './turns.ts';

const Lines = v.array(v.object({ speaker: maybeText, text: maybeText }));

const Wrapped = v.object({ data: Lines });

const Notes = v.object({
  markdownContent: maybeText,
  structuredNotes: maybeList(v.object({ text: maybeText })),
  topics: maybeList(v.object({ summary: maybeText })),
});

const Meeting = v.object({
  id: anyId,
  name: maybeText,
  happenedAt: maybeTime,
  duration: maybeSeconds,
  transcript: maybe(v.lazy((input) => (Array.isArray(input) ? Lines : Wrapped))),
  notes: maybe(textOr(Notes)),
});

const ALONE =
  'it is what belongs to a meeting, without the meeting, which tells its time; put it into the meeting as its "transcript" or "notes"';
const NO_TRANSCRIPT =
  'it has no transcript; put what the API gives as that of the meeting into it as its "transcript"';

/** tl;dv. Its API gives a meeting, its transcript and its notes apart; an export of it keeps them as one. */
export const tldv: ItemFormat = {
  name: 'tldv',
  product: 'tl;dv meetings',
  inside: ['results', 'data'],
  fits: (item) => 'happenedAt' in item || isAlone(item),
  item: v.pipe(
    v.looseObject({}),
    v.check((item) => !isAlone(item), ALONE),
    Meeting,
    v.check(({ transcript }) => isThere(transcript), NO_TRANSCRIPT),
    v.transform(({ id, name, happenedAt, duration, transcript, notes }) => ({
      id,
      name,
      started_at: happenedAt,
      duration_seconds: duration,
      ...(typeof notes === 'string' ? readNotes({ markdownContent: notes }) : readNotes(notes)),
      transcript: toTranscript((Array.isArray(transcript) ? transcript : transcript?.data) ?? []),
    })),
  ),
};

function isAlone(item: Item): boolean {
  const belongs = ['data', 'markdownContent', 'structuredNotes'].some((name) => name in item);
  return belongs && 'meetingId' in item && !('happenedAt' in item);
}

function readNotes(notes: Partial<v.InferOutput<typeof Notes>> | null | undefined) {
  const { markdownContent, structuredNotes = [], topics = [] } = notes ?? {};
  const points = listOf(structuredNotes.map(({ text }) => text));
  return {
    quick_summary: firstOf(
      markdownContent,
      listOf(topics.map(({ summary }) => summary)).join('\n'),
    ),
    key_takeaways: points.length > 0 ? points : bulletsOf(markdownContent),
  };
}
