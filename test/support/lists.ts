// Lists as callers read them: their ids, their links, and a walk from page to page.

import assert from 'node:assert/strict';

import { send, type WireAnswer } from './wire.ts';

/** The memories of a list. */
export function items(answer: WireAnswer): Record<string, unknown>[] {
  assert.equal(answer.status, 200, answer.text);
  return JSON.parse(answer.text) as Record<string, unknown>[];
}

/** The ids of a list, in its order. */
export function ids(answer: WireAnswer): string[] {
  return items(answer).map(({ id }) => String(id));
}

/** The targets of an answer's links by their relation; each stands there once. */
export function linksOf({ headers: { link } }: WireAnswer): Record<string, string> {
  const pairs = (link?.split(', ') ?? []).map((each) => {
    const [, target = '', rel = ''] =
      /^<([^<>\s]+)>; rel="([a-z]+)"$/.exec(each) ?? assert.fail(each);
    return [rel, target] as const;
  });
  assert.equal(new Set(pairs.map(([rel]) => rel)).size, pairs.length, `each once: ${link}`);
  return Object.fromEntries(pairs);
}

/** Where to ask, and with which key. */
export interface Asking {
  readonly port: number;
  readonly key: string;
}

/** Reads a list from page to page to its end. */
export async function walk({ port, key }: Asking, first: string): Promise<WireAnswer[]> {
  const pages: WireAnswer[] = [];
  for (let path: string | undefined = first; path !== undefined;) {
    const page = await send(port, { path, key });
    assert.equal(page.status, 200, `${path}: ${page.text}`);
    pages.push(page);
    assert.ok(pages.length <= 10_000, 'the list has no end');
    path = linksOf(page)['next'];
  }
  return pages;
}
