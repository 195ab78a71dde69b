// The end of an account: its owner types its name, and everything in it is erased.

import { useState } from 'preact/hooks';

import { AskButton } from '../../parts/controls/dialog.tsx';
import { TextInput } from '../../parts/controls/fields.tsx';
import { app } from '../../state/session.ts';
import { FreshQuestion } from './devices/sign-in-again.tsx';

/** The part about erasing the account. */
export function EraseAccount({ name }: { readonly name: string }) {
  const [typed, setTyped] = useState('');
  const erase = async () => {
    await app.me.erase({ name: typed });
    location.reload();
  };
  return (
    <details>
      <summary>Delete the account</summary>
      <p>
        Erases all memories, keys, edits and sources of this account.{' '}
        <AskButton
          text="Delete everything"
          class="danger"
          asking={FreshQuestion}
          title={`Delete “${name}” and everything in it?`}
          action="Delete for good"
          isDangerous
          onAction={erase}
        >
          <p>There is no way back except a backup.</p>
          <TextInput label={`Type the name of the account: ${name}`} onValue={setTyped} required />
        </AskButton>
      </p>
    </details>
  );
}
