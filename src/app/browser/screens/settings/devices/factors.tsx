// The part of Settings → Devices about passkeys and the password.

import { useState } from 'preact/hooks';
import type { InferOutput } from 'valibot';

import type { Passkey } from '../../../../contract/records.ts';
import { Question } from '../../../parts/controls/dialog.tsx';
import { LabelInput } from '../../../parts/controls/fields.tsx';
import { Link } from '../../../parts/link.tsx';
import { Notice } from '../../../parts/notice.tsx';
import { isOnThisMachine } from '../../../state/base.ts';
import { createPasskey, hasPasskeys } from '../../../state/passkey.ts';
import { useResource } from '../../../state/resource.ts';
import { app, loadMe, me } from '../../../state/session.ts';
import { formats } from '../../../time-formats.ts';
import { SignInCommand } from '../../sign-in/sign-in-command.tsx';
import { Items } from '../rows.tsx';
import { PasswordPart } from './password.tsx';

type PasskeyRecord = InferOutput<typeof Passkey>;

interface FactorsProps {
  /** Called after a change, which is in the log. */
  readonly onChange: () => void;
}

/** Passkeys and the password. */
export function Factors({ onChange }: FactorsProps) {
  const known = me.value;
  if (!known) return null;
  const { can_write, is_fresh, ways } = known;
  const isStale = can_write && !is_fresh;
  // Browsers have passkeys for the name, and not for the number.
  const isElsewhere = hasPasskeys && !ways.passkey && isOnThisMachine();
  const again = (
    <section class="notice">
      <p>
        {isStale && 'To change these, sign in again. Then you have 10 minutes. '}
        {isElsewhere && 'Passkeys work at localhost, and not at this address.'}
      </p>
      <SignInCommand ways={ways} {...(isElsewhere && { host: 'localhost' })} />
    </section>
  );
  const part = { canChange: can_write && is_fresh, onChange };
  return (
    <>
      <Passkeys {...part} />
      {isElsewhere && !isStale && again}
      <PasswordPart {...part} />
      {isStale && again}
    </>
  );
}

interface PartProps extends FactorsProps {
  readonly canChange: boolean;
}

/** Which dialog is open. */
type Open = { readonly what: 'add' } | { readonly what: 'rename'; one: PasskeyRecord };

function Passkeys({ canChange, onChange }: PartProps) {
  const passkeys = useResource('passkeys', app.passkeys.list);
  const [open, setOpen] = useState<Open>();
  const reload = () => {
    passkeys.reload();
    onChange();
    void loadMe();
  };
  const close = () => {
    setOpen(undefined);
    reload();
  };
  const isHere = hasPasskeys && me.value?.ways.passkey === true;
  return (
    <section>
      <div class="heading">
        <h2 tabIndex={-1}>Passkeys</h2>
        {isHere && (
          <button type="button" disabled={!canChange} onClick={() => setOpen({ what: 'add' })}>
            Add a passkey
          </button>
        )}
      </div>
      <p class="note">Sign in with your fingerprint, face or security key.</p>
      <Items
        loaded={{ ...passkeys, reload }}
        none={isHere ? 'No passkeys yet.' : isOnThisMachine() ? 'Not at this address.' : NOT_HERE}
        tell={({ label, created_at, last_used_at }) => ({
          title: label,
          facts: [
            `Created ${formats.value.date(created_at)}`,
            `Last use: ${last_used_at === null ? 'never' : formats.value.moment(last_used_at)}`,
          ],
        })}
        actionsOf={(one) => ({
          Rename: () => setOpen({ what: 'rename', one }),
          Remove: {
            title: `Remove “${one.label}”?`,
            text: 'You cannot sign in with it any more.',
            run: () => app.passkeys.remove({ id: one.id }),
          },
        })}
      />
      {open !== undefined && <PasskeyDialog open={open} onClose={close} />}
    </section>
  );
}

const NOT_HERE = (
  <>
    Passkeys need an address with https. <Link to="settings/phone">How to get one</Link>
  </>
);

function PasskeyDialog({ open, onClose }: { readonly open: Open; readonly onClose: () => void }) {
  const old = open.what === 'rename' ? open.one : undefined;
  const [label, setLabel] = useState(old?.label ?? '');
  const [hasDeclined, setDeclined] = useState(false);
  const save = async () => {
    if (old !== undefined) return app.passkeys.relabel({ id: old.id, label: label.trim() });
    const isAdded = await add(label.trim());
    setDeclined(!isAdded);
    return isAdded;
  };
  return (
    <Question
      title={old === undefined ? 'Add a passkey' : `Rename “${old.label}”`}
      action={old === undefined ? 'Add a passkey' : 'Rename'}
      onAction={save}
      onClose={onClose}
    >
      <LabelInput
        label="Name"
        hint="Where the passkey is, such as “phone”."
        value={label}
        onValue={setLabel}
      />
      {hasDeclined && <Notice>The browser did not create a passkey. Try again.</Notice>}
    </Question>
  );
}

/** Adds a passkey. Returns false if the browser did not create one. */
async function add(label: string): Promise<boolean> {
  try {
    const made = await createPasskey(label);
    if (made !== undefined) await app.passkeys.create(made);
    return made !== undefined;
  } catch (error) {
    if (error instanceof DOMException) return false;
    throw error;
  }
}
