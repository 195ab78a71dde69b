// Settings → API access: the base address and the keys of the account.

import { useState } from 'preact/hooks';

import { counted } from '../../../format.ts';
import { apiUrl, type KeyRecord } from '../../../parts/api-keys.ts';
import { CopyText } from '../../../parts/controls/copy.tsx';
import { GATEWAY } from '../../../state/base.ts';
import { useResource } from '../../../state/resource.ts';
import { app, me } from '../../../state/session.ts';
import { type ActionsOf, Items } from '../rows.tsx';
import { SettingsScreen } from '../settings.tsx';
import { accessFacts, Grants, lastUseOf } from './grants.tsx';
import { NewKeyDialog, RotateDialog } from './key-dialogs.tsx';
import { ReadsDialog } from './reads-dialog.tsx';

/** What is open over the screen. */
type Open = { readonly what: 'new' } | { readonly what: 'reads' | 'rotate'; key: KeyRecord };

function factsOf(key: KeyRecord) {
  return {
    title: key.label,
    facts: [
      <code translate={false}>mem_…{key.last_four}</code>,
      ...accessFacts(key),
      key.state === 'active' ? '' : key.state,
    ],
  };
}

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
      ? (key) => ({ History: () => setOpen({ what: 'reads', key }) })
      : undefined;
  return (
    <SettingsScreen title="API access" loaded={[loaded]}>
      <p class="note">
        A key lets a program read your memories, or a part of them. It can change nothing. See the{' '}
        <a href={`${GATEWAY}/docs`}>API reference</a>.
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
      {active?.[0] && <p class="note">“Rotate” replaces a key by a new one that reads the same.</p>}
      <Items
        loaded={{ ...loaded, data: active }}
        none="No keys yet. Create one for each program."
        tell={factsOf}
        actionsOf={(key) => ({
          ...reads?.(key),
          Rotate: () => setOpen({ what: 'rotate', key }),
          Revoke: {
            title: `Revoke “${key.label}”?`,
            text: (
              <>
                Programs that use the key <code translate={false}>mem_…{key.last_four}</code> get
                401 from their next request on. This cannot be undone. The key: {lastUseOf(key)}.
              </>
            ),
            run: () => app.keys.revoke({ id: key.id }),
          },
        })}
      />
      {ended.length > 0 && (
        <details>
          <summary>{counted(ended.length, 'ended key')}</summary>
          <Items
            loaded={{ data: ended, failure: undefined, reload }}
            none=""
            tell={factsOf}
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
          load={app.keys.reads}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open?.what === 'rotate' && <RotateDialog old={open.key} onClose={close} />}
    </SettingsScreen>
  );
}
