// The OAuth clients that are connected to the account, beside its keys, and their end.

import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { InferOutput } from 'valibot';

import type { Grant } from '../../../../contract/records.ts';
import { lastUseOf } from '../../../parts/api-keys.ts';
import { CopyText } from '../../../parts/controls/copy.tsx';
import { Question } from '../../../parts/controls/dialog.tsx';
import { scopeText } from '../../../parts/scope.tsx';
import { useResource } from '../../../state/resource.ts';
import { app, me } from '../../../state/session.ts';
import { formats } from '../../../time-formats.ts';
import { LoadedTable } from '../table.tsx';
import { ReadsDialog } from './reads-dialog.tsx';

type GrantRecord = InferOutput<typeof Grant>;

const COLUMNS = {
  Client: ({ client, redirect }: GrantRecord) => (
    <>
      {client} <span class="note">{redirect}</span>
    </>
  ),
  'May read': scopeText,
  Created: ({ created_at }: GrantRecord) => formats.value.date(created_at),
  Expires: ({ expires_at }: GrantRecord) => formats.value.fromNow(expires_at, Date.now()),
  'Last use': lastUseOf,
};

/** The list of connected clients, if the gateway connects any. */
export function Grants({ url }: { readonly url: string }) {
  const grants = useResource('grants', app.grants.list);
  const [open, setOpen] = useState<GrantRecord>();
  const [shown, setShown] = useState<GrantRecord>();
  const heading = useRef<HTMLHeadingElement>(null);
  const [count, known] = [grants.data?.length ?? 0, useRef(0)];
  // A revoked client goes with its row, and takes the focus of its button along.
  useLayoutEffect(() => {
    if (count < known.current && document.activeElement === document.body) heading.current?.focus();
    known.current = count;
  }, [count]);
  return (
    <section>
      <h2 ref={heading} tabIndex={-1}>
        Connected clients
      </h2>
      <p class="note">
        Clients such as claude.ai ask for your consent when you give them this address.
      </p>
      <CopyText label="Connector address" text={url} />
      <LoadedTable
        loaded={grants}
        none="No connected clients."
        columns={COLUMNS}
        buttons={{ ...(me.value?.records_reads === true && { Reads: setShown }), Revoke: setOpen }}
      />
      {shown !== undefined && (
        <ReadsDialog
          id={shown.id}
          of={shown.client}
          since="Since the gateway was started, for 30 days"
          load={app.grants.reads}
          onClose={() => setShown(undefined)}
        />
      )}
      {open !== undefined && (
        <RevokeGrant
          grant={open}
          onClose={() => {
            setOpen(undefined);
            grants.reload();
          }}
        />
      )}
    </section>
  );
}

function RevokeGrant({
  grant: { id, client },
  onClose,
}: {
  readonly grant: GrantRecord;
  readonly onClose: () => void;
}) {
  return (
    <Question
      title={`Revoke “${client}”?`}
      action="Revoke"
      isDangerous
      onAction={() => app.grants.revoke({ id })}
      onClose={onClose}
    >
      <p>The client cannot read anything from its next request on.</p>
    </Question>
  );
}
