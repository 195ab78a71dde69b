// The part of Settings → Devices about passkeys and the password.

import { useState } from 'preact/hooks';
import type { InferOutput } from 'valibot';

import type { Passkey } from '../../../../contract/records.ts';
import { Question } from '../../../parts/controls/dialog.tsx';
import { LabelInput } from '../../../parts/controls/fields.tsx';
import { Link } from '../../../parts/link.tsx';
import { Notice } from '../../../parts/notice.tsx';
import { APP, isOnThisMachine } from '../../../state/base.ts';
import { createPasskey, hasPasskeys } from '../../../state/passkey.ts';
import type { Resource } from '../../../state/resource.ts';
import { app, loadMe, me } from '../../../state/session.ts';
import { formats } from '../../../time-formats.ts';
import { SignInCommand } from '../../sign-in/sign-in-command.tsx';
import { Items } from '../rows.tsx';
import { PasswordPart } from './password.tsx';
import { FreshQuestion } from './sign-in-again.tsx';

type PasskeyRecord = InferOutput<typeof Passkey>;

interface FactorsProps {
  readonly passkeys: Resource<PasskeyRecord[]>;
  /** Called after a change, which is in the log. */
  readonly onChange: () => void;
}

/** Passkeys and the password. */
export function Factors({ passkeys, onChange }: FactorsProps) {
  const known = me.value;
  const isWithout = passkeys.data?.length === 0 && known?.has_password === false;
  const isLate = isWithout && known.fresh_until === null;
  return (
    <>
      {isWithout && (
        <Notice>
          {isLate ? (
            <>
              To add a passkey or a password, sign in again by a new link. You then have 10 minutes.
              <SignInCommand ways={known.ways} />
            </>
          ) : (
            `To need no link next time, add a passkey or a password before ${formats.value.time(known.fresh_until ?? '')}.`
          )}
        </Notice>
      )}
      <Passkeys {...{ passkeys, isLate, onChange }} />
      <PasswordPart {...{ isLate, onChange }} />
    </>
  );
}

/** Which dialog is open. */
type Open = { readonly what: 'add' | 'go' } | { readonly what: 'rename'; one: PasskeyRecord };

interface PasskeysProps extends FactorsProps {
  /** Whether nothing but a new link gives the right to add one. */
  readonly isLate: boolean;
}

function Passkeys({ passkeys, isLate, onChange }: PasskeysProps) {
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
  // Browsers have passkeys for the name of this computer, and not for its number.
  const canBe = isHere || (hasPasskeys && isOnThisMachine());
  return (
    <section>
      <div class="heading">
        <h2 tabIndex={-1}>Passkeys</h2>
        {canBe && (
          <button
            type="button"
            disabled={isLate || me.value?.can_write !== true}
            onClick={() => setOpen({ what: isHere ? 'add' : 'go' })}
          >
            Add a passkey
          </button>
        )}
      </div>
      <p class="note">Sign in with your fingerprint, face or security key.</p>
      <Items
        loaded={{ ...passkeys, reload }}
        none={canBe ? 'No passkeys yet.' : NOT_HERE}
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
      {open?.what === 'go' ? (
        <FreshQuestion
          title="Add a passkey"
          action="Go to localhost"
          onAction={goToLocalhost}
          onClose={close}
        >
          <p>
            Passkeys need a name in the address. That of this computer is localhost. Sign in there
            once more, and add the passkey.
          </p>
        </FreshQuestion>
      ) : (
        open !== undefined && <PasskeyDialog open={open} onClose={close} />
      )}
    </section>
  );
}

const NOT_HERE = (
  <>
    Passkeys need an address with https. <Link to="settings/phone">How to get one</Link>
  </>
);

/** Leads to this page at the name of this computer, with a link to sign in there. Rejects with `Failure`. */
async function goToLocalhost(): Promise<void> {
  const { secret: hash } = await app.links.create({});
  const page = new URL('settings/devices', APP);
  location.assign(Object.assign(page, { hostname: 'localhost', hash }));
}

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
  const Asked = old === undefined ? FreshQuestion : Question;
  return (
    <Asked
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
    </Asked>
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
