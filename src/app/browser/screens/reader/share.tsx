// Share a link: a page for others with the marked lines or the whole memory, which ends by itself.

import { useState } from 'preact/hooks';

import type { Memory } from '../../../../contract/schemas/memory.ts';
import { CopyText } from '../../parts/controls/copy.tsx';
import { Dialog, DoneButton, Question } from '../../parts/controls/dialog.tsx';
import { LabelInput, Select } from '../../parts/controls/fields.tsx';
import { Link } from '../../parts/link.tsx';
import { Notice } from '../../parts/notice.tsx';
import { GATEWAY, isOnThisMachine } from '../../state/base.ts';
import { app, me } from '../../state/session.ts';
import { whenOf } from './keep/when-of.ts';
import { rangeText, type ShownLines } from './lines.ts';

const DAYS = { 1: 'tomorrow', 7: 'in 7 days', 30: 'in 30 days', 90: 'in 90 days' } as const;

interface ShareProps {
  readonly memory: Memory;
  readonly marked: ShownLines | undefined;
  /** Saves the same as a file, which opens anywhere. */
  readonly onFile: () => void;
  readonly onClose: () => void;
}

/** Asks how long a link lives, and shows it once. */
export function ShareDialog({ memory, marked, onFile, onClose }: ShareProps) {
  const [days, setDays] = useState<string>('7');
  const [from, setFrom] = useState(me.value?.account.name ?? '');
  const [address, setAddress] = useState<string>();
  const reach = isOnThisMachine() && (
    <Notice>
      It works only on this computer.{' '}
      <button type="button" class="plain" onClick={onFile}>
        Save as one file instead
      </button>
    </Notice>
  );
  const create = async () => {
    const range = marked && { first_line: marked.first, last_line: marked.last };
    const chosen = {
      memory_id: memory.id,
      ...range,
      days: Number(days),
      from,
      when: whenOf(memory),
    };
    const { secret } = await app.shares.create(chosen);
    setAddress(new URL(`${GATEWAY}/s/${secret}`, location.href).href);
    return false; // the link is shown
  };
  if (address !== undefined)
    return (
      <Dialog title="Share a link" onClose={onClose}>
        <CopyText label="Link" text={address} isLong class="primary" />
        {reach}
        <p>
          Anybody who has it can read it until it ends. It is shown only now.{' '}
          <Link to="settings/shares">All links</Link>
        </p>
        <DoneButton onDone={onClose} />
      </Dialog>
    );
  return (
    <Question title="Share a link" action="Create the link" onAction={create} onClose={onClose}>
      <p>
        {marked === undefined
          ? 'The link shows the summary and all lines of this memory, as they are now.'
          : `${rangeText(marked)}: the link shows nothing else, and shows it as it is now.`}
      </p>
      {reach}
      <LabelInput label="From, as the page says" value={from} onValue={setFrom} />
      <Select label="It ends" options={DAYS} value={days as '7'} onValue={setDays} />
    </Question>
  );
}
