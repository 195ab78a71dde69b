// The WebVTT format: transcripts of Zoom, Teams and Google Meet, and captions of other programs.

import * as v from 'valibot';

import { detailText, maybeText, maybeTime } from '../field-schemas.ts';
import type { Draft, FileInfo, TextFormat } from '../format.ts';
import { secondsBetween } from '../time/product-time.ts';
import { type Segment, toTranscript } from '../turns/turns.ts';
import {
  captionDuration,
  captionsToDraft,
  describeFile,
  firstCue,
  readCaptions,
  thenRelease,
} from './captions.ts';
import type { Cue, Cues } from './cue-store.ts';

/** WebVTT. */
export const vtt: TextFormat = {
  name: 'vtt',
  product: 'WebVTT of Zoom, Teams, Google Meet and others',
  matches: (head) => /^WEBVTT(?:\s|$)/i.test(head),
  readLines: (about) =>
    readCaptions(about, (cues) =>
      isTeamsMetadata(firstCue(cues))
        ? readTeamsMetadata(cues, about)
        : captionsToDraft(cues, about),
    ),
};

const Spoken = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    startDateTime: maybeTime,
    endDateTime: maybeTime,
    spokenLanguage: detailText,
    speakerName: maybeText,
    spokenText: v.string(),
  }),
);

/** Whether the first cue contains JSON. */
function isTeamsMetadata(first: Cue | undefined): boolean {
  return v.is(Spoken, first?.lines.join('\n'));
}

/** Converts cues with JSON to a draft. Their clock times override the file's start time. Releases the cues. */
function readTeamsMetadata(cues: Cues, about: FileInfo): Draft | { readonly reason: string } {
  let count = 0;
  let first: v.InferOutput<typeof Spoken> | undefined;
  let last: typeof first;
  let isBroken = false;
  const duration = captionDuration(cues);
  const languages = new Set<string>();
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
    details: { product: 'teams', language: languages.size === 1 ? [...languages][0] : undefined },
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
      if (output.spokenLanguage) languages.add(output.spokenLanguage);
      yield {
        speaker: output.speakerName,
        text: output.spokenText,
        start: secondsBetween(first.startDateTime, output.startDateTime),
        end: secondsBetween(first.startDateTime, output.endDateTime),
      };
    }
  }
}
