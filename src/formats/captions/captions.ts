// Converts cues to a draft, with the id and name from the file's name.

import type { FileInfo, Draft, LineReader } from '../format.ts';
import { toFileId } from '../id.ts';
import { stripMarkup } from '../markup.ts';
import { hasTime } from '../time/product-time.ts';
import { withoutTime } from '../time/written-time.ts';
import { areWords, joinWords } from '../turns/pieces.ts';
import { toTranscript, type Segment } from '../turns/turns.ts';
import type { Cue, Cues } from './cue-store.ts';
import { createCueReader, hasArrow } from './cues.ts';
import { removeRepeats } from './repeats.ts';
import { readSpeech } from './speech.ts';

/** The reason to reject a recording of a pipe, which has neither a name nor a date. */
export const NO_START = 'it has no start time; give --started-at';

type DraftOrReason = Draft | { readonly reason: string };

/** Creates a reader of captions, which gives its cues to `toDraft`. */
export function readCaptions(
  about: FileInfo,
  toDraft: (cues: Cues, about: FileInfo) => DraftOrReason = captionsToDraft,
): LineReader {
  const { add, end } = createCueReader();
  let isHead = true;
  let language: string | undefined;
  return {
    add(line) {
      if (isHead) {
        isHead = !hasArrow(line);
        language ??= LANGUAGE.exec(line)?.[1];
      }
      add(line);
    },
    end() {
      const draft = toDraft(end(), about);
      return 'reason' in draft ? draft : { ...draft, details: { language, ...draft.details } };
    },
  };
}

/** A line in the header of captions, as YouTube writes it: `Language: en`. */
const LANGUAGE = /^Language:\s*([A-Za-z]{2,8}(?:-[A-Za-z\d]{1,8})*)\s*$/;

/** Converts cues to a draft, or returns the reason why it cannot. Releases the cues. */
export function captionsToDraft(cues: Cues, about: FileInfo): DraftOrReason {
  if (!hasTime(about.started_at)) return { reason: NO_START };
  if (firstCue(cues) === undefined)
    return { reason: 'it has no cues; export it again if somebody spoke' };
  const duration_seconds = captionDuration(cues);
  const shown = removeRepeats(cues);
  const spoken = readSpeech(shown);
  return {
    ...describeFile(about),
    started_at: about.started_at,
    duration_seconds,
    transcript: toTranscript(thenRelease(isWordByWord(shown) ? joinWords(spoken) : spoken, cues)),
  };
}

/** Whether each cue has one word. */
function isWordByWord(cues: Iterable<Cue>): boolean {
  return areWords({
    *[Symbol.iterator]() {
      for (const { lines } of cues) yield stripMarkup(lines.join(' '));
    },
  });
}

/** Yields all segments, then releases the cues: the transcript of a long file is about as large. */
export function* thenRelease(segments: Iterable<Segment>, cues: Cues): Generator<Segment> {
  yield* segments;
  cues.release();
}

/** The id and the name from a file's name without its folders. The id of standard input comes from its start time. */
export function describeFile({ name, started_at }: FileInfo) {
  const base = name.slice(name.lastIndexOf('/') + 1);
  return {
    id: toFileId(base || String(started_at)),
    has_file_id: true,
    // The memory has its time: in its name it would be twice.
    name: withoutTime(
      base
        .replace(
          // With a language, as YouTube and others name captions.
          /(?:\.(?:transcript|cc|[a-z]{2}(?:-[A-Z]{2}|-orig)?))?\.(?:vtt|srt|sbv|txt|md|docx|csv|tsv|lrc|json3?|jsonl|ndjson|dote)$/i,
          '',
        )
        .trim(),
    ),
  };
}

/** Returns the first cue. */
export function firstCue(cues: Iterable<Cue>): Cue | undefined {
  const [first] = cues;
  return first;
}

/**
 * The duration of a recording in seconds: from 0 to the end of the last cue. Cues at negative times
 * are in the transcript and do not change the duration.
 */
export function captionDuration(cues: Iterable<Cue>): number {
  let most = 0;
  for (const { start, end } of cues) most = Math.max(most, start, end);
  return most;
}
