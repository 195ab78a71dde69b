// What speech recognisers have in common: words with offsets, but neither an id nor a date.

import type { FileDraft } from '../format.ts';
import { lastOffset, type Utterance } from '../time/offsets.ts';
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
