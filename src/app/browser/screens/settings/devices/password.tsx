// The part of Settings → Devices about the password: whether there is one, setting and removing it.

import { useState } from 'preact/hooks';

import { AskButton } from '../../../parts/controls/dialog.tsx';
import { TextInput } from '../../../parts/controls/fields.tsx';
import { app, loadMe, me } from '../../../state/session.ts';

interface PasswordProps {
  readonly canChange: boolean;
  /** Called after a change, which is in the log. */
  readonly onChange: () => void;
}

/** Whether a password is set, and the buttons to change it. */
export function PasswordPart({ canChange, onChange }: PasswordProps) {
  const [password, setPassword] = useState('');
  const isSet = me.value?.has_password === true;
  const canWrite = me.value?.can_write === true;
  const note = () => {
    onChange();
    void loadMe();
  };
  return (
    <section>
      <div class="heading">
        <h2>Password</h2>
        <AskButton
          text={isSet ? 'Change password' : 'Set password'}
          disabled={!canChange}
          title="Set password"
          action="Set password"
          onAction={() => app.password.set({ password }).then(note)}
        >
          {/* Password managers want to know whose password it is. */}
          <input
            type="text"
            hidden
            readOnly
            autocomplete="username"
            value={me.value?.account.name ?? ''}
          />
          <TextInput
            label="New password"
            hint="15 to 1,024 characters. A sentence is fine."
            type="password"
            required
            minLength={15}
            maxLength={1024}
            autocomplete="new-password"
            onValue={setPassword}
          />
        </AskButton>
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
      </div>
      <p class="note">For addresses without https, where passkeys do not work.</p>
      <p>{isSet ? 'A password is set.' : 'No password is set.'}</p>
    </section>
  );
}
