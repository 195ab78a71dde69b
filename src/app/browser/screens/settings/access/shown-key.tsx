// A new key, shown once: the key, a command to try it, the configuration of an agent, and a check that tells what it has read.

import { useEffect, useLayoutEffect, useState } from 'preact/hooks';

import { countedMemories } from '../../../format.ts';
import { apiUrl, newestKey, type NewestKey } from '../../../parts/api-keys.ts';
import { CopyText } from '../../../parts/controls/copy.tsx';
import { Dialog, DoneButton } from '../../../parts/controls/dialog.tsx';
import { Notice } from '../../../parts/notice.tsx';
import { scopeText } from '../../../parts/scope.tsx';
import { app, me } from '../../../state/session.ts';
import { ClientChoice, ClientText } from './agent-setup.tsx';

/** How often to ask what the key was used for. */
const POLL_MS = 2000;

/** The dialog with a new key. When it closes, nothing of the key is left in the page. */
export function ShownKey({ made, setup, onClose }: NewestKey) {
  const [isCopied, setCopied] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const used = useReads(made.id);
  const hasWorked = used !== undefined;
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
          {useText(used, setup?.client)}
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

function useText(used: Used | undefined, client: string | undefined): string {
  if (used === undefined) return `Waiting for ${client ?? 'its first use'}…`;
  if (client === undefined) return '✓ The key works.';
  if (!used.hasRead) return `✓ ${client} is connected.`;
  const what = used.memories > 0 ? countedMemories(used.memories) : 'your memories';
  return `✓ ${client} has just read ${what}.`;
}

/** Lets the browser ask before it leaves the page. */
function askFirst(event: Event): void {
  event.preventDefault();
}

function curlOf(key: string): string {
  return `curl -H "Authorization: Bearer ${key}" "${apiUrl()}/memories?limit=1"`;
}

/** What a key was used for. */
interface Used {
  readonly hasRead: boolean;
  /** How many memories it has read by their ids. Lists and searches are not counted. */
  readonly memories: number;
}

/** Asks what a key was used for, until the session has ended. */
function useReads(id: string): Used | undefined {
  const [used, setUsed] = useState<Used>();
  const hasEnded = me.value === null;
  useEffect(() => {
    if (hasEnded) return undefined;
    const timer = setInterval(async () => {
      try {
        const found = (await app.keys.list()).find((key) => key.id === id);
        if (found === undefined || found.last_used_at === null) return;
        const reads = me.value?.records_reads === true ? await app.keys.reads({ id }) : [];
        // A memory by the API, or by a tool of an agent.
        const ids = reads.map(({ path }) => /(?:\/memories|memory:\/)\/([^/]+)/.exec(path)?.[1]);
        const memories = new Set(ids.filter((each) => each !== undefined)).size;
        setUsed({ hasRead: reads.length > 0, memories });
      } catch {
        // the next time, if the gateway answers then
      }
    }, POLL_MS);
    return () => clearInterval(timer);
  }, [id, hasEnded]);
  return used;
}
