// The executable alone: without Node, environment or privileges, on a read-only system, in folders that forbid execution.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';

import { serveAlone } from '../support/processes/serve-process.ts';
import { send } from '../support/wire/wire.ts';
import { issued, newFolder } from '../support/world/artifacts.ts';
import { BINARY, ROOT, runProcess, startProcess, stop, waitFor } from '../support/world/program.ts';
import { createWorld, memories } from '../support/world/world.ts';

const NOBODY = 65534;
const isRoot = process.getuid?.() === 0;
const isLinux = process.platform === 'linux';
const needsRoot = !(isRoot && isLinux) && 'needs root on Linux, to change the user and to mount';

const isUnstripped =
  spawnSync('strip', ['--version']).status !== 0 &&
  'needs strip, of binutils, to build the executable';
const EMULATOR = 'qemu-x86_64';
const noProcessors =
  !(process.arch === 'x64' && spawnSync(EMULATOR, ['--version']).status === 0) &&
  'needs qemu-x86_64 (qemu-user), and an executable for it';

/** Runs a command as nobody, with only the given environment. */
function asNobody(...given: readonly string[]): string[] {
  const who = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];
  return [...who, 'env', '-i', ...given];
}

/** Runs a command with empty mounts on these folders, which forbid execution. */
function whereNothingRuns(...folders: readonly string[]): string[] {
  const mounts = folders.map((folder) => `mount -t tmpfs -o noexec,mode=1777 none ${folder}`);
  return ['unshare', '--mount', 'sh', '-c', `${mounts.join(' && ')} && exec "$@"`, 'sh'];
}

/** Creates a read-only folder with the executable, and an empty folder that the user "nobody" owns. */
function createPlaces() {
  const root = newFolder();
  const own = join(root, 'own');
  const place = join(root, 'place');
  for (const folder of [own, place]) mkdirSync(folder);
  for (let up = root; up !== '/'; up = dirname(up)) chmodSync(up, up === '/tmp' ? 0o1777 : 0o755);
  const binary = join(place, 'memory-gateway');
  copyFileSync(String(BINARY), binary);
  chmodSync(binary, 0o555);
  chmodSync(place, 0o555);
  chownSync(own, NOBODY, NOBODY);
  return { own, place, binary };
}

/** Serves, and requests the memories with a key. */
async function readBack(t: TestContext, database: string, under: readonly string[], key: string) {
  const { child, port } = await serveAlone(t, database, [], { under });
  const { text } = await send(port, { key });
  assert.equal(await stop(child), 0);
  return JSON.parse(text).length;
}

