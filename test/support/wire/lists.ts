// Reads lists as clients do: their ids, their links, and all pages.

import assert from 'node:assert/strict';

import { send, type WireAnswer } from './wire.ts';

/** The memories of a list. */
export function items(answer: WireAnswer): Record<string, unknown>[] {
  assert.equal(answer.status, 200, answer.text);
  return JSON.parse(answer.text) as Record<string, unknown>[];
}

/** Returns the ids of a list, in order. */
export function ids(answer: WireAnswer): string[] {
  return items(answer).map(({ id }) => String(id));
}

/** Returns the targets of a response's links by relation. Each relation occurs once. */
export function linksOf({ headers: { link } }: WireAnswer): Record<string, string> {
  const pairs = (link?.split(', ') ?? []).map((each) => {
    const [, target = '', rel = ''] =
      /^<([^<>\s]+)>; rel="([a-z]+)"$/.exec(each) ?? assert.fail(each);
    return [rel, target] as const;
  });
  assert.equal(new Set(pairs.map(([rel]) => rel)).size, pairs.length, `each once: ${link}`);
  return Object.fromEntries(pairs);
}

/** The server's port, and the key to use. */
export interface Asking {
  readonly port: number;
  readonly key: string;
}

/** Reads a list page by page to its end. */
export async function walk({ port, key }: Asking, first: string): Promise<WireAnswer[]> {
  const pages: WireAnswer[] = [];
  for (let path: string | undefined = first; path !== undefined;) {
    const page = await send(port, { path, key });
    assert.equal(page.status, 200, `${path}: ${page.text}`);
    pages.push(page);
    assert.ok(pages.length <= 10_000, 'the list ends');
    path = linksOf(page)['next'];
  }
  return pages;
}
