// Questions about what is written meanwhile, and those that are asked wrongly.

import type { Change } from '../../src/contract/change.ts';
import type { Answer } from '../fuzz/answers.ts';
import { pick } from '../fuzz/dice.ts';
import {
  expectStatus,
  keep,
  memoriesOf,
  nextOf,
  type Material,
  type Question,
} from './question.ts';
import { isWhole, MOVED, MOVING, newestFirst, type Owner } from './scene.ts';

type Make = (material: Material) => Question;

/** All that the moving account has, of one state: what is steady in it is there. */
export const moving: Make = ({ scene: { moving: owner } }) => {
  const judge = (answer: Answer) => judgeMoving(owner, answer, owner.memories.length);
  return { kind: 'a list that moves', target: '/v1/memories', key: owner.key, owner, judge };
};

/** A search of it, as the index is written with the memories. */
export const found: Make = ({ dice, scene: { moving: owner } }) => {
  const target = `/v1/memories?q=garden${dice(3)}&limit=${1 + dice(30)}`;
  const judge = (answer: Answer) => judgeMoving(owner, answer, 0);
  return { kind: 'a search that moves', target, key: owner.key, owner, judge };
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
  return isRight ? undefined : 'a memory that was never written so';
}

/** A memory that may be there or not. */
export const perhaps: Make = ({ dice, scene: { moving: owner } }) => {
  const id = `${MOVING}-w${dice(MOVED)}`;
  const judge = ({ status, body }: Answer) =>
    status === 404 || (status === 200 && isWhole(JSON.parse(body.toString())))
      ? undefined
      : `${status}, or a memory that was never written so`;
  return { kind: 'one that moves', target: `/v1/memories/${id}`, key: owner.key, owner, judge };
};

/** The feed, from the beginning or from where it was read to. */
export const feed: Make = (material) => feedAt(material, '/v1/changes?limit=30');

function feedAt(material: Material, target: string): Question {
  const { moving: owner } = material.scene;
  const judge = (answer: Answer): string | undefined => {
    const next = nextOf(answer);
    if (answer.status !== 200 || next === undefined) return `${answer.status}, or no link`;
    const changes = JSON.parse(answer.body.toString()) as Change[];
    if (next !== target) keep(material, feedAt(material, next));
    const isOurs = changes.every(({ memory_id }) => memory_id.startsWith(owner.canary));
    return isOurs ? undefined : 'changes of another';
  };
  return { kind: 'the feed', target, key: owner.key, owner, judge };
}

/** A key that is revoked at some time: it opens until then, and never again. */
export const shortLived: Make = ({ dice, keyring, scene: { moving: owner, dead } }) => {
  const keys = keyring.keys();
  const latest = keys.at(-1) ?? dead[0];
  const key = dice(2) === 0 ? latest : pick(dice, [latest, ...keys]);
  const before = keyring.stateOf(key ?? '');
  const judge = ({ status }: Answer): string | undefined => {
    const isSame = keyring.stateOf(key ?? '') === before;
    if (before === 'open' && isSame && status !== 200) return `${status} for a key that opens`;
    return before === 'closed' && status !== 401
      ? `${status} for a key that is revoked`
      : undefined;
  };
  const target = '/v1/memories?limit=1&fields=id';
  return { kind: `a key that is ${before ?? 'not there'}`, target, key, owner, judge };
};

/** Keys that open nothing, and none at all. */
export const wrongKey: Make = ({ dice, scene: { dead } }) => {
  const key = pick(dice, [...dead, undefined]);
  return { kind: 'a wrong key', target: '/v1/memories?limit=3', key, judge: expectStatus(401) };
};

/** What is another's. */
export const foreign: Make = ({ dice, scene: { moving: owner, steady } }) => {
  const { id } = pick(dice, pick(dice, steady).memories);
  const target = `/v1/memories/${id}`;
  return { kind: 'what is another’s', target, key: owner.key, owner, judge: expectStatus(404) };
};

/** What is asked wrongly, by its status. */
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

/** What needs no key. */
export const open: Make = ({ dice }) => {
  const target = pick(dice, ['/healthz', '/readyz', '/openapi.json', '/docs']);
  return { kind: 'what is open', target, judge: expectStatus(200) };
};
