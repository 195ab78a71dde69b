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
    if (!found || !/^[ -~]+$/.test(found.etag)) return undefined;
    const output = readOutput(200, found.text, expected);
    return { etag: found.etag, reached: { output, next: found.next ?? undefined } }; // a cache may know no undefined
  } catch {
    return undefined;
  }
}

/** Keeps an answer; nobody need wait for that. Never rejects. */
export async function keep(
  { cache }: Settings,
  url: string,
  { response, text }: Came,
  { next }: Reached,
): Promise<void> {
  const etag = response.headers.get('etag');
  try {
    if (etag !== null) await cache?.set(url, { etag, text, next });
  } catch {
    // the answer is there without it
  }
}
