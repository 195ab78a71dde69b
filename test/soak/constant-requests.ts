// Requests about memories that never change, so every response is known to the byte.

import { pick } from '../fuzz/random.ts';
import type { Answer } from '../fuzz/read-responses.ts';
import type { Owner } from './accounts.ts';
import {
  expectJson,
  expectStatus,
  keep,
  nextOf,
  type Material,
  type Question,
} from './checked-request.ts';

type Make = (material: Material) => Question;

/** One memory. Its etag is stored for a conditional request. */
export const one: Make = (material) => {
  const { dice, scene } = material;
  const owner = pick(dice, scene.steady);
  const memory = pick(dice, owner.memories);
  const target = `/v1/memories/${memory.id}`;
  const is = expectJson(memory);
  const judge = (answer: Answer) => is(answer) ?? holdOn(material, { owner, target }, answer);
  return { kind: 'a memory', target, key: owner.key, owner, judge };
};

interface Held {
  readonly owner: Owner;
  readonly target: string;
}

/** Sends a conditional request later. The memory is unchanged, so it gets 304. */
function holdOn(material: Material, { owner, target }: Held, { headers }: Answer): undefined {
  const again = {
    'if-none-match': headers.get('etag') ?? '',
    'accept-encoding': headers.get('content-encoding') ?? 'identity', // each encoding has an etag of its own
  };
  const more = { target, key: owner.key, owner, headers: again };
  keep(material, { kind: 'a conditional request', ...more, judge: expectStatus(304) });
}

/** A HEAD request for a memory. */
export const head: Make = ({ dice, scene: { steady } }) => {
  const [{ key, memories }] = steady;
  const memory = pick(dice, memories);
  const length = String(Buffer.byteLength(JSON.stringify(memory)));
  const judge = ({ status, headers, isHead }: Answer) =>
    status === 200 && isHead && headers.get('content-length') === length
      ? undefined
      : 'not the headers of the memory';
  return { kind: 'HEAD', method: 'HEAD', target: `/v1/memories/${memory.id}`, key, judge };
};

/** The first page of some memories. The next pages follow later. */
export const page: Make = (material) => {
  const { dice, scene } = material;
  const owner = pick(dice, scene.steady);
  const isNewest = dice(2) === 0;
  const all = isNewest ? owner.memories : owner.memories.toReversed();
  const limit = 1 + dice(25);
  const target = `/v1/memories?limit=${limit}&order=${isNewest ? 'desc' : 'asc'}`;
  return pageAt(material, { owner, all, at: 0, limit, target });
};

interface Place {
  readonly owner: Owner;
  readonly all: Owner['memories'];
  readonly at: number;
  readonly limit: number;
  readonly target: string;
}

function pageAt(material: Material, place: Place): Question {
  const { owner, all, at, limit, target } = place;
  const is = expectJson(all.slice(at, at + limit));
  const judge = (answer: Answer): string | undefined => {
    const wrong = is(answer);
    const next = nextOf(answer);
    if (wrong !== undefined) return wrong;
    if ((next !== undefined) !== at + limit < all.length) return 'a missing or a wrong link';
    if (next) keep(material, pageAt(material, { ...place, at: at + limit, target: next }));
    return undefined;
  };
  return { kind: at === 0 ? 'a first page' : 'a next page', target, key: owner.key, owner, judge };
}

/** All memories of an account, as a streamed list. */
export const stream: Make = ({ dice, scene: { steady } }) => {
  const owner = pick(dice, steady);
  const judge = expectJson(owner.memories);
  return { kind: 'a stream', target: '/v1/memories', key: owner.key, owner, judge };
};

/** The memories that started between two times. */
export const between: Make = ({ dice, scene: { steady } }) => {
  const [owner] = steady;
  const { memories } = owner;
  const from = dice(memories.length);
  const [newest, oldest] = [memories[from], memories[Math.min(from + 20, memories.length - 1)]];
  const span = `started_before=${newest?.started_at}&started_after=${oldest?.started_at}`;
  const found = memories.filter(
    ({ started_at }) =>
      started_at < (newest?.started_at ?? '') && started_at >= (oldest?.started_at ?? ''),
  );
  const judge = expectJson(found);
  return { kind: 'a span', target: `/v1/memories?${span}`, key: owner.key, owner, judge };
};

/** The memories that contain a word. */
export const search: Make = ({ dice, scene: { steady } }) => {
  const [owner] = steady;
  const memory = pick(dice, owner.memories);
  const [word = ''] = /[0-9a-f]{64}/.exec(memory.transcript) ?? [];
  const target = `/v1/memories?q=${word}`;
  return { kind: 'a search', target, key: owner.key, owner, judge: expectJson([memory]) };
};

/** Some fields of a page of memories. */
export const fields: Make = ({ dice, scene: { steady } }) => {
  const owner = pick(dice, steady);
  const limit = 1 + dice(50);
  const target = `/v1/memories?fields=id,name,summary&limit=${limit}`;
  const some = owner.memories.slice(0, limit);
  const judge = expectJson(some.map(({ id, name, summary }) => ({ id, name, summary })));
  return { kind: 'some fields', target, key: owner.key, owner, judge };
};
