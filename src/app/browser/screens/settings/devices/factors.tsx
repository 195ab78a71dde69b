// The part of Settings → Devices about passkeys and the password.

import { useState } from 'preact/hooks';
import type { InferOutput } from 'valibot';

import type { Passkey } from '../../../../contract/records.ts';
import { Question } from '../../../parts/controls/dialog.tsx';
import { LabelInput } from '../../../parts/controls/fields.tsx';
import { Notice } from '../../../parts/notice.tsx';
import { createPasskey, hasPasskeys } from '../../../state/passkey.ts';
import { useResource } from '../../../state/resource.ts';
import { app, loadMe, me } from '../../../state/session.ts';
import { formats } from '../../../time-formats.ts';
import { Items } from '../rows.tsx';
import { PasswordPart } from './password.tsx';

type PasskeyRecord = InferOutput<typeof Passkey>;

interface FactorsProps {
  /** Called after a change, which is in the log. */
  readonly onChange: () => void;
}

/** Passkeys and the password. */
export function Factors({ onChange }: FactorsProps) {
  const canChange = me.value?.can_write === true && me.value.is_fresh;
  return (
    <>
      {me.value?.can_write && !me.value.is_fresh && (
        <p class="note stale">
          To change these, sign in again with a passkey, the password, or a link that{' '}
          <code translate={false}>{me.value.ways.command} sign-in</code> prints. A link from another
          device is not enough. Then you have 10 minutes.
        </p>
      )}
      <Passkeys canChange={canChange} onChange={onChange} />
      <PasswordPart canChange={canChange} onChange={onChange} />
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
        none={isHere ? 'No passkeys yet.' : NOT_HERE}
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

const NOT_HERE = 'Not at this address: passkeys need localhost, or https and a name.';

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