describe('The executable', () => {
  it(
    'serves and writes as nobody, with an empty environment, from a folder that it cannot write',
    { skip: needsRoot },
    async (t) => {
      const { own, place } = createPlaces();
      const under = [...asNobody(`TMPDIR=${own}`), 'env', '-C', place];
      const database = join(own, 'mine.db');
      const on = ['--database', database];
      const ok = async (...args: string[]) => {
        const { code, stdout, stderr } = await runProcess([...args, ...on], { under });
        assert.equal(code, 0, stderr);
        return stdout.trim();
      };
      const bare = await runProcess(['--version'], { under: asNobody() });
      assert.match(bare.stdout, /, SQLite 3\./, bare.stderr);
      await ok('migrate');
      await ok('accounts', 'create', 'Ana', '--id', 'ana');
      const key = issued(await ok('keys', 'create', '--account', 'ana'));
      assert.equal(await readBack(t, database, under, key), 0);
      const left = readdirSync(own).filter((name) => !/^mine\.db(-wal|-shm)?$/.test(name));
      assert.deepEqual(left, [], 'nothing is left of the addon');
    },
  );

  it(
    'finds another folder for its addon if the usual one forbids execution',
    { skip: needsRoot },
    async (t) => {
      const world = await createWorld(t);
      const key = world.addAccount('ana', memories(3));
      const usual = newFolder();
      const under = [...whereNothingRuns(usual), 'env', `TMPDIR=${usual}`];
      assert.equal(await readBack(t, world.database, under, key), 3);
    },
  );

  it(
    'says in one sentence what to set if every folder forbids execution',
    { skip: needsRoot },
    async () => {
      const here = newFolder();
      const under = [
        ...whereNothingRuns('/dev/shm', '/var/tmp', here),
        'env',
        '-i',
        `TMPDIR=${here}`,
        'HOME=/nowhere',
        'env',
        '-C',
        here,
      ];
      const { code, stdout, stderr } = await runProcess(['migrate', '--database', 'mine.db'], {
        under,
      });
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(
        stderr,
        /^memory-gateway: SQLite can be loaded from none of these folders \([^\n]*\/dev\/shm: nothing can be run there; [^\n]*\); name one in TMPDIR that is yours, has 3 MB of room and is not mounted noexec\.\n$/,
      );
      assert.deepEqual(readdirSync(here), []);
    },
  );

  it(
    'serves its demo in the current folder, or in the data folder of a user who cannot write there',
    { skip: needsRoot },
    async (t) => {
      const { own, place } = createPlaces();
      for (const [folder, given, file] of [
        [own, 'HOME=/nowhere', join(own, 'demo.db')],
        [place, `XDG_DATA_HOME=${own}/data`, join(own, 'data/memory-gateway/demo.db')],
        [place, `HOME=${own}/home`, join(own, 'home/.local/share/memory-gateway/demo.db')],
      ] as const) {
        const under = [...asNobody(given), 'env', '-C', folder];
        const child = startProcess(['demo', '--port', '0'], { under });
        t.after(() => stop(child, 'SIGKILL'));
        const said = await waitFor(child, 'stdout', /Ctrl\+C/);
        for (const [key] of said.matchAll(/mem_\w{49}/g)) issued(key);
        assert.match(said, /^Memory Gateway serves 45 memories of 3 accounts at http:/m);
        const [, curl = '', url = ''] =
          /^curl -s -H 'Authorization: Bearer (\S+)' '(\S+)'$/m.exec(said) ?? [];
        const answer = await fetch(url, { headers: { 'x-api-key': curl } });
        assert.equal(((await answer.json()) as object[]).length, 3);
        assert.equal(await stop(child), 0);
        assert.ok(readdirSync(dirname(file)).includes('demo.db'), file);
      }
      const nowhere = [...asNobody('HOME=/nowhere'), 'env', '-C', place];
      const { code, stderr } = await runProcess(['demo', '--port', '0'], { under: nowhere });
      assert.equal(code, 1);
      assert.match(
        stderr,
        /^memory-gateway: The demo cannot create its database: [^\n]*; name a file with --database\.\n$/,
      );
    },
  );

  it('is as large as the manual says', { skip: isUnstripped }, () => {
    const page = readFileSync(join(ROOT, 'docs/howto/executable.md'), 'utf8');
    const said = Number(/\((\d+) MB\)/.exec(page)?.[1]);
    const found = statSync(String(BINARY)).size / 1e6;
    assert.ok(Math.abs(found / said - 1) < 0.05, `${found} MB, but the manual says ${said}`);
  });

  it('runs on an older processor than it was built on', { skip: noProcessors }, async () => {
    const under = [EMULATOR, '-cpu', 'Nehalem'];
    const database = join(newFolder(), 'mine.db');
    const { code, stdout, stderr } = await runProcess(['migrate', '--database', database], {
      under,
    });
    assert.equal(code, 0, stderr);
    assert.match(stdout, /mine\.db has SQLite schema \d/);
  });

  it('uses no folder of another user for its addon', { skip: needsRoot }, async () => {
    const foreign = join(newFolder(), 'foreign');
    mkdirSync(foreign);
    chownSync(foreign, 1234, 1234);
    const database = join(newFolder(), 'mine.db');
    for (const [folder, says] of [
      [foreign, 'it is another user’s'],
      ['here', 'it is relative'],
    ] as const) {
      const under = [
        ...whereNothingRuns('/dev/shm', '/var/tmp'),
        'env',
        '-i',
        `TMPDIR=${folder}`,
        'HOME=/nowhere',
      ];
      const { code, stderr } = await runProcess(['migrate', '--database', database], { under });
      assert.equal(code, 1);
      assert.ok(stderr.includes(`(${folder}: ${says}; /dev/shm: `), stderr);
      const version = await runProcess(['--version'], { under });
      assert.equal(version.code, 0);
      assert.match(version.stdout, /, SQLite not loaded$/m);
    }
    assert.deepEqual(readdirSync(foreign), []);
  });

  it(
    'loads its addon by descriptor from a folder that others can write, and refuses it without /proc',
    { skip: needsRoot },
    async () => {
      const open = newFolder();
      chmodSync(open, 0o777);
      const elsewhere = whereNothingRuns('/dev/shm', '/var/tmp');
      const given = ['env', '-i', `TMPDIR=${open}`, 'HOME=/nowhere'];
      const database = join(newFolder(), 'mine.db');
      const good = await runProcess(['migrate', '--database', database], {
        under: [...elsewhere, ...given],
      });
      assert.equal(good.code, 0, good.stderr);
      assert.deepEqual(readdirSync(open), []);
      const noProc = ['sh', '-c', 'mount -t tmpfs none /proc && exec "$@"', 'sh'];
      const bad = await runProcess(['migrate', '--database', database], {
        under: [...elsewhere, ...noProc, ...given],
      });
      assert.equal(bad.code, 1);
      assert.ok(bad.stderr.includes(`(${open}: others may rename what is in it; `), bad.stderr);
    },
  );

  it('starts a new program each time, without state from the build', async (t) => {
    const world = await createWorld(t);
    const ids = new Set<string>();
    for (let i = 0; i < 3; i++) {
      const { child, port } = await serveAlone(t, world.database);
      for (let k = 0; k < 3; k++)
        ids.add(String((await send(port, { path: '/healthz' })).headers['x-request-id']));
      assert.equal(await stop(child), 0);
      const created = await runProcess(['accounts', 'create', 'Ana', '--database', world.database]);
      ids.add(created.stdout.trim());
    }
    assert.equal(ids.size, 12);
  });

  it('takes no options for Node, from the environment or the command line', async () => {
    const env = { NODE_OPTIONS: '--require=/nowhere/else.cjs' };
    const { code, stdout, stderr } = await runProcess(['--version'], { env });
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /^memory-gateway /);
    const wrong = await runProcess(['--inspect']);
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /^memory-gateway: Unknown option "--inspect"; see --help\.\n$/);
  });
});
