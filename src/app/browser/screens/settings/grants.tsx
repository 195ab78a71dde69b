// The OAuth clients that are connected to the account, beside its keys, and their end.

import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { InferOutput } from 'valibot';

import type { Grant } from '../../../records.ts';
import { useAction } from '../../parts/action.ts';
import { CopyText } from '../../parts/copy.tsx';
import { Question } from '../../parts/dialog.tsx';
import { formats } from '../../parts/formats.ts';
import { lastUseOf } from '../../parts/keys.ts';
import { FailureNotice } from '../../parts/notice.tsx';
import { scopeText } from '../../parts/scope.tsx';
import { useResource } from '../../state/resource.ts';
import { app, me } from '../../state/session.ts';
import { ACCESS, GRANTS } from '../../texts.ts';

type GrantRecord = InferOutput<typeof Grant>;

/** The list of connected clients, if the gateway connects any. */
export function Grants({ url }: { readonly url: string }) {
  const { data: grants, failure, reload } = useResource('grants', app.grants.list);
  const [open, setOpen] = useState<GrantRecord>();
  const heading = useRef<HTMLHeadingElement>(null);
  const [count, known] = [grants?.length ?? 0, useRef(0)];
  // A revoked client goes with its row, and takes the focus of its button along.
  useLayoutEffect(() => {
    if (count < known.current && document.activeElement === document.body) heading.current?.focus();
    known.current = count;
  }, [count]);
  const heads = [GRANTS.client, GRANTS.reads, ACCESS.created, ACCESS.expires, ACCESS.lastUse];
  return (
    <section>
      <h2 ref={heading} tabIndex={-1}>
        {GRANTS.title}
      </h2>
      <p class="note">{GRANTS.intro}</p>
      <CopyText label={GRANTS.address} text={url} />
      <FailureNotice failure={failure} onRetry={reload} />
      {grants?.length === 0 && <p>{GRANTS.none}</p>}
      {grants !== undefined && grants.length > 0 && (
        <table class="keys">
          <thead>
            <tr>
              {[...heads, ACCESS.actions].map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {grants.map((grant) => (
              <GrantRow key={grant.id} grant={grant} onRevoke={() => setOpen(grant)} />
            ))}
          </tbody>
        </table>
      )}
      {open !== undefined && (
        <RevokeGrant
          grant={open}
          onClose={() => {
            setOpen(undefined);
            reload();
          }}
        />
      )}
    </section>
  );
}

function GrantRow({
  grant,
  onRevoke,
}: {
  readonly grant: GrantRecord;
  readonly onRevoke: () => void;
}) {
  const { client, redirect, created_at, expires_at } = grant;
  const name = useId();
  const { date, fromNow } = formats.value;
  return (
    <tr>
      <th scope="row" id={name}>
        {client} <span class="note">{redirect}</span>
      </th>
      <td data-head={GRANTS.reads}>{scopeText(grant)}</td>
      <td data-head={ACCESS.created}>{date(created_at)}</td>
      <td data-head={ACCESS.expires}>{fromNow(expires_at, Date.now())}</td>
      <td data-head={ACCESS.lastUse}>{lastUseOf(grant)}</td>
      <td class="buttons">
        <button
          type="button"
          disabled={me.value?.can_write === false}
          aria-describedby={name}
          onClick={onRevoke}
        >
          {ACCESS.revoke}
        </button>
      </td>
    </tr>
  );
}

function RevokeGrant({
  grant: { id, client },
  onClose,
}: {
  readonly grant: GrantRecord;
  readonly onClose: () => void;
}) {
  const revoking = useAction();
  const revoke = () =>
    revoking.run(async () => {
      await app.grants.revoke({ id });
      onClose();
    });
  return (
    <Question
      title={GRANTS.revokeTitle(client)}
      action={ACCESS.revoke}
      isDangerous
      isBusy={revoking.isBusy}
      onAction={revoke}
      onClose={onClose}
    >
      <p>{GRANTS.revokeHint}</p>
      <FailureNotice failure={revoking.failure} />
    </Question>
  );
}
