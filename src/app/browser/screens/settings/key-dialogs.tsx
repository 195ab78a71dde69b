// The dialogs about keys: a new key, the successor of a key, and its end.

import { useId, useState } from 'preact/hooks';

import { addDays } from '../../dates.ts';
import { useAction } from '../../parts/action.ts';
import { Dialog, Question } from '../../parts/dialog.tsx';
import { lastUseOf, newestKey, type KeyRecord } from '../../parts/keys.ts';
import { LabelField } from '../../parts/label-field.tsx';
import { FailureNotice, Notice } from '../../parts/notice.tsx';
import { EVERYTHING, ScopeChoice, startOf, toScope } from '../../parts/scope.tsx';
import { app } from '../../state/session.ts';
import { COMMON, KEY, ACCESS } from '../../texts.ts';

const DAY_MS = 86_400_000;
type Expiry = keyof typeof KEY.choices;

interface ClosableProps {
  readonly onClose: () => void;
}

/** Asks for a label, an expiry and a scope, creates the key, and shows it once. */
export function NewKeyDialog({ onClose }: ClosableProps) {
  const [label, setLabel] = useState('');
  const [expiry, setExpiry] = useState<Expiry>('90');
  const [date, setDate] = useState('');
  const [scope, setScope] = useState(EVERYTHING);
  const creating = useAction();
  const ids = { expires: useId(), date: useId() };
  if (newestKey.value !== undefined) return null;
  const create = (event: Event) => {
    event.preventDefault();
    void creating.run(async () => {
      const made = await app.keys.create({
        label: label.trim(),
        expires_at: endOf(expiry, date),
        ...toScope(scope),
      });
      newestKey.value = { made, onClose };
    });
  };
  return (
    <Dialog title={KEY.title} onClose={onClose}>
      <form onSubmit={create}>
        <LabelField name={KEY.label} hint={KEY.labelHint} value={label} onInput={setLabel} />
        <p class="field">
          <label for={ids.expires}>{KEY.expires}</label>
          <select
            id={ids.expires}
            value={expiry}
            onChange={(event) => setExpiry(event.currentTarget.value as Expiry)}
          >
            {Object.entries(KEY.choices).map(([value, text]) => (
              <option key={value} value={value} selected={value === expiry}>
                {text}
              </option>
            ))}
          </select>
        </p>
        {expiry === 'date' && (
          <p class="field">
            <label for={ids.date}>{KEY.date}</label>
            <input
              id={ids.date}
              type="date"
              required
              min={dateAfter(0)}
              max="9998-12-31"
              value={date}
              onInput={(event) => setDate(event.currentTarget.value)}
            />
          </p>
        )}
        {expiry === 'never' && <Notice>{KEY.neverWarning}</Notice>}
        <ScopeChoice scope={scope} onChange={setScope} />
        <FailureNotice failure={creating.failure} />
        <p class="actions">
          <button class="primary" disabled={creating.isBusy}>
            {KEY.create}
          </button>
          <button type="button" onClick={onClose}>
            {COMMON.cancel}
          </button>
        </p>
      </form>
    </Dialog>
  );
}

/** The end of a key: in some days, or at the end of a day in the reader's time zone. */
function endOf(expiry: Expiry, date: string): string | null {
  if (expiry === 'never') return null;
  if (expiry === 'date') return startOf(addDays(date, 1));
  return new Date(Date.now() + Number(expiry) * DAY_MS).toISOString();
}

function dateAfter(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
}

interface OldKeyProps extends ClosableProps {
  readonly old: KeyRecord;
}

/** Asks how long the old key still works, and shows its successor once. */
export function RotateDialog({ old, onClose }: OldKeyProps) {
  const [grace, setGrace] = useState('86400');
  const rotating = useAction();
  const name = useId();
  if (newestKey.value !== undefined) return null;
  const rotate = () =>
    rotating.run(async () => {
      const made = await app.keys.rotate({ id: old.id, grace: Number(grace) });
      newestKey.value = { made, onClose };
    });
  return (
    <Question
      title={KEY.rotateTitle(old.label)}
      action={ACCESS.rotate}
      isBusy={rotating.isBusy}
      onAction={rotate}
      onClose={onClose}
    >
      <p>{KEY.rotateHint}</p>
      <fieldset class="choices">
        <legend>{KEY.grace}</legend>
        {Object.entries(KEY.graces).map(([seconds, text]) => (
          <label key={seconds}>
            <input
              type="radio"
              name={name}
              checked={grace === seconds}
              onChange={() => setGrace(seconds)}
            />
            {text}
          </label>
        ))}
      </fieldset>
      <FailureNotice failure={rotating.failure} />
    </Question>
  );
}

/** Says when the key was last used, and revokes it. */
export function RevokeDialog({ old, onClose }: OldKeyProps) {
  const revoking = useAction();
  const revoke = () =>
    revoking.run(async () => {
      await app.keys.revoke({ id: old.id });
      onClose();
    });
  return (
    <Question
      title={KEY.revokeTitle(old.label)}
      action={ACCESS.revoke}
      isDangerous
      isBusy={revoking.isBusy}
      onAction={revoke}
      onClose={onClose}
    >
      <p>{KEY.revokeHint}</p>
      <p>
        <code>mem_…{old.last_four}</code>
        {' · '}
        {KEY.lastUse(lastUseOf(old))}
      </p>
      <FailureNotice failure={revoking.failure} />
    </Question>
  );
}
