// A follower: keeps a copy of an account from the change feed over HTTP, and starts again after a 410.

import assert from 'node:assert/strict';

import type { Change } from '../../../src/contract/schemas/memory.ts';
import { send } from '../wire/wire.ts';

/** The state of a follower. */
export interface Replica {
  /** The memories by id, as JSON. */
  readonly copy: Map<string, string>;
  /** The path of the first request. */
  readonly start: string;
  /** Returns the path of the next request. */
  path: string;
  /** How often the follower had to start again. */
  resets: number;
}

export function newReplica(limit?: number): Replica {
  const start = `/v1/changes${limit === undefined ? '' : `?limit=${limit}`}`;
  return { copy: new Map(), start, path: start, resets: 0 };
}

/** Applies one response of the feed. Returns its changes. */
export async function takeIn(replica: Replica, port: number, key: string): Promise<Change[]> {
  const answer = await send(port, { path: replica.path, key });
  if (answer.status === 410) {
    assert.notEqual(replica.path, replica.start, 'the start of the feed is always valid');
    replica.copy.clear();
    replica.path = replica.start;
    replica.resets++;
    return takeIn(replica, port, key);
  }
  assert.equal(answer.status, 200, answer.text);
  const changes = JSON.parse(answer.text) as Change[];
  const ids = changes.map(({ memory_id }) => memory_id);
  assert.equal(new Set(ids).size, ids.length, 'each memory is in a response once');
  for (const { memory_id, change } of changes) {
    const found = await send(port, { path: `/v1/memories/${memory_id}`, key });
    if (found.status === 200) replica.copy.set(memory_id, found.text);
    else replica.copy.delete(memory_id); // deleted, perhaps after this response: a later response has the deletion
    if (change === 'upsert') assert.ok([200, 404].includes(found.status), found.text);
  }
  replica.path = nextOf(answer.headers['link']);
  return changes;
}

/** Applies responses until one is empty. Returns the changes, oldest first. */
export async function catchUp(replica: Replica, port: number, key: string): Promise<Change[]> {
  const all: Change[] = [];
  for (;;) {
    const changes = await takeIn(replica, port, key);
    if (changes.length === 0) return all;
    all.push(...changes);
  }
}

/** Returns all memories of an account by id, from the list. */
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
