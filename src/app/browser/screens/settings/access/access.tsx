// Settings → API access: the base address and the keys of the account.

import { useState } from 'preact/hooks';

import { counted } from '../../../format.ts';
import { apiUrl, lastUseOf, type KeyRecord } from '../../../parts/api-keys.ts';
import { CopyText } from '../../../parts/controls/copy.tsx';
import { Awaited } from '../../../parts/notice.tsx';
import { scopeText } from '../../../parts/scope.tsx';
import { useResource } from '../../../state/resource.ts';
import { app, me } from '../../../state/session.ts';
import { formats } from '../../../time-formats.ts';
import { SettingsScreen } from '../settings.tsx';
import { Table } from '../table.tsx';
import { Grants } from './grants.tsx';
import { NewKeyDialog, RevokeDialog, RotateDialog } from './key-dialogs.tsx';
import { ReadsDialog } from './reads-dialog.tsx';

/** What is open over the screen. */
type Open =
  | { readonly what: 'new' }
  | { readonly what: 'reads' | 'rotate' | 'revoke'; key: KeyRecord };

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
      <Awaited {...loaded} rows={3} />
      {active?.length === 0 && (
        <p>No keys yet. Create one for each program, so that you can revoke each on its own.</p>
      )}
      {active !== undefined && active.length > 0 && <Keys keys={active} onOpen={setOpen} />}
      {ended.length > 0 && (
        <details>
          <summary>{counted(ended.length, 'ended key')}</summary>
          <Keys keys={ended} hasEnded onOpen={setOpen} />
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
      {open?.what === 'revoke' && <RevokeDialog old={open.key} onClose={close} />}
    </SettingsScreen>
  );
}

interface KeysProps {
  readonly keys: readonly KeyRecord[];
  /** Whether they have ended, so that nothing but what they have read is left of them. */
  readonly hasEnded?: boolean;
  /** Opens a dialog. */
  readonly onOpen: (open: Open) => void;
}

function Keys({ keys, hasEnded = false, onOpen }: KeysProps) {
  const columns = {
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
  const open = (what: 'reads' | 'rotate' | 'revoke') => (key: KeyRecord) => onOpen({ what, key });
  const reads = me.value?.records_reads === true ? { Reads: open('reads') } : undefined;
  return (
    <Table
      rows={keys}
      columns={hasEnded ? { ...columns, State: ({ state }) => state } : columns}
      buttons={hasEnded ? reads : { ...reads, Rotate: open('rotate'), Revoke: open('revoke') }}
    />
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
