// The part of Settings → Devices about passkeys and the password.

import { useState } from 'preact/hooks';
import type { InferOutput } from 'valibot';

import type { Passkey } from '../../../../contract/records.ts';
import { Question } from '../../../parts/controls/dialog.tsx';
import { LabelInput } from '../../../parts/controls/fields.tsx';
import { FailureNotice, Notice } from '../../../parts/notice.tsx';
import { isSecure } from '../../../state/base.ts';
import { createPasskey, hasPasskeys } from '../../../state/passkey.ts';
import { useResource } from '../../../state/resource.ts';
import { app, loadMe, me } from '../../../state/session.ts';
import { formats } from '../../../time-formats.ts';
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
      {me.value?.can_write === true && !me.value.is_fresh && (
        <p class="note stale">
          Sign in again to change passkeys and the password. You can do it for 10 minutes.
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
type Open = { readonly what: 'add' } | { readonly what: 'rename' | 'remove'; one: PasskeyRecord };

function Passkeys({ canChange, onChange }: PartProps) {
  const { data, failure, reload } = useResource('passkeys', app.passkeys.list);
  const [open, setOpen] = useState<Open>();
  const close = () => {
    setOpen(undefined);
    reload();
    onChange();
    void loadMe();
  };
  const isHere = hasPasskeys && me.value?.ways.passkey === true;
  const canWrite = me.value?.can_write === true;
  return (
    <section>
      <div class="heading">
        <h2>Passkeys</h2>
        {isHere && (
          <button type="button" disabled={!canChange} onClick={() => setOpen({ what: 'add' })}>
            Add a passkey
          </button>
        )}
      </div>
      <p class="note">Sign in with your fingerprint, face or security key instead of a link.</p>
      {!isHere && (
        <p>
          {isSecure
            ? 'This browser or this address has no passkeys.'
            : 'Browsers have passkeys and install apps only on https addresses with a name. To set up TLS, see docs/howto/tls.md.'}
        </p>
      )}
      <FailureNotice failure={failure} onRetry={reload} />
      <ul class="items">
        {data?.map((one) => (
          <li key={one.id}>
            <div>
              <b>{one.label}</b>
              <p class="note">
                {`Created ${formats.value.date(one.created_at)} · Last use: ${
                  one.last_used_at === null ? 'never' : formats.value.moment(one.last_used_at)
                }`}
              </p>
            </div>
            <p class="actions">
              <button
                type="button"
                disabled={!canWrite}
                onClick={() => setOpen({ what: 'rename', one })}
              >
                Rename
              </button>
              <button
                type="button"
                disabled={!canWrite}
                onClick={() => setOpen({ what: 'remove', one })}
              >
                Remove
              </button>
            </p>
          </li>
        ))}
      </ul>
      {open !== undefined && <PasskeyDialog open={open} onClose={close} />}
    </section>
  );
}

function PasskeyDialog({ open, onClose }: { readonly open: Open; readonly onClose: () => void }) {
  const [label, setLabel] = useState(open.what === 'add' ? '' : open.one.label);
  const [hasDeclined, setDeclined] = useState(false);
  const change = async () => {
    setDeclined(false);
    if (open.what === 'remove') await app.passkeys.remove({ id: open.one.id });
    else if (open.what === 'rename')
      await app.passkeys.relabel({ id: open.one.id, label: label.trim() });
    else if (!(await add(label.trim()))) {
      setDeclined(true);
      return false;
    }
    return true;
  };
  const actions = { add: 'Add a passkey', rename: 'Rename', remove: 'Remove' };
  const title = {
    add: () => actions.add,
    rename: (of: string) => `Rename “${of}”`,
    remove: (of: string) => `Remove “${of}”?`,
  }[open.what];
  return (
    <Question
      title={title(open.what === 'add' ? '' : open.one.label)}
      action={actions[open.what]}
      isDangerous={open.what === 'remove'}
      onAction={change}
      onClose={onClose}
    >
      {open.what === 'remove' ? (
        <p>You cannot sign in with it any more.</p>
      ) : (
        <LabelInput
          label="Name"
          hint="Where the passkey is, such as “phone”."
          value={label}
          onValue={setLabel}
        />
      )}
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
