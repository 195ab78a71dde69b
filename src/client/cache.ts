// The cache: answers that need not be sent again. One that fails is passed over.

import type { Reached } from '../contract/calls.ts';
import { readOutput, type Expected } from './answer.ts';
import type { Settings } from './options.ts';
import type { Came } from './request.ts';

/** An answer that was kept and is still good to give out. */
export interface Kept {
  readonly etag: string;
  readonly reached: Reached;
}

/** Looks for an answer; one that is damaged, or breaks the contract, is as good as none. */
export async function recall(
  { cache }: Settings,
  expected: Expected,
  url: string,
): Promise<Kept | undefined> {
  try {
    const found = await cache?.get(url);
    if (found === undefined) return undefined;
    const { etag, text } = found;
    const next = found.next ?? undefined; // a cache may know no undefined
    if (!/^[ -~]+$/.test(etag)) return undefined;
    return { etag, reached: { output: readOutput(200, text, expected), next } };
  } catch {
    return undefined;
  }
}

/** Keeps an answer, without waiting for that. */
export function keep(
  { cache }: Settings,
  url: string,
  { response, text }: Came,
  { next }: Reached,
): void {
  const etag = response.headers.get('etag');
  if (cache === undefined || etag === null) return;
  const set = async () => cache.set(url, { etag, text, next });
  set().catch(() => {});
}
