// serve --watch and --pull: one process that serves, imports what arrives, and pulls again and again.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { Worker } from 'node:worker_threads';

import { createJobRunner } from '../../src/cli/serve/jobs/run-jobs.ts';
import { threadOf } from '../../src/cli/serve/jobs/start-thread.ts';
import { createLimitless } from '../support/sources/lifelogs.ts';
import { memoriesOf, SECRET } from '../support/sources/pulls.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { run, startProcess } from '../support/world/program.ts';
import { createWorld, memories, type World } from '../support/world/world.ts';

type Line = Readonly<Record<string, unknown>>;

/** Starts a server as a process. `until` resolves with the first line of its log that has these fields. */
function startServer(t: TestContext, world: World, ...args: string[]) {
  const child = startProcess(['serve', '--database', world.database, '--port', '0', ...args], {
    env: { LIMITLESS_API_KEY: SECRET },
  });
  t.after(() => child.kill('SIGKILL'));
  const log: Line[] = [];
  let rest = '';
  child.stdout.on('data', (part: Buffer) => {
    const whole = (rest + part.toString()).split('\n');
    rest = whole.pop() ?? '';
    log.push(...whole.map((line) => JSON.parse(line) as Line));
    child.emit('line');
  });
  const until = async (wanted: Line): Promise<Line> => {
    for (;;) {
      const found = log.find((line) => Object.entries(wanted).every(([k, v]) => line[k] === v));
      if (found !== undefined) return found;
      await once(child, 'line');
    }
  };
  return { child, log, until };
}

async function createAna(t: TestContext) {
  const world = await createWorld(t);
  world.addAccount('ana');
  return world;
}

describe('serve --watch and --pull', () => {
  it('import what arrives and what is new, and stop with the server', async (t) => {
    const world = await createAna(t);
    const { source } = await createLimitless(t);
    const [folder, [own]] = [newFolder(), memories(1)];
    writeFileSync(join(folder, 'own.json'), JSON.stringify(own));
    const { child, until } = startServer(
      t,
      world,
      `--watch=${folder}`,
      '--pull=limitless=1h',
      `--pull-url=limitless=${source.url}`,
    );
    await until({ msg: 'listening' });
    const pulled = await until({ msg: 'pulled', pull: 'limitless' });
    assert.equal(pulled['added'], 4);
    await until({ msg: 'imported', file: 'own.json' });
    assert.equal((await memoriesOf(world)).size, 5);
    child.kill('SIGTERM');
    const [code] = (await once(child, 'close')) as [number];
    assert.equal(code, 0);
    const { stdout } = await run(['sources', 'list', '--database', world.database, '--json']);
    const results = (JSON.parse(stdout) as { result: string }[]).map(({ result }) => result);
    assert.deepEqual(results, ['ok', 'ok'], 'the watch has stored its end');
  });

  it('pull no sooner than in a month if that is their interval, although timers cannot wait so long', async (t) => {
    const world = await createAna(t);
    const { source, product } = await createLimitless(t);
    const [folder, [own]] = [newFolder(), memories(1)];
    const { child, log, until } = startServer(
      t,
      world,
      `--watch=${folder}`,
      '--pull=limitless=30d',
      `--pull-url=limitless=${source.url}`,
    );
    await until({ msg: 'pulled', pull: 'limitless' });
    const sent = product.requests.length;
    writeFileSync(join(folder, 'own.json'), JSON.stringify(own));
    await until({ msg: 'imported', file: 'own.json' });
    child.kill('SIGTERM');
    await once(child, 'close');
    assert.equal(log.filter(({ msg }) => msg === 'pulled').length, 1);
    assert.equal(product.requests.length, sent);
  });

  it('refuse what cannot be meant, before the server starts', async (t) => {
    const world = await createAna(t);
    const cases: [string[], RegExp][] = [
      [['--pull', 'limitles=1h'], /Unknown source "limitles"/],
      [['--pull', 'limitless'], /--pull takes a source and a value, such as limitless=15m/],
      [['--pull', 'limitless=1s'], /--pull takes a duration from 1m to 365d, not "1s"/],
      [['--pull', 'limitless=1h'], /LIMITLESS_API_KEY, or pass --pull-credential limitless=FILE/],
      [['--pull', 'bee=1h'], /Give --pull-url bee=URL/],
      [['--pull-url', 'bee=http://127.0.0.1:1'], /--pull-url names bee; add --pull bee=1h/],
      [['--pull', 'bee=1h', '--pull', 'bee=2h'], /Give --pull once for bee/],
      [['--account', 'ana'], /--account and --move are for --watch and --pull/],
      [['--watch', '.', '--account', 'bob'], /There is no account "bob"/],
    ];
    for (const [args, says] of cases) {
      const { code, stderr } = await run(['serve', '--database', world.database, ...args], {
        env: {},
      });
      assert.match(stderr, says);
      assert.ok(code === 1 || code === 2);
    }
  });
});

describe('The thread of jobs', () => {
  it('is started again after a crash, which is logged', async () => {
    const logged: string[] = [];
    const seen = Promise.withResolvers<void>();
    const codes = [
      'throw new Error("broken");',
      'require("node:worker_threads").parentPort.once("message", () => {}).postMessage({ level: "info", fields: {}, message: "again" });',
    ];
    const log = (level: string) => (_: object, message: string) => {
      logged.push(`${level}: ${message}`);
      if (message === 'again') seen.resolve();
    };
    const { start: startJobs, stop } = createJobRunner({
      context: { env: {}, program: [] },
      database: 'none.db',
      logger: { info: log('info'), warn: log('warn'), error: log('error') },
      openThread: (_, onMessage) =>
        threadOf(new Worker(codes.shift() ?? '', { eval: true }), onMessage),
    });
    startJobs([{ about: {}, argv: [] }]);
    await seen.promise;
    await stop(1000);
    assert.deepEqual(logged, [
      'error: the thread for --watch, --pull and the sources of the app has crashed; it starts again',
      'info: again',
    ]);
  });
});
