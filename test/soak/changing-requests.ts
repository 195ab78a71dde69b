// Requests about memories that change during the soak test, and invalid requests.

import type { Change } from '../../src/contract/schemas/memory.ts';
import { pick } from '../fuzz/random.ts';
import type { Answer } from '../fuzz/read-responses.ts';
import { isWhole, MOVED, MOVING, newestFirst, type Owner } from './accounts.ts';
import {
  expectStatus,
  keep,
  memoriesOf,
  nextOf,
  type Material,
  type Question,
} from './checked-request.ts';

type Make = (material: Material) => Question;

/**
 * All memories of the changing account, from one snapshot. Every memory that never changes is among
 * them.
 */
export const moving: Make = ({ scene: { moving: owner } }) => {
  const judge = (answer: Answer) => judgeMoving(owner, answer, owner.memories.length);
  return { kind: 'a list that changes', target: '/v1/memories', key: owner.key, owner, judge };
};

/** A search of the changing account: the search index is written with the memories. */
export const found: Make = ({ dice, scene: { moving: owner } }) => {
  const target = `/v1/memories?q=garden${dice(3)}&limit=${1 + dice(30)}`;
  const judge = (answer: Answer) => judgeMoving(owner, answer, 0);
  return { kind: 'a search that changes', target, key: owner.key, owner, judge };
};

function judgeMoving(owner: Owner, answer: Answer, steady: number): string | undefined {
  if (answer.status !== 200) return `${answer.status}, not 200`;
  const all = memoriesOf(answer);
  const known = new Map(owner.memories.map((memory) => [memory.id, JSON.stringify(memory)]));
  if (all.filter(({ id }) => known.has(id)).length < steady) return 'memories are missing';
  if (all.some((memory, i) => i > 0 && newestFirst(all[i - 1] ?? memory, memory) >= 0))
    return 'not in order';
  const isRight = all.every((memory) =>
    known.has(memory.id) ? known.get(memory.id) === JSON.stringify(memory) : isWhole(memory),
  );
  return isRight ? undefined : 'a memory that was never written like this';
}

/** A memory that may exist or not. */
export const perhaps: Make = ({ dice, scene: { moving: owner } }) => {
  const id = `${MOVING}-w${dice(MOVED)}`;
  const judge = ({ status, body }: Answer) =>
    status === 404 || (status === 200 && isWhole(JSON.parse(body.toString())))
      ? undefined
      : `${status}, or a memory that was never written like this`;
  return {
    kind: 'a memory that changes',
    target: `/v1/memories/${id}`,
    key: owner.key,
    owner,
    judge,
  };
};

/**
 * The change feed, from the beginning or from the last cursor. A cursor is invalid after a restore, which
 * the writer makes after each backup.
 */
export const feed: Make = (material) =>
  feedAt(material, '/v1/changes?limit=30', restoresOf(material));

function restoresOf(material: Material): number {
  return material.done()['restores'] ?? 0;
}

/** `restored` is how many restores there had been before the cursor was requested. */
function feedAt(material: Material, target: string, restored: number): Question {
  const { moving: owner } = material.scene;
  const restoredNow = restoresOf(material);
  const judge = (answer: Answer): string | undefined => {
    const { backups = 0 } = material.done();
    if (answer.status === 410 && target.includes('since=') && backups > restored) return undefined;
    const next = nextOf(answer);
    if (answer.status !== 200 || next === undefined) return `${answer.status}, or no link`;
    const changes = JSON.parse(answer.body.toString()) as Partial<Change>[];
    if (next !== target) keep(material, feedAt(material, next, restoredNow));
    const isOurs = changes.every(({ memory_id }) => memory_id?.startsWith(owner.canary) === true);
    return isOurs ? undefined : 'changes of another account';
  };
  return { kind: 'the feed', target, key: owner.key, owner, judge };
}

/** A key that is revoked at some time. It is valid until then, and never again. */
export const shortLived: Make = ({ dice, keyring, scene: { moving: owner, dead } }) => {
  const keys = keyring.keys();
  const latest = keys.at(-1) ?? dead[0];
  const key = dice(2) === 0 ? latest : pick(dice, [latest, ...keys]);
  const before = keyring.stateOf(key ?? '');
  const judge = ({ status }: Answer): string | undefined => {
    const isSame = keyring.stateOf(key ?? '') === before;
    if (before === 'open' && isSame && status !== 200) return `${status} for a valid key`;
    return before === 'closed' && status !== 401 ? `${status} for a revoked key` : undefined;
  };
  const target = '/v1/memories?limit=1&fields=id';
  return { kind: `a key that is ${before ?? 'unknown'}`, target, key, owner, judge };
};

/** Invalid keys, and no key at all. */
export const wrongKey: Make = ({ dice, scene: { dead } }) => {
  const key = pick(dice, [...dead, undefined]);
  return { kind: 'a wrong key', target: '/v1/memories?limit=3', key, judge: expectStatus(401) };
};

/** Memories of other accounts. */
export const foreign: Make = ({ dice, scene: { moving: owner, steady } }) => {
  const { id } = pick(dice, pick(dice, steady).memories);
  const target = `/v1/memories/${id}`;
  return { kind: 'a foreign memory', target, key: owner.key, owner, judge: expectStatus(404) };
};

/** Invalid requests, by the status that they get. */
export const refused: Make = ({ dice, scene: { moving: owner } }) => {
  const [target, status] = pick(dice, [
    ['/v1/memories?limit=0', 422],
    ['/v1/memories?order=up', 422],
    ['/v1/changes?since=nothing', 422],
    ['/v1/memories?cursor=AAAA', 422],
    ['/v1/nothing', 404],
  ] as const);
  return { kind: 'a refusal', target, key: owner.key, owner, judge: expectStatus(status) };
};

/** Public endpoints. */
export const open: Make = ({ dice }) => {
  const target = pick(dice, ['/healthz', '/readyz', '/openapi.json', '/docs']);
  return { kind: 'a public endpoint', target, judge: expectStatus(200) };
};
