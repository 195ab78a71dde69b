// The Hyprnote format, also of Char and Anarlog: the folder of a session with its words and notes, or its export.

import * as v from 'valibot';

import { anyId, detailList, isPresent, maybe, maybeText, maybeTime } from '../field-schemas.ts';
import type { ItemFormat, JoinRule, JsonObject, TextFormat } from '../format.ts';
import { shortId } from '../id.ts';
import { isJsonObject } from '../json/unwrap.ts';
import { bulletsIn, firstText } from '../markdown-input.ts';
import { secondsBetween, sortByTime, toInstant, type MaybeTime } from '../time/product-time.ts';
import { toTranscript } from '../turns/turns.ts';
import { SpeakerHints, speechOf, Words } from './hyprnote-words.ts';

const Meta = v.object({
  id: anyId,
  title: maybeText,
  created_at: maybeTime,
  tags: detailList(v.string()),
  event: v.fallback(maybe(v.object({ started_at: maybeTime })), null),
});

/** One recording of a session, as its files have it. */
export const Recording = v.object({
  session_id: maybe(anyId),
  started_at: maybeTime,
  words: Words,
  speaker_hints: SpeakerHints,
});
/** One recording of a session. */
export type Recording = v.InferOutput<typeof Recording>;

const Recordings = v.object({ transcripts: v.array(Recording) });

const Notes = v.object({ text: v.string() });

const Joined = v.object({
  meta: v.optional(Meta),
  transcript: v.optional(Recordings),
  memo: v.optional(Notes),
  summary: v.optional(Notes),
});

const rule: JoinRule = {
  format: 'hyprnote',
  join: (id, parts) => {
    const { meta, transcript, memo, summary } = v.parse(Joined, parts);
    if (!transcript) return { skipped: 'a session of Hyprnote without a transcript' };
    if (!meta)
      return {
        reason: `the _meta.json of its session ${shortId(id)} is not in this import; give the whole folder`,
      };
    return {
      id,
      name: meta.title,
      ...spokenIn(transcript.transcripts, meta.event?.started_at ?? meta.created_at),
      quick_summary: firstText(summary?.text, memo?.text),
      key_takeaways: bulletsIn(firstText(summary?.text, memo?.text)),
      details: { tags: meta.tags },
    };
  },
};

/** Returns what is said in the recordings of a session, and when. */
export function spokenIn(
  found: readonly Recording[],
  otherStart: MaybeTime,
  names?: ReadonlyMap<string, string>,
) {
  const recordings = sortByTime(found, ({ started_at }) => started_at);
  const spans = recordings.flatMap(spanOf);
  const [first] = spans.toSorted((a, b) => a.start - b.start);
  const [last] = spans.toSorted((a, b) => b.end - a.end);
  return {
    started_at: first?.start ?? otherStart,
    ended_at: last?.end,
    transcript: toTranscript(
      recordings.flatMap(({ started_at, words, speaker_hints }) =>
        speechOf(words, speaker_hints, names).map(({ start, end, ...said }) => {
          const began = secondsBetween(first?.start, started_at);
          return { ...said, start: later(began, start), end: later(began, end) };
        }),
      ),
    ),
  };
}

/** Hyprnote. The files of a session name it, so they can be in any folder. */
export const hyprnote: ItemFormat = {
  name: 'hyprnote',
  rule,
  product: 'Hyprnote, Char and Anarlog session folders',
  paths: [],
  matches: (item) => isMeta(item) || isTranscript(item),
  item: v.lazy((item) => (isJsonObject(item) && isTranscript(item) ? TranscriptPart : MetaPart)),
};

const MetaPart = v.pipe(
  Meta,
  v.transform((value) => ({ rule, parts: [{ id: value.id, role: 'meta', value }] })),
);

const TranscriptPart = v.pipe(
  Recordings,
  v.transform((value) => {
    const id = value.transcripts[0]?.session_id ?? '';
    return { rule, parts: [{ id, role: 'transcript', value }] };
  }),
);

/** The notes of a session: those that people write, and the summary. */
const NOTES = /(?:^|\/)_(memo|summary)\.md$/i;

const FRONT_MATTER = /^---\r?\n(?<fields>(?:[^\r\n]*\r?\n){1,50}?)---\r?\n(?<text>[^]*)$/;
const SESSION = /^session_id:\s*["']?(?<id>[^\s"']{1,200})["']?\s*$/m;

/** The notes of a Hyprnote session, in Markdown. */
export const hyprnoteNotes: TextFormat = {
  name: 'hyprnote',
  product: hyprnote.product,
  matches: (_, name) => NOTES.test(name),
  read: (text, { name }) => {
    const { fields = '', text: body = '' } = FRONT_MATTER.exec(text)?.groups ?? {};
    const id = SESSION.exec(fields)?.groups?.['id'];
    if (id === undefined) return { skipped: 'notes of no session' };
    const role = NOTES.exec(name)?.[1]?.toLowerCase() ?? 'summary';
    return { rule, parts: [{ id, role, value: { text: body.trim() } }] };
  },
};

/** Returns whether a file has the name of notes in a Hyprnote session. */
export function isHyprnoteNotes(name: string): boolean {
  return NOTES.test(name);
}

function isMeta(item: JsonObject): boolean {
  return ['id', 'user_id', 'created_at', 'participants'].every((name) => name in item);
}

function isTranscript({ transcripts }: JsonObject): boolean {
  const first: unknown = Array.isArray(transcripts) ? transcripts[0] : undefined;
  return isJsonObject(first) && 'words' in first && 'session_id' in first;
}

function later(began: number | undefined, seconds: number | null | undefined) {
  return began === undefined || !isPresent(seconds) ? undefined : began + seconds;
}

/** Returns the start of a recording, and the end of its last word, in milliseconds. */
function spanOf({ started_at, words }: Recording) {
  const start = toInstant(started_at);
  if (start === undefined) return [];
  const last = words.reduce((most, { end_ms }) => Math.max(most, end_ms ?? 0), 0);
  return [{ start, end: start + last }];
}
