// Settings → API access: the base address and the keys of the account.

import { useState } from 'preact/hooks';

import { counted } from '../../../format.ts';
import { apiUrl, lastUseOf, type KeyRecord } from '../../../parts/api-keys.ts';
import { CopyText } from '../../../parts/controls/copy.tsx';
import { scopeText } from '../../../parts/scope.tsx';
import { useResource } from '../../../state/resource.ts';
import { app, me } from '../../../state/session.ts';
import { formats } from '../../../time-formats.ts';
import { type ActionsOf, Table } from '../rows.tsx';
import { SettingsScreen } from '../settings.tsx';
import { Grants } from './grants.tsx';
import { NewKeyDialog, RotateDialog } from './key-dialogs.tsx';
import { ReadsDialog } from './reads-dialog.tsx';

/** What is open over the screen. */
type Open = { readonly what: 'new' } | { readonly what: 'reads' | 'rotate'; key: KeyRecord };

const COLUMNS = {
  Label: (key: KeyRecord) => (
    <>
      {key.label} {isScoped(key) && <span class="note">{scopeText(key)}</span>}
    </>
  ),
  Key: ({ last_four }: KeyRecord) => <code translate={false}>mem_…{last_four}</code>,
  Created: ({ created_at }: KeyRecord) => formats.value.date(created_at),
  Expires: ({ expires_at }: KeyRecord) =>
    expires_at === null ? 'never' : <Moment iso={expires_at} />,
  'Last use': lastUseOf,
};

/** The screen of the keys. */
export function AccessScreen() {
  const loaded = useResource('keys', app.keys.list);
  const { data: keys, reload } = loaded;
  const [open, setOpen] = useState<Open>();
  const close = () => {
    setOpen(undefined);
    reload();
  };
  const active = keys?.filter(({ state }) => state === 'active');
  const ended = keys?.filter(({ state }) => state !== 'active') ?? [];
  const reads: ActionsOf<KeyRecord> | undefined =
    me.value?.records_reads === true
      ? (key) => ({ Reads: () => setOpen({ what: 'reads', key }) })
      : undefined;
  return (
    <SettingsScreen title="API access" isReady={keys !== undefined}>
      <p class="note">
        A key lets a program read your memories, or a part of them. It can change nothing.
      </p>
      <CopyText label="Base address" text={apiUrl()} />
      <div class="heading">
        <h2>Keys</h2>
        <button
          type="button"
          class="primary"
          disabled={me.value?.can_write === false}
          onClick={() => setOpen({ what: 'new' })}
        >
          New key
        </button>
      </div>
      {me.value?.records_last_use === false && (
        <p class="note">The database is read-only, so the last use of keys is not recorded.</p>
      )}
      <Table
        loaded={{ ...loaded, data: active }}
        none="No keys yet. Create one for each program, so that you can revoke each on its own."
        columns={COLUMNS}
        actionsOf={(key) => ({
          ...reads?.(key),
          Rotate: () => setOpen({ what: 'rotate', key }),
          Revoke: {
            title: `Revoke “${key.label}”?`,
            text: (
              <>
                Programs that use the key <code translate={false}>mem_…{key.last_four}</code> get
                401 from their next request on. Last use: {lastUseOf(key)}. This cannot be undone.
              </>
            ),
            run: () => app.keys.revoke({ id: key.id }),
          },
        })}
      />
      {ended.length > 0 && (
        <details>
          <summary>{counted(ended.length, 'ended key')}</summary>
          <Table
            loaded={{ data: ended, failure: undefined, reload }}
            none=""
            columns={{ ...COLUMNS, State: ({ state }) => state }}
            actionsOf={reads}
          />
        </details>
      )}
      {typeof me.value?.connect_url === 'string' && <Grants url={me.value.connect_url} />}
      {open?.what === 'new' && <NewKeyDialog onClose={close} />}
      {open?.what === 'reads' && (
        <ReadsDialog
          id={open.key.id}
          of={open.key.label}
          since="In the last 30 days"
          load={app.keys.reads}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open?.what === 'rotate' && <RotateDialog old={open.key} onClose={close} />}
    </SettingsScreen>
  );
}

function isScoped({ reads, started_after, started_before, source, tags }: KeyRecord): boolean {
  const bound = started_after ?? started_before ?? source;
  return reads !== 'all' || bound !== null || tags.length > 0;
}

function Moment({ iso }: { readonly iso: string }) {
  return (
    <time dateTime={iso} title={formats.value.moment(iso)}>
      {formats.value.fromNow(iso, Date.now())}
    </time>
  );
}
