// The dialogs about keys: a new key, and the successor of a key.

import { useState } from 'preact/hooks';

import { addDays } from '../../../dates.ts';
import { newestKey, type KeyRecord } from '../../../parts/api-keys.ts';
import { Question } from '../../../parts/controls/dialog.tsx';
import { TextInput, LabelInput, Radios, Select } from '../../../parts/controls/fields.tsx';
import { Notice } from '../../../parts/notice.tsx';
import { EVERYTHING, ScopeChoice, startOf, toScope } from '../../../parts/scope.tsx';
import { app } from '../../../state/session.ts';
import { today } from '../../../time-formats.ts';

const DAY_MS = 86_400_000;

/** When a key ends: in some days, or otherwise. */
const EXPIRIES = {
  '30': 'in 30 days',
  '90': 'in 90 days',
  '365': 'in a year',
  date: 'on a date',
  never: 'never',
} as const;

/** How many seconds an old key goes on working. */
const GRACES = {
  '0': 'at once',
  '3600': 'in 1 hour',
  '86400': 'in 1 day',
  '604800': 'in 7 days',
} as const;

interface ClosableProps {
  readonly onClose: () => void;
}

/** Asks for a label, an expiry and a scope, creates the key, and shows it once. */
export function NewKeyDialog({ onClose }: ClosableProps) {
  const [label, setLabel] = useState('');
  const [expiry, setExpiry] = useState<keyof typeof EXPIRIES>('90');
  const [date, setDate] = useState('');
  const [scope, setScope] = useState(EVERYTHING);
  if (newestKey.value !== undefined) return null;
  const create = async () => {
    const expires_at = endOf(expiry, date);
    const made = await app.keys.create({ label: label.trim(), expires_at, ...toScope(scope) });
    newestKey.value = { made, onClose };
    return false; // it is shown
  };
  return (
    <Question title="New key" action="Create key" onAction={create} onClose={onClose}>
      <LabelInput
        label="Label"
        hint="The program that uses it, such as “laptop backup”."
        value={label}
        onValue={setLabel}
      />
      <Select label="Expires" options={EXPIRIES} value={expiry} onValue={setExpiry} />
      {expiry === 'date' && (
        <TextInput
          label="Last day"
          type="date"
          required
          min={today()}
          max="9998-12-31"
          value={date}
          onValue={setDate}
        />
      )}
      {expiry === 'never' && (
        <Notice>
          A key that never expires works until you revoke it. If it leaks, you may never notice.
        </Notice>
      )}
      <ScopeChoice scope={scope} onChange={setScope} />
    </Question>
  );
}

/** The end of a key: in some days, or at the end of a day in the reader's time zone. */
function endOf(expiry: keyof typeof EXPIRIES, date: string): string | null {
  if (expiry === 'never') return null;
  if (expiry === 'date') return startOf(addDays(date, 1));
  return new Date(Date.now() + Number(expiry) * DAY_MS).toISOString();
}

interface OldKeyProps extends ClosableProps {
  readonly old: KeyRecord;
}

/** Asks how long the old key still works, and shows its successor once. */
export function RotateDialog({ old, onClose }: OldKeyProps) {
  const [grace, setGrace] = useState<keyof typeof GRACES>('86400');
  if (newestKey.value !== undefined) return null;
  const rotate = async () => {
    const made = await app.keys.rotate({ id: old.id, grace: Number(grace) });
    newestKey.value = { made, onClose };
    return false; // it is shown
  };
  return (
    <Question title={`Rotate “${old.label}”`} action="Rotate" onAction={rotate} onClose={onClose}>
      <p>You get a new key that reads the same. The old key can keep working for a while.</p>
      <Radios label="The old key ends" options={GRACES} value={grace} onValue={setGrace} />
    </Question>
  );
}
