// Speakers with their part of the words, in the margin and in the list of all of them.

import { hueClass, type Hues } from '../../../../../text/hues.ts';
import { percentOf } from '../../../../../text/percent.ts';
import type { Share } from '../../../../../text/shares.ts';
import { personOf } from '../../../parts/title.ts';
import type { ReaderState } from '../reader-state.ts';

interface SpeakersProps {
  readonly hues: Hues;
  readonly state: ReaderState;
  readonly onPick?: () => void;
}

/** Returns the item of a speaker. A click shows only the turns of one, another click all turns. */
export function itemBy({ hues, state: { only }, onPick }: SpeakersProps) {
  return ({ speaker = '', share }: Share) => (
    <li key={speaker} class={hueClass(hues, speaker)}>
      <button
        type="button"
        class="person"
        aria-pressed={only.value === speaker}
        onClick={() => {
          only.value = only.value === speaker ? undefined : speaker;
          onPick?.();
        }}
      >
        <bdi title={speaker}>{personOf(speaker)}</bdi> <span>{percentOf(share)}</span>
      </button>
    </li>
  );
}
