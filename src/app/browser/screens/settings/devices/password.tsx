// The part of Settings → Devices about the password: whether there is one, setting and removing it.

import { useState } from 'preact/hooks';

import { Failure } from '../../../../../contract/failure.ts';
import { AskButton } from '../../../parts/controls/dialog.tsx';
import { PasswordInput } from '../../../parts/controls/password-input.tsx';
import { app, loadMe, me } from '../../../state/session.ts';
import { FreshQuestion } from './sign-in-again.tsx';

/** How many characters a password has at least. */
const LEAST = 15;

interface PasswordProps {
  /** Whether nothing but a new link gives the right to set one. */
  readonly isLate: boolean;
  /** Called after a change, which is in the log. */
  readonly onChange: () => void;
}

/** Whether a password is set, and the buttons to change it. */
export function PasswordPart({ isLate, onChange }: PasswordProps) {
  const [password, setPassword] = useState('');
  const missing = LEAST - password.length;
  const isSet = me.value?.has_password === true;
  const canWrite = me.value?.can_write === true;
  const set = async () => {
    if (missing > 0) throw new Failure(422, `Use at least ${LEAST} characters.`);
    await app.password.set({ password });
    note();
  };
  const note = () => {
    onChange();
    void loadMe();
  };
  return (
    <section>
      <div class="heading">
        <h2>Password</h2>
        {/* First, so that it does not come under the pointer that has set a password. */}
        {isSet && (
          <AskButton
            text="Remove password"
            disabled={!canWrite}
            title="Remove password"
            action="Remove password"
            isDangerous
            onAction={() => app.password.remove().then(note)}
          >
            <p>You then sign in by link or passkey.</p>
          </AskButton>
        )}
        <AskButton
          text={isSet ? 'Change password' : 'Set password'}
          disabled={!canWrite || isLate}
          asking={FreshQuestion}
          title="Set password"
          action="Set password"
          onAction={set}
        >
          {/* Password managers want to know whose password it is. */}
          <input
            type="text"
            hidden
            readOnly
            autocomplete="username"
            value={me.value?.account.name ?? ''}
          />
          <PasswordInput
            label="New password"
            hint={`At least ${LEAST} characters. A sentence is fine.${
              password && missing > 0 ? ` ${missing} more.` : ''
            }`}
            autocomplete="new-password"
            onValue={setPassword}
          />
        </AskButton>
      </div>
      <p class="note">For addresses without https, where passkeys do not work.</p>
      <p>{isSet ? 'A password is set.' : 'No password is set.'}</p>
    </section>
  );
}
