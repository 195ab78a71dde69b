// What may become of a database under a server that answers: each answer right, or 500, and all is well again without a restart.

import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { sized, tell } from '../support/faults.ts';
import { createFiles, HARMS, LINK_HARMS, type Files, type Harm } from '../support/harms.ts';
import { newFolder } from '../support/left.ts';
import { start, stop } from '../support/program.ts';
import { hear, portOf } from '../support/served.ts';
import { createServerOn } from '../support/serving.ts';
import { send } from '../support/wire.ts';

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

/** What the two states of a database answer, by path, and every memory of theirs as it stands in a list. */
interface Golden {
  readonly answers: ReadonlyMap<string, string>;
  readonly memories: readonly string[];
}

/** Asks for a path; an answer that breaks off is `cut`. */
async function ask(port: number, path: string, key: string): Promise<string> {
  try {
    const { status, text } = await send(port, { path, key });
    return `${status} ${text}`;
  } catch (error) {
    return `cut: ${(error as Error).message}`;
  }
}

/** What a file answers that nothing happens to. */
async function goldenOf(t: TestContext, { key }: Files, database: string): Promise<Golden> {
  const { port } = await createServerOn(t, database);
  const answers = new Map<string, string>();
  for (const path of PATHS) answers.set(path, await ask(port, path, key));
  return { answers, memories: memoriesOf(answers.get(WHOLE) ?? '') };
}

function memoriesOf(said: string): string[] {
  return (JSON.parse(said.slice(4)) as unknown[]).map((each) => JSON.stringify(each));
}

/** A list that is streamed goes on in the file that has come: each of its memories is of one of them. */
function isOfBoth(path: string, said: string, all: ReadonlySet<string>): boolean {
  if (path !== WHOLE || !said.startsWith('200 ')) return false;
  return memoriesOf(said).every((each) => all.has(each));
}

/** Asks without end, and notes what came that is of no state and no 500 with its detail. */
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

/** Waits until every path has the answer that is wanted of it, a few times over: workers take turns. */
async function until(port: number, key: string, wanted: (path: string, said: string) => boolean) {
  for (let times = 0; times < 3;) {
    const said = await Promise.all(PATHS.map((path) => ask(port, path, key)));
    times = PATHS.every((path, i) => wanted(path, said[i] ?? '')) ? times + 1 : 0;
    await sleep(20);
  }
}

async function statusOf(port: number, path: string): Promise<number> {
  return (await send(port, { path })).status;
}

/** Does a harm to what a server serves, mends it, and returns what came of requests meanwhile. */
async function survive(t: TestContext, each: Harm, options: { linked: boolean; workers: number }) {
  const folder = join(newFolder(), 'kept');
  mkdirSync(folder);
  const files = await createFiles(folder, options.linked);
  const states = {
    old: await goldenOf(t, files, files.old),
    next: await goldenOf(t, files, files.next),
  };
  assert.notDeepEqual(states.old.answers, states.next.answers);
  const args = ['serve', '--port', '0', '--workers', String(options.workers)];
  const child = start([...args, '--database', files.served]);
  t.after(() => stop(child, 'SIGKILL'));
  const log = hear(child.stdout);
  const port = await portOf(child);
  const of = (state: 'old' | 'next') => (path: string, text: string) =>
    states[state].answers.get(path) === text;
  const all = new Set([...states.old.memories, ...states.next.memories]);
  const isFailure = (_path: string, text: string) => text.startsWith('500 ');
  const load = startLoad(
    port,
    files.key,
    (path, text) => of('old')(path, text) || of('next')(path, text) || isOfBoth(path, text, all),
  );
  t.after(() => load.end());
  await until(port, files.key, of('old'));
  const mend = each.harm(files);
  await until(port, files.key, each.seen === 'nothing' ? isFailure : of(each.seen));
  assert.equal(await statusOf(port, '/readyz'), each.seen === 'nothing' ? 503 : 200);
  assert.equal(await statusOf(port, '/healthz'), 200);
  mend();
  await until(port, files.key, of(each.mended));
  assert.equal(await statusOf(port, '/readyz'), 200);
  await load.end();
  assert.equal(child.exitCode, null, 'alive');
  assert.equal(await stop(child), 0);
  return { ...load, logged: log().split('request failed').length - 1 };
}

const trials = [
  ...HARMS.map((harm) => ({ harm, linked: false })),
  ...LINK_HARMS.map((harm) => ({ harm, linked: true })),
];

/** Under one server all of them, in a short trial a part; under two a part. */
const servings = [
  { what: 'a server', workers: 1, every: sized(1, 6) },
  { what: 'two workers', workers: 2, every: sized(3, 9) },
];

for (const { what, workers, every } of servings) {
  describe(`Under ${what}, a database that`, { concurrency: 3 }, () => {
    for (const { harm, linked } of trials.filter((_, i) => i % every === 0))
      it(`${harm.name} costs no more than 500s, until it is as it should be`, async (t) => {
        const { count, wrong, logged } = await survive(t, harm, { linked, workers });
        tell(t, { ...count, wrong: wrong.length, logged });
        assert.deepEqual(wrong.slice(0, 5), []);
        assert.ok(count.right > 0);
        assert.ok(harm.seen !== 'nothing' || count.failed > 0);
      });
  });
}
