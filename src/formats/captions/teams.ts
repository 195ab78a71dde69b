// Reads Microsoft Teams transcripts with metadata: the text of each cue is JSON.

import * as v from 'valibot';

import { maybeText, maybeTime } from '../field-schemas.ts';
import type { FileInfo, Draft } from '../format.ts';
import { toTranscript, type Segment } from '../turns/turns.ts';
import { captionDuration, describeFile, thenRelease } from './captions.ts';
import type { Cue, Cues } from './cue-store.ts';

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

/** Whether the first cue contains JSON. */
export function isTeamsMetadata(first: Cue | undefined): boolean {
  return v.is(Spoken, first?.lines.join('\n'));
}

/** Converts cues with JSON to a draft. Their clock times override the file's start time. Releases the cues. */
export function readTeamsMetadata(
  cues: Cues,
  about: FileInfo,
): Draft | { readonly reason: string } {
  let count = 0;
  let first: v.InferOutput<typeof Spoken> | undefined;
  let last: typeof first;
  let isBroken = false;
  const duration = captionDuration(cues);
  const transcript = toTranscript(thenRelease(segments(), cues));
  if (isBroken) return { reason: `its cue ${count} is not JSON, or breaks off` };
  const started_at = first?.startDateTime ?? about.started_at;
  const ended_at = last?.endDateTime;
  return {
    ...describeFile({ ...about, started_at }),
    started_at,
    ended_at,
    duration_seconds: ended_at ? undefined : duration,
    transcript,
  };

  /** Yields what was said, up to a cue that cannot be read. */
  function* segments(): Generator<Segment> {
    for (const { lines } of cues) {
      count++;
      const { success, output } = v.safeParse(Spoken, lines.join('\n'));
      isBroken = !success;
      if (!success) return;
      first ??= output;
      last = output;
      yield { speaker: output.speakerName, text: output.spokenText };
    }
  }
}
