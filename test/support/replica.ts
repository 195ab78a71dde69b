// A replica: a copy of an account that is kept by the feed of changes alone, over HTTP.

import assert from 'node:assert/strict';

import type { Change } from '../../src/contract/change.ts';
import { send } from './wire.ts';

/** A copy on its way. */
export interface Replica {
  /** The memories by their ids, as they came. */
  readonly copy: Map<string, string>;
  /** What to ask for next. */
  path: string;
}

export function newReplica(limit?: number): Replica {
  return { copy: new Map(), path: `/v1/changes${limit === undefined ? '' : `?limit=${limit}`}` };
}

/** Takes in one answer of the feed; returns the changes in it. */
export async function takeIn(replica: Replica, port: number, key: string): Promise<Change[]> {
  const answer = await send(port, { path: replica.path, key });
  assert.equal(answer.status, 200, answer.text);
  const changes = JSON.parse(answer.text) as Change[];
  const ids = changes.map(({ memory_id }) => memory_id);
  assert.equal(new Set(ids).size, ids.length, 'a memory stands in one answer once');
  for (const { memory_id, change } of changes) {
    const found = await send(port, { path: `/v1/memories/${memory_id}`, key });
    if (found.status === 200) replica.copy.set(memory_id, found.text);
    else replica.copy.delete(memory_id); // deleted, perhaps since it was told: that is told later
    if (change === 'upsert') assert.ok([200, 404].includes(found.status), found.text);
  }
  replica.path = nextOf(answer.headers['link']);
  return changes;
}

/** Takes in what there is; returns the changes, oldest first. */
export async function catchUp(replica: Replica, port: number, key: string): Promise<Change[]> {
  const all: Change[] = [];
  for (;;) {
    const changes = await takeIn(replica, port, key);
    if (changes.length === 0) return all;
    all.push(...changes);
  }
}

/** All memories of an account by their ids, as the list has them. */
export async function readAll(port: number, key: string): Promise<Map<string, string>> {
  const answer = await send(port, { path: '/v1/memories', key });
  assert.equal(answer.status, 200, answer.text);
  const all = JSON.parse(answer.text) as { readonly id: string }[];
  return new Map(all.map((memory) => [memory.id, JSON.stringify(memory)]));
}

function nextOf(link = ''): string {
  const [, next] = /^<(\/v1\/changes\?since=[A-Za-z0-9_-]+)>; rel="next"$/.exec(link) ?? [];
  return next ?? assert.fail(`no link to the next: ${link}`);
}
