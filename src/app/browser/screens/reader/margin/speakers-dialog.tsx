// The list of all speakers of a transcript, where there are more than the margin names.

import { useMemo, useState } from 'preact/hooks';

import { hueClass, type Hues } from '../../../../../text/hues.ts';
import { percentOf } from '../../../../../text/percent.ts';
import { sharesOf, type Share } from '../../../../../text/shares.ts';
import type { TranscriptLine } from '../../../../../text/turns.ts';
import { Dialog, DoneButton } from '../../../parts/controls/dialog.tsx';
import { TextInput } from '../../../parts/controls/fields.tsx';
import { personOf } from '../../../parts/title.ts';
import type { ReaderState } from '../reader-state.ts';

interface SpeakersProps {
  readonly hues: Hues;
  readonly state: ReaderState;
}

interface SpeakerItemsProps extends SpeakersProps {
  readonly shares: readonly Share[];
  readonly onPick?: () => void;
}

/** Speakers with their part of the words. A click shows only the turns of one, another click all turns. */
export function SpeakerItems({ shares, hues, state, onPick }: SpeakerItemsProps) {
  const { only } = state;
  return shares.map(({ speaker = '', share }) => (
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
  ));
}

/** The most speakers that are listed together: a part of the name finds the others. */
const MOST = 500;

interface SpeakersDialogProps extends SpeakersProps {
  readonly lines: readonly TranscriptLine[];
  readonly onClose: () => void;
}

/** All speakers, those with the most words first. It closes when one is chosen, by Enter the first. */
export function SpeakersDialog({ lines, hues, state, onClose }: SpeakersDialogProps) {
  const [typed, setTyped] = useState('');
  const all = useMemo(() => sharesOf(lines, Infinity), [lines]);
  const found = all.filter(({ speaker = '' }) =>
    personOf(speaker).toLowerCase().includes(typed.trim().toLowerCase()),
  );
  const pick = (event: Event) => {
    event.preventDefault();
    const [first] = found;
    if (first === undefined) return;
    state.only.value = first.speaker;
    onClose();
  };
  return (
    <Dialog title="Speakers" onClose={onClose}>
      <form onSubmit={pick}>
        <TextInput label="Find a speaker" value={typed} onValue={setTyped} />
      </form>
      <ul class="shares">
        <SpeakerItems shares={found.slice(0, MOST)} {...{ hues, state }} onPick={onClose} />
      </ul>
      <DoneButton onDone={onClose} />
    </Dialog>
  );
}
