// A new key, shown once: the key, a command to try it, the configuration of an agent, and a check that tells what it has read.

import { useLayoutEffect, useState } from 'preact/hooks';

import { apiUrl, newestKey, type NewestKey } from '../../../parts/api-keys.ts';
import { CopyText } from '../../../parts/controls/copy.tsx';
import { Dialog, useSecretEnd } from '../../../parts/controls/dialog.tsx';
import { Notice } from '../../../parts/notice.tsx';
import { scopeText } from '../../../parts/scope.tsx';
import { app, me } from '../../../state/session.ts';
import { ClientText } from './agent-setup.tsx';
import { justRead, type Read, readsOf, useLooks } from './just-read.ts';

/** The dialog with a new key. When it closes, nothing of the key is left in the page. */
export function ShownKey({ made, setup, onClose }: NewestKey) {
  const [isCopied, setCopied] = useState(false);
  const [reads, setReads] = useState<readonly Read[]>();
  useLooks(async () => {
    const found = (await app.keys.list()).find(({ id }) => id === made.id);
    if (found?.last_used_at != null) setReads(await readsOf(found, app.keys.reads));
  });
  const hasWorked = reads !== undefined;
  const [curl] = useState(() => curlOf(made.key)); // as it was when the session had not ended
  const isSafe = isCopied || hasWorked;
  useLayoutEffect(() => {
    if (isSafe) return undefined;
    addEventListener('beforeunload', askFirst);
    return () => removeEventListener('beforeunload', askFirst);
  }, [isSafe]);
  const [close, end] = useSecretEnd('key', isSafe, () => {
    newestKey.value = undefined;
    onClose();
  });
  const copied = () => setCopied(true);
  return (
    <Dialog
      title={setup === undefined ? 'Your new key' : `Connect ${setup.client}`}
      onClose={close}
    >
      <p>Copy the key now. Only its hash is stored, so it is never shown again.</p>
      <p>It may read {scopeText(made)}.</p>
      {setup === undefined ? (
        <>
          <CopyText label="API key" text={made.key} class="primary" onCopied={copied} />
          <CopyText label="Try it" text={curl} isLong onCopied={copied} />
        </>
      ) : (
        <>
          <ClientText setup={setup} apiKey={made.key} onCopied={copied} />
          <CopyText label="API key" text={made.key} onCopied={copied} />
        </>
      )}
      {me.value === null && (
        <Notice>
          Your session has ended. Copy the key before you close this, then sign in again.
        </Notice>
      )}
      {me.value?.records_last_use && (
        <p role="status" class={hasWorked ? 'check works' : 'check'}>
          {useText(reads, setup?.client)}
        </p>
      )}
      {end}
    </Dialog>
  );
}

/** Says that a key is waited for, or what it has read. */
function useText(reads: readonly Read[] | undefined, client: string | undefined): string {
  if (reads === undefined) return `Waiting for ${client ?? 'its first use'}…`;
  return client === undefined ? '✓ The key works.' : justRead(client, reads);
}

/** Lets the browser ask before it leaves the page. */
function askFirst(event: Event): void {
  event.preventDefault();
}

function curlOf(key: string): string {
  return `curl -H "Authorization: Bearer ${key}" "${apiUrl()}/memories?limit=1"`;
}
