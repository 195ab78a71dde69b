// The part of Settings → Devices about the password: whether there is one, setting and removing it.

import { useId, useState } from 'preact/hooks';

import { useAction } from '../../parts/action.ts';
import { Question } from '../../parts/dialog.tsx';
import { FailureNotice } from '../../parts/notice.tsx';
import { app, loadMe, me } from '../../state/session.ts';
import { FACTORS } from '../../texts.ts';

interface PasswordProps {
  readonly canChange: boolean;
  /** Called after a change, which is in the log. */
  readonly onChange: () => void;
}

/** Whether a password is set, and the buttons to change it. */
export function PasswordPart({ canChange, onChange }: PasswordProps) {
  const [open, setOpen] = useState<'set' | 'remove'>();
  const isSet = me.value?.has_password === true;
  const canWrite = me.value?.can_write === true;
  const close = () => {
    setOpen(undefined);
    onChange();
    void loadMe();
  };
  return (
    <section>
      <div class="heading">
        <h2>{FACTORS.password}</h2>
        <button type="button" disabled={!canChange} onClick={() => setOpen('set')}>
          {isSet ? FACTORS.change : FACTORS.set}
        </button>
        {isSet && (
          <button type="button" disabled={!canWrite} onClick={() => setOpen('remove')}>
            {FACTORS.removePassword}
          </button>
        )}
      </div>
      <p class="note">{FACTORS.passwordHint}</p>
      <p>{isSet ? FACTORS.passwordSet : FACTORS.passwordNone}</p>
      {open === 'set' && <SetDialog onClose={close} />}
      {open === 'remove' && <RemoveDialog onClose={close} />}
    </section>
  );
}

interface DialogProps {
  readonly onClose: () => void;
}

function SetDialog({ onClose }: DialogProps) {
  const [password, setPassword] = useState('');
  const setting = useAction();
  const ids = { password: useId(), hint: useId() };
  const set = () =>
    setting.run(async () => {
      await app.password.set({ password });
      onClose();
    });
  return (
    <Question
      title={FACTORS.set}
      action={FACTORS.set}
      isBusy={setting.isBusy}
      onAction={set}
      onClose={onClose}
    >
      {/* Password managers want to know whose password it is. */}
      <input
        type="text"
        hidden
        readOnly
        autocomplete="username"
        value={me.value?.account.name ?? ''}
      />
      <p class="field">
        <label for={ids.password}>{FACTORS.newPassword}</label>
        <input
          id={ids.password}
          type="password"
          required
          minLength={15}
          maxLength={1024}
          autocomplete="new-password"
          aria-describedby={ids.hint}
          value={password}
          onInput={(event) => setPassword(event.currentTarget.value)}
        />
        <span class="note" id={ids.hint}>
          {FACTORS.rule}
        </span>
      </p>
      <FailureNotice failure={setting.failure} />
    </Question>
  );
}

function RemoveDialog({ onClose }: DialogProps) {
  const removing = useAction();
  const remove = () =>
    removing.run(async () => {
      await app.password.remove();
      onClose();
    });
  return (
    <Question
      title={FACTORS.removePassword}
      action={FACTORS.removePassword}
      isDangerous
      isBusy={removing.isBusy}
      onAction={remove}
      onClose={onClose}
    >
      <p>{FACTORS.removePasswordHint}</p>
      <FailureNotice failure={removing.failure} />
    </Question>
  );
}
