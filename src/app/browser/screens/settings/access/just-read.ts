// What a key or a client has just read: asked again and again, and said in words.

import { useEffect } from 'preact/hooks';
import type { InferOutput } from 'valibot';

import type { ReadPath } from '../../../../contract/records.ts';
import { countedMemories } from '../../../format.ts';
import { me } from '../../../state/session.ts';

/** A path that was read. */
export type Read = InferOutput<typeof ReadPath>;

const POLL_MS = 2000;

/** Looks every two seconds, until the session has ended. A failure is left to the next time. */
export function useLooks(look: () => Promise<void>): void {
  const hasEnded = me.value === null;
  useEffect(() => {
    if (hasEnded) return undefined;
    const timer = setInterval(() => void look().catch(() => undefined), POLL_MS);
    return () => clearInterval(timer);
  }, [hasEnded]);
}

/** Loads what a key or a client has read, latest first. Nothing, if the gateway does not keep it. */
export async function readsOf(
  { id }: { readonly id: string },
  load: (of: { id: string }) => Promise<readonly Read[]>,
): Promise<readonly Read[]> {
  return me.value?.records_reads === true ? load({ id }) : [];
}

/** Says what a client has read. Only memories that were read by their ids are counted, not lists and searches. */
export function justRead(client: string, reads: readonly Read[]): string {
  if (reads.length === 0) return `✓ ${client} is connected.`;
  // A memory by the API, or by a tool of an agent.
  const ids = reads.map(({ path }) => /(?:\/memories|memory:\/)\/([^/]+)/.exec(path)?.[1]);
  const memories = new Set(ids.filter((each) => each !== undefined)).size;
  return `✓ ${client} has just read ${memories > 0 ? countedMemories(memories) : 'your memories'}.`;
}
