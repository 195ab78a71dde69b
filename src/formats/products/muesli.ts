// The Muesli format: meetings as its program muesli-cli prints them.

import * as v from 'valibot';

import { anyId, maybeSeconds, maybeText, maybeTime } from '../field-schemas.ts';
import type { ItemFormat } from '../format.ts';
import { bulletsIn, firstText, joinParagraphs } from '../markdown-input.ts';
import { timedSegments } from '../text/timed-text.ts';
import { toTranscript } from '../turns/turns.ts';

const Meeting = v.object({
  id: anyId,
  title: maybeText,
  startTime: maybeTime,
  durationSeconds: maybeSeconds,
  rawTranscript: maybeText,
  formattedNotes: maybeText,
  manualNotes: maybeText,
  status: maybeText,
});

const NO_TRANSCRIPT =
  'it has no transcript in what muesli-cli prints; save what "muesli-cli meetings get" prints';

/** Muesli. Written from the JSON contract in its README. `You` is the microphone, and `Others` the computer's sound. */
export const muesli: ItemFormat = {
  name: 'muesli',
  product: 'Muesli meetings from muesli-cli',
  paths: ['data'],
  matches: (item) => 'startTime' in item && 'durationSeconds' in item && 'notesState' in item,
  item: v.pipe(
    Meeting,
    v.transform(({ id, title, startTime, durationSeconds, rawTranscript, status, ...notes }) => ({
      id,
      name: title,
      started_at: startTime,
      duration_seconds: durationSeconds,
      is_processing: status === 'recording' || status === 'processing',
      quick_summary: joinParagraphs(notes.formattedNotes, notes.manualNotes),
      key_takeaways: bulletsIn(firstText(notes.formattedNotes, notes.manualNotes)),
      transcript: toTranscript(timedSegments(rawTranscript ?? '')),
      lacks: rawTranscript?.trim() ? undefined : NO_TRANSCRIPT,
    })),
  ),
};
