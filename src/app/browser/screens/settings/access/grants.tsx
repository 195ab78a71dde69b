// The OAuth clients that are connected to the account, beside its keys, and their end.

import { useState } from 'preact/hooks';
import type { InferOutput } from 'valibot';

import type { Grant } from '../../../../contract/records.ts';
import type { KeyRecord } from '../../../parts/api-keys.ts';
import { CopyText } from '../../../parts/controls/copy.tsx';
import { scopeText } from '../../../parts/scope.tsx';
import { useResource } from '../../../state/resource.ts';
import { app, me } from '../../../state/session.ts';
import { formats } from '../../../time-formats.ts';
import { Items } from '../rows.tsx';
import { ReadsDialog } from './reads-dialog.tsx';

type GrantRecord = InferOutput<typeof Grant>;

/** When a key or a grant was last used, in words. */
export function lastUseOf({ last_used_at }: Pick<KeyRecord, 'last_used_at'>): string {
  if (last_used_at !== null) return `last used ${formats.value.fromNow(last_used_at, Date.now())}`;
  return me.value?.records_last_use === false ? 'last use not recorded' : 'never used';
}

/** Returns the facts that keys and clients both have: their scope, their start and end, and their last use. */
export function accessFacts(access: GrantRecord | KeyRecord): string[] {
  const { created_at, expires_at } = access;
  const { date, fromNow } = formats.value;
  return [
    `reads ${scopeText(access)}`,
    `created ${date(created_at)}`,
    expires_at === null ? '' : `expires ${fromNow(expires_at, Date.now())}`,
    lastUseOf(access),
  ];
}

/** The list of connected clients, if the gateway connects any. */
export function Grants({ url }: { readonly url: string }) {
  const grants = useResource('grants', app.grants.list);
  const [shown, setShown] = useState<GrantRecord>();
  return (
    <section>
      <h2 tabIndex={-1}>Connected clients</h2>
      <p class="note">
        Clients such as claude.ai ask for your consent when you give them this address.
      </p>
      <CopyText label="Connector address" text={url} />
      <Items
        loaded={grants}
        none="No connected clients."
        tell={(grant) => ({ title: grant.client, facts: [grant.redirect, ...accessFacts(grant)] })}
        actionsOf={(grant) => ({
          ...(me.value?.records_reads && { History: () => setShown(grant) }),
          Revoke: {
            title: `Revoke “${grant.client}”?`,
            text: 'The client cannot read anything from its next request on.',
            run: () => app.grants.revoke({ id: grant.id }),
          },
        })}
      />
      {shown !== undefined && (
        <ReadsDialog
          id={shown.id}
          of={shown.client}
          load={app.grants.reads}
          onClose={() => setShown(undefined)}
        />
      )}
    </section>
  );
}
