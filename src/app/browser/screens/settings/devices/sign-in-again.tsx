// What a dialog shows first if the sign-in is too old for what it does: the ways to sign in again.

import { useAction } from '../../../parts/controls/action.ts';
import { Dialog, Question, type QuestionProps } from '../../../parts/controls/dialog.tsx';
import { FailureNotice } from '../../../parts/notice.tsx';
import { hasPasskeys } from '../../../state/passkey.ts';
import { useResource } from '../../../state/resource.ts';
import { app, loadMe, me } from '../../../state/session.ts';
import { ByPasskey, ByPassword } from '../../sign-in/other-ways.tsx';
import { SignInCommand } from '../../sign-in/sign-in-command.tsx';

const DAY_MS = 86_400_000;

/** A question that needs a sign-in of the last ten minutes. Without one, it asks for that first. */
export function FreshQuestion(props: QuestionProps) {
  const { title, onClose } = props;
  if (me.value?.fresh_until) return <Question {...props} />;
  return (
    <Dialog title={title} onClose={onClose}>
      <p>First sign in again, to show that it is you.</p>
      <SignInAgain />
      <p class="actions">
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </p>
    </Dialog>
  );
}

function SignInAgain() {
  const passkeys = useResource('passkeys', app.passkeys.list);
  const signing = useAction();
  const known = me.value;
  if (!known || passkeys.data === undefined) return null;
  const { account, ways, session, has_password } = known;
  // A sign-in that ends with the browser stays one.
  const isShort = Date.parse(session?.ends_at ?? '') - Date.now() < DAY_MS;
  const way = { isShort, signing, enter: loadMe };
  return (
    <>
      {ways.passkey && hasPasskeys && passkeys.data.length > 0 ? (
        <ByPasskey {...way} />
      ) : has_password ? (
        <ByPassword {...way} asksName={ways.asks_name} name={account.name} />
      ) : (
        <>
          <SignInCommand ways={ways} />
          <p class="note">A link from another device is only as new as the sign-in of that one.</p>
        </>
      )}
      <FailureNotice failure={signing.failure} isSignIn />
    </>
  );
}
