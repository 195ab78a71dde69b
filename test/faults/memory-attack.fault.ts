// The memory attacker: for each kind of request, the most memory that one key and no key can take.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';

import { createApiKey } from '../../src/store/accounts/api-key.ts';
import type { NewMemory } from '../../src/store/import/memory-row.ts';
import { createDatabase, withFileWriterSync } from '../../src/store/sqlite/writer.ts';
import { attackWith, incompressible, MIB, requestHead } from '../support/damage/stopped-readers.ts';
import { tell } from '../support/damage/trial.ts';
import { noGauges } from '../support/processes/process-usage.ts';
import { issued, newFolder } from '../support/world/artifacts.ts';
import { isShort, sized } from '../support/world/thorough.ts';
import { memories, memory } from '../support/world/world.ts';

/** A kind of request: what the connection with a number sends, given the attacker's key. */
interface Kind {
  readonly bytesOf: (connection: number, key: string) => string;
  readonly connections?: number;
  /** The most bytes above idle, if they are more than those of other kinds. */
  readonly most?: number;
  readonly isAtOnce?: boolean;
  /** How many are sent: the others get 429. */
  readonly sent?: number;
}

const CONNECTIONS = 1000;

const laterBy = (seconds: number) => new Date(Date.UTC(2027, 0, 1, 0, 0, seconds)).toISOString();
const pageHead = (i: number, key: string, encoding: string) =>
  requestHead(`GET /v1/memories?limit=12&started_before=${laterBy(i)}`, {
    'x-api-key': key,
    'accept-encoding': encoding,
  });
const get = (target: string, headers: Record<string, string> = {}) =>
  requestHead(`GET ${target}`, headers);

/** How many long responses of an account are sent at a time. */
const LONG_RESPONSES = 64;

/** 256 KiB for each connection, and the long responses. */
const KEY_BYTES = 300 * MIB;

const WITH_KEY: Readonly<Record<string, Kind>> = {
  ...Object.fromEntries(
    ['identity', 'gzip', 'br', 'zstd', 'gzip, identity;q=0'].map((encoding) => [
      `whole lists, ${encoding}`,
      {
        sent: LONG_RESPONSES,
        bytesOf: (_: number, key: string) =>
          get('/v1/memories', { 'x-api-key': key, 'accept-encoding': encoding }),
      },
    ]),
  ),
  'lists that begin with a memory of 20 MB': {
    connections: LONG_RESPONSES,
    sent: LONG_RESPONSES,
    bytesOf: (_, key) => get('/v1/memories?order=asc', { 'x-api-key': key }),
  },
  'different whole pages, unencoded': { bytesOf: (i, key) => pageHead(i, key, 'identity') },
  'different whole pages, zstd': { bytesOf: (i, key) => pageHead(i, key, 'zstd') },
  'long pages, br': {
    bytesOf: (i, key) =>
      get(`/v1/memories?limit=${500 + (i % 400)}`, { 'x-api-key': key, 'accept-encoding': 'br' }),
  },
  'a memory of 20 MB, unencoded': {
    connections: 200,
    bytesOf: (_, key) => get('/v1/memories/long', { 'x-api-key': key }),
  },
  'a memory of 20 MB, zstd': {
    connections: 200,
    bytesOf: (_, key) =>
      get('/v1/memories/long', { 'x-api-key': key, 'accept-encoding': 'zstd, identity;q=0' }),
  },
  'the headers of a memory of 20 MB, gzip': {
    connections: 200,
    bytesOf: (_, key) =>
      requestHead('HEAD /v1/memories/long', { 'x-api-key': key, 'accept-encoding': 'gzip' }),
  },
  'searches without a match': {
    bytesOf: (i, key) => get(`/v1/memories?q=zz${i}`, { 'x-api-key': key }),
  },
  'the feed': {
    bytesOf: (i, key) => get(`/v1/changes?limit=${1 + (i % 1000)}`, { 'x-api-key': key }),
  },
  'a hundred lists on each connection': {
    bytesOf: (_, key) => get('/v1/memories', { 'x-api-key': key }).repeat(100),
  },
};

