// Signing out: at once, or after a question if only a new link leads back.

import { useEffect, useState } from 'preact/hooks';

import { useAction } from '../../parts/controls/action.ts';
import { Question } from '../../parts/controls/dialog.tsx';
import { tellFailure } from '../../state/changes/undo.ts';
import { app, isLeaving, me } from '../../state/session.ts';

/** Signs this browser out. Shows the question, if there is one. */
export function SignOut() {
  const leaving = useAction(tellFailure);
  const [isAsking, setAsking] = useState(false);
  const leave = async () => {
    try {
      if (await canReturn()) await signOut();
      else setAsking(true);
    } catch (error) {
      stay();
      throw error;
    }
  };
  useEffect(() => void leaving.run(leave), []);
  if (!isAsking) return null;
  return (
    <Question title="Sign out?" action="Sign out" onAction={signOut} onClose={stay}>
      <p>This account has no passkey and no password. You need a new link to sign in.</p>
    </Question>
  );
}

function stay(): void {
  isLeaving.value = false;
}

/** Returns whether the reader can sign in again without a new link. Rejects with `Failure`. */
async function canReturn(): Promise<boolean> {
  const { ways, has_password, sign_out_url } = me.value ?? {};
  if (has_password === true || typeof sign_out_url === 'string') return true;
  return ways?.passkey === true && (await app.passkeys.list()).length > 0;
}

/** Signs this browser out, and empties the memory of the page. Rejects with `Failure`. */
async function signOut(): Promise<void> {
  const url = me.value?.sign_out_url;
  if (url) {
    location.assign(url);
    return;
  }
  await app.sessions.end({ id: 'current' });
  location.reload();
}
