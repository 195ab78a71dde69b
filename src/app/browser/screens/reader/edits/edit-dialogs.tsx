// Puts a memory right: its name and start, and who a speaker is.

import { useState } from 'preact/hooks';

import type { Memory } from '../../../../../contract/schemas/memory.ts';
import { isSpeakerLabel } from '../../../../../text/speaker.ts';
import { Question } from '../../../parts/controls/dialog.tsx';
import { LabelInput, Radios, Select } from '../../../parts/controls/fields.tsx';
import { nameOf, personOf } from '../../../parts/title.ts';
import { putRight } from '../../../state/changes/put-right.ts';
import { StartInput } from './start-input.tsx';

interface EditProps {
  readonly memory: Memory;
  /** Called after the edit, and after its undo. */
  readonly onChange: () => void;
  readonly onClose: () => void;
}

/** Asks for another name. */
export function RenameDialog({ memory, onChange, onClose }: EditProps) {
  const [name, setName] = useState(memory.name);
  const save = async () => {
    if (name !== memory.name)
      await putRight({ memory_id: memory.id, name }, { said: 'Memory changed.', onChange });
  };
  return (
    <Question title="Rename" action="Save" onAction={save} onClose={onClose}>
      <LabelInput label="Name" value={name} onValue={setName} />
    </Question>
  );
}

/** Asks for another start. */
export function StartDialog({ memory, onChange, onClose }: EditProps) {
  const { id: memory_id, started_at: before } = memory;
  const [started_at, setStart] = useState(before);
  const save = async () => {
    if (started_at !== before)
      await putRight({ memory_id, started_at }, { said: 'Memory changed.', onChange });
  };
  return (
    <Question title="Change the start" action="Save" onAction={save} onClose={onClose}>
      <StartInput start={before} onStart={setStart} />
    </Question>
  );
}

const WHERE = { here: 'In this memory', everywhere: 'Everywhere' } as const;

interface SpeakerProps extends EditProps {
  readonly speakers: readonly string[];
}

/** Asks who a speaker is, here or in all memories. */
export function SpeakerDialog({ memory, speakers, onChange, onClose }: SpeakerProps) {
  const [from = '', setFrom] = useState(speakers.find(isSpeakerLabel) ?? speakers[0]);
  const [name, setName] = useState('');
  const [where, setWhere] = useState<keyof typeof WHERE>('here');
  const save = async () => {
    const edit = { speakers: [{ from, to: nameOf(name) }] };
    if (where === 'here')
      await putRight({ memory_id: memory.id, ...edit }, { said: 'Speaker named.', onChange });
    else await putRight(edit, { said: 'Speaker named everywhere.', onChange });
  };
  return (
    <Question title="Name a speaker" action="Save" onAction={save} onClose={onClose}>
      <Select
        label="Speaker"
        options={Object.fromEntries(speakers.map((each) => [each, personOf(each)]))}
        value={from}
        onValue={setFrom}
      />
      <LabelInput label="Name" maxLength={60} value={name} onValue={setName} />
      <Radios label="Where" options={WHERE} value={where} onValue={setWhere} />
      {where === 'everywhere' && (
        <p class="note">
          In all memories, and in those that you import later. “Speaker 1” is often somebody else in
          another memory.
        </p>
      )}
    </Question>
  );
}
