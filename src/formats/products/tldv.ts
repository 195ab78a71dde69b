// The tl;dv format: meetings, transcripts and notes from its API, each in an answer of its own.

import * as v from 'valibot';

import {
  anyId,
  detail,
  detailList,
  detailPerson,
  detailText,
  isPresent,
  maybe,
  maybeList,
  maybeSeconds,
  maybeText,
  maybeTime,
  textOr,
} from '../field-schemas.ts';
import type { ItemFormat, JoinRule, JsonObject } from '../format.ts';
import { isJsonObject } from '../json/unwrap.ts';
import { bulletsIn, firstText, listItems } from '../markdown-input.ts';
import { missingOwner, missingTranscript } from '../missing-parts.ts';
import { toTranscript } from '../turns/turns.ts';

const Lines = v.array(
  v.object({
    speaker: maybeText,
    text: maybeText,
    startTime: detail(v.number()),
    endTime: detail(v.number()),
  }),
);

const Wrapped = v.object({ data: Lines });

const Transcript = v.lazy((input) => (Array.isArray(input) ? Lines : Wrapped));

const Notes = v.object({
  markdownContent: maybeText,
  structuredNotes: maybeList(
    v.object({ text: maybeText, topicId: detailText, timestamp: detail(v.number()) }),
  ),
  topics: maybeList(v.object({ id: detailText, title: detailText, summary: maybeText })),
});

/** The notes of older meetings. */
const Highlights = v.object({
  data: v.array(
    v.object({
      text: maybeText,
      topic: maybe(v.object({ title: detailText, summary: maybeText })),
    }),
  ),
});

const AnyNotes = textOr(
  v.lazy((input) => (isJsonObject(input) && isPresent(input['data']) ? Highlights : Notes)),
);

const Meeting = v.object({
  id: anyId,
  name: maybeText,
  happenedAt: maybeTime,
  duration: maybeSeconds,
  url: detailText,
  organizer: detail(detailPerson),
  invitees: detailList(detailPerson),
  transcript: maybe(Transcript),
  notes: maybe(AnyNotes),
});

const Joined = v.object({
  meeting: v.optional(Meeting),
  transcript: v.optional(Transcript),
  notes: v.optional(AnyNotes),
  highlights: v.optional(AnyNotes),
});

const rule: JoinRule = {
  format: 'tldv',
  join: (id, parts) => {
    const { meeting, ...found } = v.parse(Joined, parts);
    if (!meeting) return { reason: missingOwner('meeting', id) };
    const transcript = found.transcript ?? meeting.transcript ?? undefined;
    const notes = found.notes ?? found.highlights ?? meeting.notes;
    const lines = Array.isArray(transcript) ? transcript : (transcript?.data ?? []);
    return {
      id,
      name: meeting.name,
      started_at: meeting.happenedAt,
      duration_seconds: meeting.duration,
      ...readNotes(notes),
      transcript: toTranscript(
        lines.map(({ startTime: start, endTime: end, ...said }) => ({ ...said, start, end })),
      ),
      lacks: transcript ? undefined : missingTranscript('the meeting ', id),
      details: {
        url: meeting.url,
        people: [
          ...meeting.invitees,
          ...(meeting.organizer ? [{ ...meeting.organizer, role: 'organiser' as const }] : []),
        ],
        chapters: chaptersIn(notes),
      },
    };
  },
};

/** tl;dv. Its export tools put the fields of the meeting into transcripts and notes, as `_meeting_metadata`. */
export const tldv: ItemFormat = {
  name: 'tldv',
  rule,
  product: 'tl;dv meetings, transcripts and notes',
  paths: ['results', 'data'],
  matches: (item) => 'happenedAt' in item || belongsToMeeting(item),
  item: v.lazy((item) => {
    if (!isJsonObject(item) || 'happenedAt' in item) return WholeMeeting;
    if (!Array.isArray(item['data'])) return NotesOnly;
    return isHighlights(item) ? HighlightsOnly : TranscriptOnly;
  }),
};

const WholeMeeting = v.pipe(
  Meeting,
  v.transform((meeting) => ({
    rule,
    parts: [{ id: meeting.id, role: 'meeting', value: meeting }],
  })),
);

const Belonging = v.object({ meetingId: maybe(anyId), _meeting_metadata: maybe(Meeting) });

/** Creates the schema of an answer about a meeting, which can have the meeting in it. */
function belonging<T extends typeof Notes | typeof Highlights | typeof Wrapped>(
  role: string,
  schema: T,
) {
  return v.pipe(
    v.intersect([Belonging, schema]),
    v.transform(({ meetingId, _meeting_metadata: meeting, ...value }) => {
      const id = meeting?.id || meetingId || '';
      const part = { id, role, value };
      return {
        rule,
        parts: meeting?.happenedAt ? [part, { id, role: 'meeting', value: meeting }] : [part],
      };
    }),
  );
}

const NotesOnly = belonging('notes', Notes);
const HighlightsOnly = belonging('highlights', Highlights);
const TranscriptOnly = belonging('transcript', Wrapped);

function belongsToMeeting(item: JsonObject): boolean {
  const belongs = ['data', 'markdownContent', 'structuredNotes'].some((name) => name in item);
  return belongs && ('meetingId' in item || isJsonObject(item['_meeting_metadata']));
}

/** Whether the data of an answer are highlights. Those of a transcript have an id. */
function isHighlights({ data, id }: JsonObject): boolean {
  const [first] = Array.isArray(data) ? (data as unknown[]) : [];
  if (!isJsonObject(first)) return id === undefined;
  return !('speaker' in first) && ['source', 'topic'].some((name) => name in first);
}

function readNotes(notes: v.InferOutput<typeof AnyNotes> | null | undefined) {
  const { markdown, summaries, points } = partsOfNotes(notes);
  const items = listItems(points);
  return {
    quick_summary: firstText(markdown, [...new Set(listItems(summaries))].join('\n')),
    key_takeaways: items.length > 0 ? items : bulletsIn(markdown),
  };
}

/** Returns the topics as chapters. Each begins with the first of its notes. */
function chaptersIn(notes: v.InferOutput<typeof AnyNotes> | null | undefined) {
  if (!notes || typeof notes === 'string') return [];
  if ('data' in notes)
    return [...new Set(notes.data.map(({ topic }) => topic?.title))].map((title) => ({ title }));
  return notes.topics.map(({ id, title }) => {
    const own = notes.structuredNotes.filter(({ topicId }) => isPresent(id) && topicId === id);
    return { title, start: own.flatMap(({ timestamp }) => timestamp ?? []).toSorted(byNumber)[0] };
  });
}

function byNumber(a: number, b: number): number {
  return a - b;
}

function partsOfNotes(notes: v.InferOutput<typeof AnyNotes> | null | undefined) {
  if (typeof notes === 'string') return { markdown: notes };
  if (notes && 'data' in notes)
    return {
      summaries: notes.data.map(({ topic }) => topic?.summary),
      points: notes.data.map(({ text }) => text),
    };
  return {
    markdown: notes?.markdownContent,
    summaries: notes?.topics.map(({ summary }) => summary),
    points: notes?.structuredNotes.map(({ text }) => text),
  };
}
