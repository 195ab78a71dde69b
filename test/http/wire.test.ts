// HTTP in exact bytes: every case of the table, sent whole, byte by byte and cut at random, gets the documented response.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';

import { createApiKey } from '../../src/store/accounts/api-key.ts';
import { serveAlone } from '../support/processes/serve-process.ts';
import { assertAlways, assertFailure, comparable } from '../support/wire/response-shape.ts';
import { readAnswers, send, type WireAnswer } from '../support/wire/wire.ts';
import { BINARY, stop } from '../support/world/program.ts';
import { createWorld, memory, type World } from '../support/world/world.ts';
import { fill, head, ONE, type Keys, type WireCase } from './wire/case.ts';
import { WIRE_CASES, WIRE_GROUPS } from './wire/cases.ts';
import { converse, scattered, single, whole, type Cut } from './wire/converse.ts';

const SEED = Number(process.env['WIRE_SEED'] ?? Date.now() % 1e9);
const LAST = head('GET /healthz HTTP/1.1', 'Host: x', 'Connection: close');
const AT_ONCE = 16;

/** The server under test: a gateway in this process, or the executable. */
interface Wired {
  readonly port: number;
  readonly keys: Keys;
  /** Stops the server and returns its log lines. */
  readonly readLog: () => Promise<readonly Line[]>;
}

type Line = World['log'][number];

async function createWired(t: TestContext): Promise<Wired> {
  const world = await createWorld(t);
  const key = world.addAccount('ana', [memory({ id: 'one' })]);
  const other = world.addAccount('bo', [memory({ id: 'two' })]);
  const disabled = world.addAccount('cy');
  world.writer.accounts.setDisabled('cy', true);
  const revoked = world.addKey('ana');
  world.writer.keys.revoke(revoked.id);
  const expired = world.addKey('ana', Date.now()).key;
  const unknown = createApiKey();
  const keys = { key, other, disabled, revoked: revoked.key, expired, unknown };
  if (BINARY !== undefined) return { keys, ...(await serve(t, world.database)) };
  return { port: world.port, keys, readLog: async () => world.log };
}

async function serve(t: TestContext, database: string): Promise<Omit<Wired, 'keys'>> {
  const { child, port, lines } = await serveAlone(t, database, ['--access-log']);
  const readLog = async (): Promise<Line[]> => {
    assert.equal(await stop(child), 0);
    return lines()
      .map(({ msg, ...fields }) => ({ message: String(msg), fields }))
      .filter(({ fields }) => fields['request_id'] !== undefined);
  };
  return { port, readLog };
}

/** Sends a case in pieces. If the connection stays open, another request follows its responses. */
async function play(port: number, bytes: string, { statuses, closes }: WireCase, cut: Cut) {
  const pieces = cut(Buffer.from(bytes, 'latin1'));
  const next = { answers: statuses.length, bytes: LAST };
  const text = await converse(port, closes ? { pieces } : { pieces, next });
  return readAnswers(text, bytes + LAST);
}

/**
 * Sends a case and another request in one piece, because there a request could be smuggled or lost.
 */
async function playWithMore(port: number, bytes: string) {
  const text = await converse(port, { pieces: whole(Buffer.from(bytes + LAST, 'latin1')) });
  return readAnswers(text, bytes + LAST);
}

/** Asserts the responses of a case, and the response to the request after it, if one may come. */
function assertAnswers(
  answers: readonly WireAnswer[],
  { bytes, statuses, closes }: WireCase,
): void {
  const expected = closes ? statuses : [...statuses, 200];
  assert.deepEqual(
    answers.map(({ status }) => status),
    expected,
  );
  const methods = Array.from(bytes.matchAll(/^([A-Z]{3,9}) /gm), ([, method]) => method);
  for (const [i, answer] of answers.entries()) {
    const { status, headers, body } = answer;
    const isHead = methods[i] === 'HEAD';
    if (status >= 400 && !isHead) assertFailure(answer, status);
    else assertAlways(answer);
    if (isHead || status === 304) assert.equal(body.length, 0);
    else assert.equal(headers['content-length'], String(body.length));
    if (isHead) assert.ok(Number(headers['content-length']) > 0);
    const allowed = bytes.includes(' /mcp ') ? 'POST' : 'GET, HEAD';
    assert.equal(headers['allow'], status === 405 ? allowed : undefined);
    assert.equal(headers['www-authenticate'], status === 401 ? 'Bearer' : undefined);
    const isLast = i === answers.length - 1;
    assert.equal(headers['connection'], isLast ? 'close' : 'keep-alive', `answer ${i + 1}`);
  }
  if (!closes) assert.equal(answers.at(-1)?.text, '{"status":"up"}');
}

/** Plays a case in every way. Returns all responses. */
async function playAll({ port, keys }: Wired, found: WireCase, seed: number) {
  const bytes = fill(found.bytes, keys);
  const each = [];
  for (const [way, cut] of Object.entries({ whole, single, scattered: scattered(seed) })) {
    const answers = await play(port, bytes, found, cut);
    each.push({ way, answers });
  }
  each.push({ way: 'with a request behind', answers: await playWithMore(port, bytes) });
  for (const { way, answers } of each) {
    assertAnswers(answers, found);
    assert.deepEqual(answers.map(comparable), each[0]?.answers.map(comparable), way);
  }
  const canary = await send(port, { path: ONE, key: keys.key });
  assert.equal(canary.status, 200, 'the next connection');
  return each.flatMap(({ answers }) => answers);
}

async function playGroup(wired: Wired, group: readonly WireCase[]) {
  const waiting = Array.from(group.entries());
  const failures: string[] = [];
  const answers: WireAnswer[] = [];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [i, found] = next;
      try {
        answers.push(...(await playAll(wired, found, SEED + i)));
      } catch (error) {
        failures.push(`${found.name} (RFC ${found.rfc}; WIRE_SEED=${SEED}): ${String(error)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  assert.deepEqual(failures, []);
  return answers;
}

describe('The table of cases', () => {
  it('has no case twice, and a reason for each', () => {
    const sent = new Set(WIRE_CASES.map(({ bytes }) => bytes));
    const names = new Set(WIRE_CASES.map(({ name }) => name));
    assert.deepEqual([sent.size, names.size], [WIRE_CASES.length, WIRE_CASES.length]);
    assert.ok(WIRE_CASES.length >= 150);
    for (const { name, rfc, why, statuses } of WIRE_CASES) {
      assert.match(rfc, /^\d{4} §\d+(\.\d+)*$/, name);
      assert.ok(why.length > 5, name);
      assert.ok(statuses.length > 0, name);
    }
  });
});

for (const [name, group] of Object.entries(WIRE_GROUPS))
  describe(name, () => {
    it('gets the response that its section demands, however it is cut', async (t) => {
      const wired = await createWired(t);
      const answers = await playGroup(wired, group);
      const log = await wired.readLog();
      const logged = new Map(log.map(({ fields }) => [fields['request_id'], fields]));
      for (const { status, headers } of answers)
        assert.equal(logged.get(headers['x-request-id'])?.['status'], status);
      const ids = log.map(({ fields }) => fields['request_id']);
      assert.equal(new Set(ids).size, ids.length, 'one line for each request');
      assert.deepEqual(
        log.filter(({ message }) => message === 'request failed'),
        [],
      );
    });
  });
