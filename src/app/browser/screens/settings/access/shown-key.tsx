// A new key, shown once: the key, a command to try it, the configuration of an agent, and a check that turns to "works" at its first use.

import { useEffect, useLayoutEffect, useState } from 'preact/hooks';

import { apiUrl, newestKey, type NewestKey } from '../../../parts/api-keys.ts';
import { CopyText } from '../../../parts/controls/copy.tsx';
import { Dialog, DoneButton } from '../../../parts/controls/dialog.tsx';
import { Notice } from '../../../parts/notice.tsx';
import { scopeText } from '../../../parts/scope.tsx';
import { app, me } from '../../../state/session.ts';
import { ClientChoice, ClientText } from './agent-setup.tsx';

/** How often to ask whether the key was used. */
const POLL_MS = 2000;

/** The dialog with a new key. When it closes, nothing of the key is left in the page. */
export function ShownKey({ made, setup, onClose }: NewestKey) {
  const [isCopied, setCopied] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const hasWorked = useFirstUse(made.id);
  const [curl] = useState(() => curlOf(made.key)); // as it was when the session had not ended
  const isSafe = isCopied || hasWorked;
  useLayoutEffect(() => {
    if (isSafe) return undefined;
    addEventListener('beforeunload', askFirst);
    return () => removeEventListener('beforeunload', askFirst);
  }, [isSafe]);
  const end = () => {
    newestKey.value = undefined;
    onClose();
  };
  const close = () => {
    if (isSafe) end();
    else setAsking(true);
  };
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
          <CopyText label="API key" text={made.key} onCopied={copied} />
          <CopyText label="Try it" text={curl} isLong onCopied={copied} />
          <ClientChoice apiKey={made.key} onCopied={copied} />
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
      {me.value?.records_last_use === true && (
        <p role="status" class={hasWorked ? 'check works' : 'check'}>
          {firstUseText(hasWorked, setup?.client)}
        </p>
      )}
      {isAsking ? (
        <div class="notice" role="alert">
          <p>You have not copied the key. Close anyway?</p>
          <p class="actions">
            <button type="button" class="danger" onClick={end}>
              Close without copying
            </button>
            <button type="button" onClick={() => setAsking(false)}>
              Back to the key
            </button>
          </p>
        </div>
      ) : (
        <DoneButton onDone={close} />
      )}
    </Dialog>
  );
}

function firstUseText(hasWorked: boolean, client: string | undefined): string {
  if (client === undefined) return hasWorked ? '✓ The key works.' : 'Waiting for its first use…';
  return hasWorked ? `✓ ${client} has just read your memories.` : `Waiting for ${client}…`;
}

/** Lets the browser ask before it leaves the page. */
function askFirst(event: Event): void {
  event.preventDefault();
}

function curlOf(key: string): string {
  return `curl -H "Authorization: Bearer ${key}" "${apiUrl()}/memories?limit=1"`;
}

/** Asks for the list of keys until the key was used or the session has ended. */
function useFirstUse(id: string): boolean {
  const [hasWorked, setWorked] = useState(false);
  const hasEnded = me.value === null;
  useEffect(() => {
    if (hasWorked || hasEnded) return undefined;
    const timer = setInterval(async () => {
      try {
        const found = (await app.keys.list()).find((key) => key.id === id);
        if (found !== undefined && found.last_used_at !== null) setWorked(true);
      } catch {
        // the next time, if the gateway answers then
      }
    }, POLL_MS);
    return () => clearInterval(timer);
  }, [id, hasWorked, hasEnded]);
  return hasWorked;
}
