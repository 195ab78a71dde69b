// Settings → API access: the base address and the keys of the account.

import { useId, useState } from 'preact/hooks';

import { CopyText } from '../../parts/copy.tsx';
import { formats } from '../../parts/formats.ts';
import { apiUrl, lastUseOf, type KeyRecord } from '../../parts/keys.ts';
import { FailureNotice, Loading } from '../../parts/notice.tsx';
import { scopeText } from '../../parts/scope.tsx';
import { useResource } from '../../state/resource.ts';
import { app, me } from '../../state/session.ts';
import { ACCESS, COMMON } from '../../texts.ts';
import { Grants } from './grants.tsx';
import { NewKeyDialog, RevokeDialog, RotateDialog } from './key-dialogs.tsx';
import { Settings } from './settings.tsx';

/** What is open over the screen. */
type Open = { readonly what: 'new' } | { readonly what: 'rotate' | 'revoke'; key: KeyRecord };

/** The screen of the keys. */
export function AccessScreen() {
  const { data: keys, failure, reload } = useResource('keys', app.keys.list);
  const [open, setOpen] = useState<Open>();
  const close = () => {
    setOpen(undefined);
    reload();
  };
  const active = keys?.filter(({ state }) => state === 'active');
  const ended = keys?.filter(({ state }) => state !== 'active') ?? [];
  return (
    <Settings title={ACCESS.title} isReady={keys !== undefined}>
      <p class="note">{ACCESS.intro}</p>
      <CopyText label={ACCESS.base} text={apiUrl()} />
      <div class="heading">
        <h2>{ACCESS.keys}</h2>
        <button
          type="button"
          class="primary"
          disabled={me.value?.can_write === false}
          onClick={() => setOpen({ what: 'new' })}
        >
          {ACCESS.create}
        </button>
      </div>
      {me.value?.records_last_use === false && <p class="note">{ACCESS.notRecorded}</p>}
      <FailureNotice failure={failure} onRetry={reload} />
      {keys === undefined && failure === undefined && <Loading rows={3} />}
      {active?.length === 0 && <p>{ACCESS.none}</p>}
      {active !== undefined && active.length > 0 && <Keys keys={active} onOpen={setOpen} />}
      {ended.length > 0 && (
        <details>
          <summary>{ACCESS.ended(ended.length)}</summary>
          <Keys keys={ended} />
        </details>
      )}
      {typeof me.value?.connect_url === 'string' && <Grants url={me.value.connect_url} />}
      {open?.what === 'new' && <NewKeyDialog onClose={close} />}
      {open?.what === 'rotate' && <RotateDialog old={open.key} onClose={close} />}
      {open?.what === 'revoke' && <RevokeDialog old={open.key} onClose={close} />}
    </Settings>
  );
}

interface KeysProps {
  readonly keys: readonly KeyRecord[];
  /** Opens a dialog. Without it, the keys have ended and have no buttons. */
  readonly onOpen?: (open: Open) => void;
}

function Keys({ keys, onOpen }: KeysProps) {
  const end = onOpen === undefined ? ACCESS.state : ACCESS.actions;
  const heads = [ACCESS.label, ACCESS.key, ACCESS.created, ACCESS.expires, ACCESS.lastUse, end];
  return (
    <table class="keys">
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <KeyRow key={key.id} record={key} onOpen={onOpen} />
        ))}
      </tbody>
    </table>
  );
}

function KeyRow({
  record,
  onOpen,
}: {
  readonly record: KeyRecord;
  readonly onOpen: ((open: Open) => void) | undefined;
}) {
  const { label, last_four, created_at, expires_at, state } = record;
  const canWrite = me.value?.can_write !== false;
  const name = useId();
  const button = (what: 'rotate' | 'revoke', text: string) => (
    <button
      type="button"
      disabled={!canWrite}
      aria-describedby={name}
      onClick={() => onOpen?.({ what, key: record })}
    >
      {text}
    </button>
  );
  return (
    <tr>
      <th scope="row" id={name}>
        {label} {isScoped(record) && <span class="note">{scopeText(record)}</span>}
      </th>
      <td data-head={ACCESS.key}>
        <code>mem_…{last_four}</code>
      </td>
      <td data-head={ACCESS.created}>{formats.value.date(created_at)}</td>
      <td data-head={ACCESS.expires}>
        {expires_at === null ? COMMON.never : <Moment iso={expires_at} />}
      </td>
      <td data-head={ACCESS.lastUse}>{lastUseOf(record)}</td>
      <td class="buttons" data-head={onOpen === undefined ? ACCESS.state : undefined}>
        {onOpen === undefined ? (
          ACCESS.states[state]
        ) : (
          <>
            {button('rotate', ACCESS.rotate)}
            {button('revoke', ACCESS.revoke)}
          </>
        )}
      </td>
    </tr>
  );
}

function isScoped({ reads, started_after, started_before }: KeyRecord): boolean {
  return reads !== 'all' || started_after !== null || started_before !== null;
}

function Moment({ iso }: { readonly iso: string }) {
  return (
    <time dateTime={iso} title={formats.value.moment(iso)}>
      {formats.value.fromNow(iso, Date.now())}
    </time>
  );
}
