// Damaged pages: with every page of a small database damaged in every way, no response has a wrong memory.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';

import type { Gateway } from '../../src/gateway/gateway.ts';
import { openGateway } from '../../src/gateway/open.ts';
import { Refusal } from '../../src/store/refusal.ts';
import { createDatabase } from '../../src/store/sqlite/writer.ts';
import { overwrite, pagesOf } from '../support/damage/overwrite-pages.ts';
import { tell } from '../support/damage/trial.ts';
import { issued, leave, newFolder } from '../support/world/artifacts.ts';
import { randomBy } from '../support/world/random.ts';
import { sized } from '../support/world/thorough.ts';
import { memory } from '../support/world/world.ts';

const ACCOUNTS = ['ana', 'bo'] as const;
type AccountId = (typeof ACCOUNTS)[number];

/** Occurs in every memory of an account and in all of its ids except one, and nowhere else. */
const CANARIES: Readonly<Record<AccountId, string>> = { ana: 'avocet', bo: 'bittern' };

const SLIM = 'id,name,started_at,ended_at,is_processing,user_id,duration_seconds,summary';
const LONG = [10, 600, 3000, 6000, 10, 20_000];
const DAY_MS = 24 * 3_600_000;

/** Creates memories of all lengths. The accounts have similar times. */
function memoriesOf(account: AccountId) {
  const canary = CANARIES[account];
  return Array.from({ length: 18 }, (_, i) => {
    const is_processing = i % 4 === 3;
    return memory({
      id: i === 0 ? 'same' : `${canary}-${i}`,
      name: `${canary} ${i}`,
      started_at: new Date(Date.UTC(2026, 0, 5) + i * 2 * DAY_MS).toISOString(),
      ended_at: new Date(Date.UTC(2026, 0, 5) + i * 2 * DAY_MS).toISOString(),
      is_processing,
      summary: is_processing
        ? { quick_summary: '', key_takeaways: [] }
        : { quick_summary: canary, key_takeaways: ['heron'] },
      transcript: `${canary} heron word${i} `.repeat((LONG[i % LONG.length] ?? 0) / 20 + 1),
    });
  });
}

interface Scene {
  readonly database: string;
  readonly keys: Readonly<Record<AccountId, string>>;
  /** Invalid keys of `ana`: one revoked, one expired. */
  readonly closed: readonly string[];
}

function createScene(): Scene {
  const database = join(newFolder(), 'pages.db');
  const keys: Record<AccountId, string> = { ana: '', bo: '' };
  const closed: string[] = [];
  createDatabase(database, (writer) => {
    for (const id of ACCOUNTS) writer.accounts.create({ id, name: id, created_by: 'seed' });
    for (const [i, each] of memoriesOf('ana').entries()) {
      writer.memories.put('ana', each);
      writer.memories.put('bo', memoriesOf('bo')[i]!);
    }
    for (const id of ACCOUNTS) {
      writer.memories.put(id, memory({ id: `${CANARIES[id]}-gone` }));
      writer.memories.delete(id, `${CANARIES[id]}-gone`);
      keys[id] = issued(
        writer.keys.create({ account_id: id, label: 'test', expires_at: null }).key,
      );
    }
    for (const expires_at of [null, 1]) {
      const { id, key } = writer.keys.create({ account_id: 'ana', label: 'closed', expires_at });
      if (expires_at === null) writer.keys.revoke(id);
      closed.push(issued(key));
    }
  });
  return { database, keys, closed };
}

const LISTS = `?
?order=asc
?limit=5
?limit=4&order=asc
?fields=name
?fields=${SLIM}
?is_processing=true
?is_processing=false&order=asc&limit=6
?q=heron
?q=word3&fields=name
?q=her*&order=asc&limit=7`.split('\n');

/**
 * The paths to request for an account: each memory, whole and with selected fields, and every kind
 * of list.
 */
function pathsOf(account: AccountId): string[] {
  const ids = memoriesOf(account).map(({ id }) => id);
  return [
    ...ids.flatMap((id) => [`/memories/${id}`, `/memories/${id}?fields=name,summary`]),
    ...LISTS.map((query) => `/memories${query}`),
    '/changes?limit=7',
  ].map((path) => `/v1${path}`);
}

interface Answer {
  /** 0 if the response broke off. */
  readonly status: number;
  readonly text: string;
  readonly next: string | undefined;
}

function open(database: string, failures: unknown[]): Gateway | undefined {
  const error = ({ err }: { err?: unknown }) => failures.push(err);
  try {
    return openGateway({ database, cacheBytes: 0, log: { error } });
  } catch (refusal) {
    if (refusal instanceof Refusal) return undefined;
    throw refusal;
  }
}

/**
 * Requests every path of every account from a new gateway, and follows pages to the end. Returns
 * undefined if the file is refused.
 */
async function askAll({ database, keys, closed }: Scene, failures: unknown[]) {
  const gateway = open(database, failures);
  if (gateway === undefined) return undefined;
  const ask = async (key: string, path: string): Promise<Answer> => {
    const headers = { 'x-api-key': key };
    const answer = await gateway.fetch(new Request(`http://a${path}`, { headers }));
    const next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
    const { status } = answer;
    return answer.text().then(
      (text) => ({ status, text, next }),
      () => ({ status: 0, text: '', next: undefined }),
    );
  };
  const answers = new Map<string, Answer>();
  for (const account of ACCOUNTS)
    await Promise.all(
      pathsOf(account).map(async (path) => {
        let answer = await ask(keys[account], path);
        answers.set(`${account} ${path}`, answer);
        // If the change feed is damaged, it starts again from the beginning. Every other list ends.
        for (let page = 2; answer.next !== undefined && answer.text !== '[]'; page++) {
          assert.ok(page < 20 || path.startsWith('/v1/changes'), `${path} ends`);
          if (page === 20) break;
          answer = await ask(keys[account], answer.next);
          answers.set(`${account} ${path} ${page}`, answer);
        }
      }),
    );
  for (const [i, key] of closed.entries())
    answers.set(`ana closed key ${i}`, await ask(key, '/v1/memories?limit=1'));
  await gateway.close();
  return answers;
}

