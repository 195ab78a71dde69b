// The part of Settings → Devices about passkeys and the password.

import { useState } from 'preact/hooks';
import type { InferOutput } from 'valibot';

import type { Passkey } from '../../../../contract/records.ts';
import { useAction } from '../../../parts/controls/action.ts';
import { Question } from '../../../parts/controls/dialog.tsx';
import { LabelInput } from '../../../parts/controls/fields.tsx';
import { Link } from '../../../parts/link.tsx';
import { Notice } from '../../../parts/notice.tsx';
import { isOnThisMachine, signInPage } from '../../../state/base.ts';
import { tellFailure } from '../../../state/changes/undo.ts';
import { createPasskey, hasPasskeys } from '../../../state/passkey.ts';
import { useResource } from '../../../state/resource.ts';
import { app, loadMe, me } from '../../../state/session.ts';
import { formats } from '../../../time-formats.ts';
import { Items } from '../rows.tsx';
import { PasswordPart } from './password.tsx';
import { FreshQuestion } from './sign-in-again.tsx';

type PasskeyRecord = InferOutput<typeof Passkey>;

interface FactorsProps {
  /** Called after a change, which is in the log. */
  readonly onChange: () => void;
}

/** Passkeys and the password. */
export function Factors(props: FactorsProps) {
  return (
    <>
      <Passkeys {...props} />
      <PasswordPart {...props} />
    </>
  );
}

/** Which dialog is open. */
type Open = { readonly what: 'add' } | { readonly what: 'rename'; one: PasskeyRecord };

function Passkeys({ onChange }: FactorsProps) {
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
          <button
            type="button"
            disabled={me.value?.can_write !== true}
            onClick={() => setOpen({ what: 'add' })}
          >
            Add a passkey
          </button>
        )}
      </div>
      <p class="note">Sign in with your fingerprint, face or security key.</p>
      <Items
        loaded={{ ...passkeys, reload }}
        none={isHere ? 'No passkeys yet.' : isOnThisMachine() ? <AtLocalhost /> : NOT_HERE}
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

/** Browsers have passkeys for the name of this computer, and not for its number. */
function AtLocalhost() {
  const going = useAction(tellFailure);
  const page = Object.assign(new URL(signInPage()), { hostname: 'localhost' }).href;
  const goThere = (event: Event) => {
    event.preventDefault();
    void going.run(async () => {
      const { secret } = await app.links.create({});
      location.assign(`${page}#${secret}`);
    });
  };
  return (
    <>
      Passkeys work at{' '}
      <a href={page} onClick={goThere}>
        localhost
      </a>
      , which is this computer as well.
    </>
  );
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
