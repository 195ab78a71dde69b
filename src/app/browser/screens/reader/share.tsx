// Share a link: a page for others with the marked lines or the whole memory, which ends by itself.

import { useState } from 'preact/hooks';

import type { Memory } from '../../../../contract/schemas/memory.ts';
import { languageOf } from '../../format.ts';
import { CopyText } from '../../parts/controls/copy.tsx';
import { Dialog, DoneButton, Question } from '../../parts/controls/dialog.tsx';
import { LabelInput, Select } from '../../parts/controls/fields.tsx';
import { Link } from '../../parts/link.tsx';
import { GATEWAY, isOnThisMachine } from '../../state/base.ts';
import { app, me } from '../../state/session.ts';
import { formats } from '../../time-formats.ts';
import { whenOf } from './keep/when-of.ts';
import { rangeText, type ShownLines } from './lines.ts';

const DAY_MS = 86_400_000;

/** How many days a link works, with its last one. */
function daysFrom(now: number): Readonly<Record<string, string>> {
  const words = { 1: 'tomorrow', 7: 'in 7 days', 30: 'in 30 days', 90: 'in 90 days' };
  return Object.fromEntries(
    Object.entries(words).map(([days, text]) => [days, `${text}, ${endOf(days, now)}`]),
  );
}

function endOf(days: string, now: number): string {
  return formats.value.date(new Date(now + Number(days) * DAY_MS).toISOString());
}

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
  const [isLink, setLink] = useState(!isOnThisMachine());
  const [now] = useState(Date.now);
  const create = async () => {
    const range = marked && { first_line: marked.first, last_line: marked.last };
    const chosen = {
      memory_id: memory.id,
      ...range,
      days: Number(days),
      from,
      when: whenOf(memory),
      language:
        languageOf(navigator.languages) === 'en-US' ? ('en-US' as const) : ('en-GB' as const),
    };
    const { secret } = await app.shares.create(chosen);
    setAddress(new URL(`${GATEWAY}/s/${secret}`, location.href).href);
    return false; // the link is shown
  };
  if (address !== undefined)
    return (
      <Dialog title="Share a link" onClose={onClose}>
        <CopyText label="Link" text={address} isLong class="primary" />
        <p>
          Anybody with this link can read the page until {endOf(days, now)}. Copy it now, because it
          is not shown again. <Link to="settings/shares">All links</Link>
        </p>
        <DoneButton onDone={onClose} />
      </Dialog>
    );
  const shown =
    marked === undefined
      ? 'the summary and all lines of this memory, as they are now.'
      : `${rangeText(marked)} and nothing else, as they are now.`;
  if (!isLink)
    return (
      <Dialog title="Share a link" onClose={onClose}>
        <p>
          A link works only on this computer, until your gateway has{' '}
          <Link to="settings/phone">an address for others</Link>. A file opens anywhere. It shows{' '}
          {shown}
        </p>
        <p class="actions">
          <button
            type="button"
            class="primary"
            onClick={() => {
              onFile();
              onClose();
            }}
          >
            Save as one file
          </button>
          <button type="button" onClick={() => setLink(true)}>
            Make a link
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </p>
      </Dialog>
    );
  return (
    <Question title="Share a link" action="Create the link" onAction={create} onClose={onClose}>
      <p>The link shows {shown}</p>
      <LabelInput label="From" hint="The page shows it." value={from} onValue={setFrom} />
      <Select label="Until" options={daysFrom(now)} value={days} onValue={setDays} />
    </Question>
  );
}
