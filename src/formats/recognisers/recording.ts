// What speech recognisers have in common: words with offsets, but neither an id nor a date.

import { describeFile, NO_START } from '../captions/captions.ts';
import type { FileDraft, FileInfo, TextResult } from '../format.ts';
import { lastOffset, type Utterance } from '../time/offsets.ts';
import { hasTime, type MaybeTime } from '../time/product-time.ts';
import { toTranscript } from '../turns/turns.ts';

/**
 * Converts utterances in their order to a draft that takes its id and start from its file. Without a
 * duration, the recording ends with its last word.
 */
export function toFileDraft(
  utterances: readonly Utterance[],
  { duration, ...draft }: Partial<FileDraft> & { readonly duration?: number | null | undefined },
): FileDraft {
  return {
    ...draft,
    duration_seconds: duration ?? lastOffset(utterances),
    transcript: toTranscript(utterances),
  };
}

const ONE_A_FILE =
  'it has no id and no start time of its own, so only the first one in a file is read; put each into a file of its own';

/** Returns whether a result leaves its id and its start to its file. */
export function isFileDraft(got: TextResult | FileDraft): got is FileDraft {
  return 'transcript' in got && got.id === undefined;
}

/** Gives a draft the id, the name and the start of its file. Only one draft of a file can have them. */
export function withFile(
  draft: FileDraft,
  { name, started_at }: Pick<FileInfo, 'name'> & { readonly started_at?: MaybeTime },
  isTaken: boolean,
) {
  if (isTaken) return { reason: ONE_A_FILE };
  if (!hasTime(started_at)) return { reason: NO_START };
  const file = describeFile({ name, started_at });
  return { ...draft, ...file, name: draft.name || file.name, started_at };
}