/** A way to damage a page. Returns its new bytes. */
type Damage = (page: Buffer, other: Buffer, random: () => number) => void;

const OFFSETS = [0, 3, 9, 100, 700, 2048, 4000];

const DAMAGES: readonly (readonly [string, Damage])[] = [
  ...OFFSETS.flatMap((at): (readonly [string, Damage])[] => [
    [`zeros at ${at}`, (page) => page.fill(0, at, at + 64)],
    [`ones at ${at}`, (page) => page.fill(0xff, at, at + 16)],
    [`a bit near ${at}`, (page, _, random) => flip(page, at + (random() % 90), random)],
    [`random bytes near ${at}`, (page, _, random) => scatter(page, at + (random() % 90), random)],
  ]),
  ...Array.from({ length: 8 }, (_, i): readonly [string, Damage] => [
    `a bit anywhere, ${i}`,
    (page, _other, random) => flip(page, random() % page.length, random),
  ]),
  ['all zeros', (page) => page.fill(0)],
  ['another page', (page, other) => other.copy(page)],
];

function flip(page: Buffer, at: number, random: () => number): void {
  const to = at % page.length;
  page[to]! ^= 1 << (random() % 8);
}

function scatter(page: Buffer, at: number, random: () => number): void {
  for (let i = 0; i < 8; i++) page[(at + i) % page.length] = random() % 256;
}

/** The result of comparing a response of the damaged file with that of the intact file. */
type Kind =
  | 'right'
  | '500'
  | 'broken off'
  | '401'
  | 'filtered or searched list with other members'
  | 'other feed'
  | 'accepted an invalid key';

function judge(what: string, answer: Answer, right: Answer | undefined): Kind {
  const { status, text, next } = answer;
  const account = what.split(' ', 1)[0] as AccountId;
  for (const other of ACCOUNTS)
    if (other !== account) assert.ok(!text.includes(CANARIES[other]), `${what}: of ${other}`);
  if (status === 0) return 'broken off';
  if (status === right?.status && text === right.text && next === right.next) return 'right';
  if (status === 200 && what.includes('closed')) return 'accepted an invalid key';
  if (status !== 200) {
    assert.match(String(JSON.parse(text).detail), /\S/, what);
    assert.ok([500, 401].includes(status), `${what}: ${status}`);
    return String(status) as Kind;
  }
  if (what.includes('/v1/changes')) return 'other feed';
  // Nothing protects the membership of a list by state or words. Hashes protect the content of its
  // memories.
  assert.match(what, /[?&](q|is_processing)=/, `${what}: ${text.slice(0, 200)}`);
  const written = new Map(
    memoriesOf(account).map((each) => [each.id, { ...each, user_id: account }]),
  );
  const seen = new Set<string>();
  for (const each of JSON.parse(text) as Record<string, unknown>[]) {
    const id = String(each['id']);
    assert.ok(!seen.has(id), `${what}: ${id} twice`);
    seen.add(id);
    const whole: Record<string, unknown> = { ...written.get(id) };
    for (const [name, value] of Object.entries(each)) assert.deepEqual(value, whole[name], what);
  }
  return 'filtered or searched list with other members';
}

async function tryAll(t: TestContext, scene: Scene, seed: number): Promise<void> {
  const whole = readFileSync(scene.database);
  const { pageSize, used } = pagesOf(scene.database);
  const right = await askAll(scene, []);
  assert.ok(right);
  for (const [what, { status }] of right)
    assert.equal(status, what.includes('closed') ? 401 : 200, what);
  const random = randomBy(seed);
  const counts = new Map<string, number>();
  const count = (kind: string) => counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const pages = whole.length / pageSize;
  for (let at = 0; at < pages; at++) {
    const start = at * pageSize;
    const page = whole.subarray(start, start + pageSize);
    for (let i = 0; i < sized(DAMAGES.length, 2); i++) {
      const [name, damage] = DAMAGES[sized(i, random() % DAMAGES.length)]!;
      const other = random() % pages;
      const bytes = Buffer.from(page);
      damage(bytes, whole.subarray(other * pageSize, (other + 1) * pageSize), random);
      overwrite(scene.database, start, bytes);
      const failures: unknown[] = [];
      const answers = await askAll(scene, failures);
      if (!answers) count('refused at the start');
      for (const [what, answer] of answers ?? []) {
        count(judge(what, answer, right.get(what)));
      }
      const failed = [...(answers?.values() ?? [])].filter(({ status }) => status % 500 === 0);
      // A repeated error is logged once.
      assert.ok(
        failures.length > 0 || failed.length === 0,
        `page ${at + 1}, ${name}: the error is logged`,
      );
      for (const failure of failures) leave(String(failure));
      count('cases');
    }
    overwrite(scene.database, start, page);
  }
  const mended = await askAll(scene, []);
  assert.deepEqual(
    mended,
    right,
    'after the pages are repaired, the responses are the same as before',
  );
  tell(t, { seed, pages, 'pages in use': used.size, ...Object.fromEntries(counts) });
}

describe('A damaged page', () => {
  it('makes no response wrong, of any account: each one is right or an error', async (t) => {
    const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);
    t.diagnostic(`seed ${seed}`);
    await tryAll(t, createScene(), seed);
  });
});
