// The end of an account: its owner types its name, and everything in it is erased.

import { useState } from 'preact/hooks';

import { AskButton } from '../../parts/controls/dialog.tsx';
import { TextInput } from '../../parts/controls/fields.tsx';
import { app } from '../../state/session.ts';

interface EraseProps {
  readonly name: string;
  /** Whether the sign-in was less than 10 minutes ago. */
  readonly isFresh: boolean;
}

/** The part about erasing the account. */
export function EraseAccount({ name, isFresh }: EraseProps) {
  const [typed, setTyped] = useState('');
  const erase = async () => {
    await app.me.erase({ name: typed });
    location.reload();
  };
  return (
    <details>
      <summary>Delete the account</summary>
      <p>
        Erases all memories, keys, edits and sources of this account.
        {!isFresh &&
          ' To do it, sign in again, but not with a link from another device. Then you have 10 minutes.'}
      </p>
      <p>
        <AskButton
          text="Delete the account"
          class="danger"
          disabled={!isFresh}
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
