// Captions: a recording of which there are cues, and what its file's name tells of it.

import type { Cue } from './cues.ts';
import type { About, Draft } from './format.ts';
import { toFileId } from './id.ts';
import { unrolled } from './rolling.ts';
import { speechOf } from './speech.ts';
import { toTranscript } from './turns.ts';

/** Makes a draft of cues, or says why there is none. */
export function toDraft(cues: readonly Cue[], about: About): Draft | { readonly reason: string } {
  if (about.started_at === undefined || about.started_at === null || about.started_at === '')
    return { reason: 'it has no start time; give --started-at' };
  if (cues.length === 0) return { reason: 'it has no cues' };
  return {
    ...namedBy(about),
    started_at: about.started_at,
    duration_seconds: durationOf(cues),
    transcript: toTranscript(speechOf(unrolled(cues))),
  };
}

/** The id and the name that a file gives; one from standard input is told by when it began. */
export function namedBy({ name, started_at }: About) {
  const base = name.slice(name.lastIndexOf('/') + 1);
  return {
    id: toFileId(name || String(started_at)),
    name: base.replace(/(?:\.(?:transcript|cc))?\.(?:vtt|srt|txt)$/i, '').trim(),
  };
}

/**
 * How long a recording is: from 0, where it begins, to the last end of a cue. What was said before,
 * at a negative time, stands in the transcript and moves nothing.
 */
export function durationOf(cues: readonly Cue[]): number {
  return cues.reduce((most, { start, end }) => Math.max(most, start, end), 0);
}
