// The field of a password, which can be shown.

import type { ComponentProps } from 'preact';
import { useState } from 'preact/hooks';

import { TextInput } from './fields.tsx';

/** The field, and a box that shows what is typed. */
export function PasswordInput(input: Omit<ComponentProps<typeof TextInput>, 'type'>) {
  const [isShown, setShown] = useState(false);
  return (
    <>
      <TextInput required {...input} type={isShown ? 'text' : 'password'} />
      <label class="check-line">
        <input
          type="checkbox"
          checked={isShown}
          onChange={(event) => setShown(event.currentTarget.checked)}
        />
        Show the password
      </label>
    </>
  );
}
