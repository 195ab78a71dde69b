// Shares a memory: a page for others with the marked lines or the whole memory, which ends by itself.

import { useState } from 'preact/hooks';

import type { Memory } from '../../../../contract/schemas/memory.ts';
import { languageOf } from '../../format.ts';
import { useAction } from '../../parts/controls/action.ts';
import { CopyText } from '../../parts/controls/copy.tsx';
import { Dialog, useSecretEnd } from '../../parts/controls/dialog.tsx';
import { LabelInput, Radios, Select } from '../../parts/controls/fields.tsx';
import { Link } from '../../parts/link.tsx';
import { FailureNotice, Notice } from '../../parts/notice.tsx';
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
  readonly onFile: (chosen: ShownLines | undefined) => void;
  readonly onClose: () => void;
}

/** Asks what a link shows and how long it lives, and shows it once. */
export function ShareDialog({ memory, marked, onFile, onClose }: ShareProps) {
  const [what, setWhat] = useState<'lines' | 'all'>(marked ? 'lines' : 'all');
  const [days, setDays] = useState<string>('7');
  const [from, setFrom] = useState(me.value?.account.name ?? '');
  const [address, setAddress] = useState<string>();
  const [now] = useState(Date.now);
  const creating = useAction();
  const [isCopied, setCopied] = useState(false);
  const [close, end] = useSecretEnd('link', address === undefined || isCopied, onClose);
  const chosen = what === 'lines' ? marked : undefined;
  const create = () =>
    creating.run(async () => {
      const { secret } = await app.shares.create({
        memory_id: memory.id,
        ...(chosen && { first_line: chosen.first, last_line: chosen.last }),
        characters: memory.transcript.length,
        days: Number(days),
        from,
        when: whenOf(memory),
        language: languageOf(navigator.languages) === 'en-US' ? 'en-US' : 'en-GB',
      });
      setAddress(new URL(`${GATEWAY}/s/${secret}`, location.href).href);
    });
  const all = `the whole memory${memory.summary.quick_summary && ', with its summary and action items'}`;
  const isHere = isOnThisMachine();
  const [isLink, setLink] = useState(!isHere);
  const submit = (event: Event) => {
    event.preventDefault();
    if (isLink) void create();
    else {
      onFile(chosen);
      onClose();
    }
  };
  return (
    <Dialog title="Share" onClose={close}>
      {address === undefined ? (
        <form onSubmit={submit}>
          {marked === undefined ? (
            <p>The page shows {all}. To share some lines, select them first.</p>
          ) : (
            <Radios
              label="The page shows"
              options={{ lines: `${rangeText(marked).toLowerCase()} and nothing else`, all }}
              value={what}
              onValue={setWhat}
            />
          )}
          {isLink && (
            <>
              <LabelInput
                label="From"
                hint="Shown at the top of the page."
                value={from}
                onValue={setFrom}
              />
              <Select label="Until" options={daysFrom(now)} value={days} onValue={setDays} />
            </>
          )}
          {isHere && (
            <Notice>
              A link works only on this computer, until this gateway has{' '}
              <Link to="settings/phone">an address for others</Link>. A file opens anywhere.
            </Notice>
          )}
          <FailureNotice failure={creating.failure} />
          <p class="actions">
            {/* Not in the name, which the first key would replace. */}
            <button class="primary" autofocus disabled={creating.isBusy}>
              {isLink ? 'Create link' : 'Save as one file'}
            </button>
            {!isLink && (
              <button
                type="button"
                onClick={({ currentTarget: { form } }) => {
                  setLink(true);
                  form?.querySelector('button')?.focus();
                }}
              >
                Make a link
              </button>
            )}
            <button type="button" onClick={onClose}>
              Cancel
            </button>
          </p>
        </form>
      ) : (
        <>
          <CopyText
            label="Link"
            text={address}
            isLong
            class="primary"
            onCopied={() => setCopied(true)}
          />
          <p>
            Copy it now: the link is not shown again.{' '}
            {isHere ? 'It opens only on this computer' : 'Anybody who has it can read the page'},
            until {endOf(days, now)}.{' '}
            <a href={address} target="_blank" rel="noreferrer">
              See the page
            </a>
          </p>
          {end}
        </>
      )}
    </Dialog>
  );
}
