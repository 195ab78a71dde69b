// Teams: transcripts with metadata, where the text of each cue is JSON.

import * as v from 'valibot';

import { durationOf, namedBy } from './captions.ts';
import type { Cue } from './cues.ts';
import type { About, Draft } from './format.ts';
import { maybeText, maybeTime } from './shapes.ts';
import { toTranscript } from './turns.ts';

const Spoken = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    startDateTime: maybeTime,
    endDateTime: maybeTime,
    speakerName: maybeText,
    spokenText: v.string(),
  }),
);

/** Tells cues of JSON by the first. */
export function isMetadata([first]: readonly Cue[]): boolean {
  return v.is(Spoken, first?.lines.join('\n'));
}

/** Makes a draft of cues of JSON; their times are those of the clock, and win over the file's. */
export function fromMetadata(
  cues: readonly Cue[],
  about: About,
): Draft | { readonly reason: string } {
  const read = cues.map(({ lines }) => v.safeParse(Spoken, lines.join('\n')));
  const broken = read.findIndex(({ success }) => !success);
  if (broken !== -1) return { reason: `its cue ${broken + 1} is not JSON, or breaks off` };
  const spoken = read.flatMap(({ success, output }) => (success ? [output] : []));
  const started_at = spoken[0]?.startDateTime ?? about.started_at;
  const ended_at = spoken.at(-1)?.endDateTime;
  return {
    ...namedBy({ ...about, started_at }),
    started_at,
    ended_at,
    duration_seconds: ended_at ? undefined : durationOf(cues),
    transcript: toTranscript(
      spoken.map(({ speakerName, spokenText }) => ({ speaker: speakerName, text: spokenText })),
    ),
  };
}