/** Most kinds took at most 43 MiB, and a hundred requests on each connection 182 MiB. */
const NO_KEY_BYTES = 250 * MIB;
const WITHOUT_KEY: Readonly<Record<string, Kind>> = {
  'half of a head': {
    bytesOf: () => `GET /${'x'.repeat(8000)} HTTP/1.1\r\na: ${'y'.repeat(7000)}`,
  },
  'long targets with a wrong key': {
    bytesOf: (i) => get(`/v1/memories?q=${i}${'x'.repeat(7000)}`, { 'x-api-key': createApiKey() }),
  },
  'a hundred requests with a wrong key on each connection': {
    bytesOf: () => get('/v1/memories', { 'x-api-key': createApiKey() }).repeat(100),
  },
  'five hundred requests with a wrong key on each connection': {
    // Node parses all of a read, of every connection, before one of them can be closed: 840 to 1,140 MiB.
    most: 1500 * MIB,
    isAtOnce: true,
    bytesOf: () => get('/v1/memories', { 'x-api-key': createApiKey() }).repeat(500),
  },
  'the script of the reference page, zstd': {
    bytesOf: () => get('/docs/swagger-ui-bundle.js', { 'accept-encoding': 'zstd' }),
  },
  'the script of the reference page, unencoded': {
    bytesOf: () => get('/docs/swagger-ui-bundle.js'),
  },
  'the OpenAPI document': { bytesOf: () => get('/openapi.json') },
};

/** What all attacks read, each from a server of its own: long memories of one account, and a few of another. */
function createTarget() {
  const database = join(newFolder(), 'memories.db');
  createDatabase(database);
  return withFileWriterSync(database, (writer) => {
    const add = (id: string, all: readonly NewMemory[]) => {
      writer.accounts.create({ id, name: id, created_by: 'seed' });
      writer.memories.putAll(id, [...all]);
      return issued(writer.keys.create({ account_id: id, label: id, expires_at: null }).key);
    };
    const started_at = '2020-01-01T00:00:00.000Z';
    const key = add('ana', [
      ...incompressible(sized(2000, 1000), 20_000),
      memory({ id: 'long', started_at, transcript: 'x'.repeat(20e6) }),
    ]);
    return { database, key, otherKey: add('bo', memories(10)) };
  });
}

let target: ReturnType<typeof createTarget> | undefined;

async function attack(
  t: TestContext,
  { bytesOf, connections = CONNECTIONS, isAtOnce, sent }: Kind,
  most: number,
) {
  const { database, key, otherKey } = (target ??= createTarget());
  const { peak, statuses } = await attackWith(t, {
    database,
    otherKey,
    connections,
    isAtOnce,
    bytesOf: (i) => bytesOf(i, key),
  });
  tell(t, { connections, 'MiB above idle': Math.round(peak / MIB), ...statuses });
  assert.ok(peak <= most, `${Math.round(peak / MIB)} MiB`);
  if (sent === undefined) return;
  assert.ok((statuses['200'] ?? 0) <= sent);
  assert.ok((statuses['429'] ?? 0) >= connections - sent);
}

/** The kinds that took most. A short trial has no time for the others. */
const WORST = /^long pages|^a hundred lists|^five hundred/;

function chosen(kinds: Readonly<Record<string, Kind>>) {
  return Object.entries(kinds).filter(([name]) => !isShort || WORST.test(name));
}

describe('Readers that stop, with one key', { skip: noGauges }, () => {
  for (const [name, kind] of chosen(WITH_KEY))
    it(`take at most ${KEY_BYTES / MIB} MiB with ${name}`, (t) => attack(t, kind, KEY_BYTES));
});

describe('Readers that stop, without a key', { skip: noGauges }, () => {
  for (const [name, kind] of chosen(WITHOUT_KEY))
    it(`take at most ${(kind.most ?? NO_KEY_BYTES) / MIB} MiB with ${name}`, (t) =>
      attack(t, kind, kind.most ?? NO_KEY_BYTES));
});
