// Faults of a database under a running server: each response is right or 500, and the server recovers without a restart.

import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import {
  createFiles,
  HARMS,
  LINK_HARMS,
  type Files,
  type Harm,
} from '../support/damage/file-faults.ts';
import { tell } from '../support/damage/trial.ts';
import { serveAlone } from '../support/processes/serve-process.ts';
import { send } from '../support/wire/wire.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { stop } from '../support/world/program.ts';
import { createServerOn } from '../support/world/server-in-process.ts';
import { sized } from '../support/world/thorough.ts';

const LANES = 4;
const WHOLE = '/v1/memories';
const PATHS = [
  '/v1/memories?limit=5',
  '/v1/memories/m003',
  '/v1/memories/m220',
  '/v1/memories?q=hello&limit=3',
  '/v1/memories?fields=name',
  WHOLE,
  '/v1/changes?limit=10',
];

/** The responses of two databases by path, and all memories of both as they appear in a list. */
interface Golden {
  readonly answers: ReadonlyMap<string, string>;
  readonly memories: readonly string[];
}

/** Sends a request. A response that breaks off is `cut`. */
async function ask(port: number, path: string, key: string): Promise<string> {
  try {
    const { status, text } = await send(port, { path, key });
    return `${status} ${text}`;
  } catch (error) {
    return `cut: ${(error as Error).message}`;
  }
}

/** Returns the responses of a database without a fault. */
async function goldenOf(t: TestContext, { key }: Files, database: string): Promise<Golden> {
  const { port } = await createServerOn(t, database);
  const answers = new Map<string, string>();
  for (const path of PATHS) answers.set(path, await ask(port, path, key));
  return { answers, memories: memoriesOf(answers.get(WHOLE) ?? '') };
}

function memoriesOf(said: string): string[] {
  return (JSON.parse(said.slice(4)) as unknown[]).map((each) => JSON.stringify(each));
}

/**
 * A streamed list may continue in the replaced file, so each of its memories is from one of the two
 * databases.
 */
function isOfBoth(path: string, said: string, all: ReadonlySet<string>): boolean {
  if (path !== WHOLE || !said.startsWith('200 ')) return false;
  return memoriesOf(said).every((each) => all.has(each));
}

/**
 * Sends requests endlessly, and collects the responses that match neither database and are no 500
 * with a detail.
 */
function startLoad(port: number, key: string, isRight: (path: string, said: string) => boolean) {
  const asking = new AbortController();
  const count = { right: 0, failed: 0, cut: 0 };
  const wrong: string[] = [];
  const lane = async (): Promise<void> => {
    for (let i = 0; !asking.signal.aborted; i++) {
      const path = PATHS[i % PATHS.length] ?? '';
      const said = await ask(port, path, key);
      if (isRight(path, said)) count.right++;
      else if (/^500 \{"detail":"[^"]/.test(said)) count.failed++;
      else if (said.startsWith('cut') && path === WHOLE) count.cut++;
      else wrong.push(`${path}: ${said.slice(0, 300)}`);
    }
  };
  const lanes = Promise.all(Array.from({ length: LANES }, lane));
  return {
    count,
    wrong,
    async end(): Promise<void> {
      asking.abort();
      await lanes;
    },
  };
}

/**
 * Waits until every path has the expected response several times in a row, and `/readyz` its status. That
 * one looks at the file once a second at most, so it may still be 200 when reads already fail.
 */
async function until(
  {
    port,
    key,
    signal,
  }: { readonly port: number; readonly key: string; readonly signal: AbortSignal },
  ready: 200 | 503,
  wanted: (path: string, said: string) => boolean,
) {
  for (let times = 0; times < 3;) {
    const said = await Promise.all(PATHS.map((path) => ask(port, path, key)));
    const isAsWanted = PATHS.every((path, i) => wanted(path, said[i] ?? ''));
    times = isAsWanted && (await statusOf(port, '/readyz')) === ready ? times + 1 : 0;
    await sleep(20, undefined, { signal });
  }
}

async function statusOf(port: number, path: string): Promise<number> {
  return (await send(port, { path })).status;
}

/** Causes a fault, repairs it, and returns the counts of the responses. */
async function survive(t: TestContext, each: Harm, linked: boolean) {
  const folder = join(newFolder(), 'kept');
  mkdirSync(folder);
  const files = await createFiles(folder, linked);
  const states = {
    old: await goldenOf(t, files, files.old),
    next: await goldenOf(t, files, files.next),
  };
  assert.notDeepEqual(states.old.answers, states.next.answers);
  const { child, port, log } = await serveAlone(t, files.served);
  const of = (state: 'old' | 'next') => (path: string, text: string) =>
    states[state].answers.get(path) === text;
  const all = new Set([...states.old.memories, ...states.next.memories]);
  const asked = { port, key: files.key, signal: t.signal };
  const isFailure = (_path: string, text: string) => text.startsWith('500 ');
  const load = startLoad(
    port,
    files.key,
    (path, text) => of('old')(path, text) || of('next')(path, text) || isOfBoth(path, text, all),
  );
  t.after(() => load.end());
  await until(asked, 200, of('old'));
  const mend = each.harm(files);
  if (each.seen === 'nothing') await until(asked, 503, isFailure);
  else await until(asked, 200, of(each.seen));
  assert.equal(await statusOf(port, '/healthz'), 200);
  mend();
  await until(asked, 200, of(each.mended));
  await load.end();
  assert.equal(child.exitCode, null, 'alive');
  assert.equal(await stop(child), 0);
  return { ...load, logged: log().split('request failed').length - 1 };
}

const trials = [
  ...HARMS.map((harm) => ({ harm, linked: false })),
  ...LINK_HARMS.map((harm) => ({ harm, linked: true })),
];

describe('A database that', { concurrency: 3 }, () => {
  for (const { harm, linked } of trials.filter((_, i) => i % sized(1, 6) === 0))
    it(`${harm.name} causes 500s at most, and recovers when it is repaired`, async (t) => {
      const { count, wrong, logged } = await survive(t, harm, linked);
      tell(t, { ...count, wrong: wrong.length, logged });
      assert.deepEqual(wrong.slice(0, 5), []);
      assert.ok(count.right > 0);
      assert.ok(harm.seen !== 'nothing' || count.failed > 0);
    });
});
