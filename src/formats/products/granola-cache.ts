// The Granola cache format: the file in which older versions of the desktop app keep all notes.

import * as v from 'valibot';

import {
  anyId,
  detailList,
  detailPerson,
  maybe,
  maybeText,
  maybeTime,
  orJsonText,
} from '../field-schemas.ts';
import type { ItemFormat, JoinRule } from '../format.ts';
import { shortId } from '../id.ts';
import { isJsonObject } from '../json/unwrap.ts';
import { bulletsIn, firstText } from '../markdown-input.ts';
import { secondsBetween, sortByTime, timeSpan } from '../time/product-time.ts';
import { toTranscript } from '../turns/turns.ts';

const Note = v.object({
  id: maybe(anyId),
  title: maybeText,
  people: v.fallback(
    maybe(
      v.object({
        creator: maybe(v.object({ name: maybeText, email: maybeText })),
        attendees: detailList(detailPerson),
      }),
    ),
    null,
  ),
  summary: v.fallback(maybeText, null),
  notes_markdown: maybeText,
  deleted_at: maybeTime,
});

const Said = v.object({
  document_id: maybe(anyId),
  start_timestamp: maybeTime,
  end_timestamp: maybeTime,
  text: maybeText,
  source: maybeText,
  is_final: maybe(v.boolean()),
});

const Transcript = v.object({ said: v.array(Said) });

const State = v.object({
  state: v.object({
    documents: v.record(v.string(), Note),
    transcripts: v.record(v.string(), v.array(Said)),
  }),
});

const Joined = v.object({ note: v.optional(Note), transcript: v.optional(Transcript) });

const rule: JoinRule = {
  format: 'granola-cache',
  join: (id, parts) => {
    const { note, transcript } = v.parse(Joined, parts);
    if (!note) return { reason: `its note ${shortId(id)} is not in the cache` };
    if (note.deleted_at) return { skipped: 'a note that is deleted in Granola' };
    // What is not final is said again.
    const said = (transcript?.said ?? []).filter(({ is_final }) => is_final !== false);
    if (said.length === 0) return { skipped: 'a note of Granola without a transcript' };
    const times = timeSpan(
      said.flatMap(({ start_timestamp, end_timestamp }) => [start_timestamp, end_timestamp]),
    );
    const owner = firstText(note.people?.creator?.name, 'User');
    return {
      id: note.id ?? id,
      name: note.title,
      started_at: times.first,
      ended_at: times.last,
      quick_summary: firstText(note.summary, note.notes_markdown),
      key_takeaways: bulletsIn(firstText(note.summary, note.notes_markdown)),
      transcript: toTranscript(
        sortByTime(said, ({ start_timestamp }) => start_timestamp).map(
          ({ source, text, ...at }) => ({
            text,
            start: secondsBetween(times.first, at.start_timestamp),
            end: secondsBetween(times.first, at.end_timestamp),
            // The microphone hears the owner; the computer plays everyone else.
            speaker: source === 'microphone' ? owner : 'Speaker',
          }),
        ),
      ),
      details: { people: [...(note.people?.attendees ?? []), note.people?.creator ?? {}] },
    };
  },
};

/** Granola's cache. Newer versions encrypt it. Its ids are not those of the API. */
export const granolaCache: ItemFormat = {
  name: 'granola-cache',
  rule,
  product: 'Granola cache of older desktop apps',
  paths: [],
  matches: ({ cache }) =>
    typeof cache === 'string'
      ? /^\s*\{"/.test(cache) && cache.includes('"transcripts"')
      : isJsonObject(cache) && isJsonObject(cache['state']) && 'transcripts' in cache['state'],
  item: v.pipe(
    v.object({ cache: orJsonText(State) }),
    v.transform(({ cache: { state } }) => ({
      rule,
      parts: [
        ...Object.entries(state.documents).map(([key, note]) => {
          const id = note.id ?? key;
          return { id: joinId(id), role: 'note', value: { ...note, id } };
        }),
        ...Map.groupBy(
          Object.entries(state.transcripts),
          ([key, said]) => said.find((each) => each.document_id)?.document_id ?? key,
        )
          .entries()
          .map(([id, all]) => ({
            id: joinId(id),
            role: 'transcript',
            value: { said: all.flatMap(([, said]) => said) },
          })),
      ],
    })),
  ),
};

/** Returns an id as notes and transcripts share it. The key of a transcript can lack the dashes of its note. */
function joinId(id: string | number): string {
  return String(id).toLowerCase().replaceAll('-', '');
}
