// The Dockerfile of scripts/deploy: its image is assembled from its instructions and run in an empty file system.

import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';

import { options } from '../../src/cli/args/options/options.ts';
import { textOf } from '../support/manual/code.ts';
import { putExecutable } from '../support/processes/executable.ts';
import { lacking, refused } from '../support/processes/required-programs.ts';
import { kill } from '../support/processes/socket-activation.ts';
import { issued, leave } from '../support/world/artifacts.ts';
import { freePort } from '../support/world/free-port.ts';
import { ROOT, waitFor } from '../support/world/program.ts';

/** Like a container: process 1 in a root of its own, as a user without a name. */
const CONTAIN = ['--fork', '--pid', '--kill-child'];
const SKIP =
  process.platform !== 'linux'
    ? 'the image is for Linux'
    : lacking('unshare', 'ldd') || mayContain();

/** The reason why no container can run here, or false. */
function mayContain(): string | false {
  const { status, stderr } = spawnSync('unshare', [...CONTAIN, '--root=/', 'true'], {
    encoding: 'utf8',
  });
  return status !== 0 && refused(`the image: ${stderr.trim()}`);
}

interface Instruction {
  readonly name: string;
  readonly words: readonly string[];
}

const instructions: Instruction[] = readFileSync(join(ROOT, 'scripts/deploy/Dockerfile'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => ({ name: line.replace(/ .*/, ''), words: line.split(' ').slice(1) }));
const scratch = instructions.findIndex(({ words }) => words[0] === 'scratch');
const [stage, image] = [instructions.slice(0, scratch), instructions.slice(scratch)];

/** Returns the arguments of all instructions with a name, in order. */
function said(name: string, of = image): string[] {
  return of.flatMap((each) => (each.name === name ? [each.words.join(' ')] : []));
}

const [entry = ''] = JSON.parse(said('ENTRYPOINT')[0] ?? '') as string[];
const served = JSON.parse(said('CMD')[0] ?? '') as string[];
const [uid, gid] = (said('USER')[0] ?? '').split(':').map(Number);
const env = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', // Docker's default for an image without one
  ...Object.fromEntries(said('ENV').map((line) => line.split('=') as [string, string])),
};
const folder = mkdtempSync(join(tmpdir(), 'memory-gateway-image-'));
const root = join(folder, 'image');

/** The words that start a command in the image. */
function inside(args: readonly string[], user = uid): string[] {
  const place = [`--root=${root}`, `--wd=${said('WORKDIR')[0]}`];
  return [...CONTAIN, ...place, `--setuid=${user}`, `--setgid=${gid}`, entry, ...args];
}

function run(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('unshare', inside(args), { env, encoding: 'utf8' });
  for (const [key] of stdout.matchAll(/mem_[0-9A-Za-z]{49}/g)) issued(key);
  leave(stderr);
  assert.equal(status, 0, stderr);
  return stdout.trim();
}

/**
 * Starts a command that runs until it is stopped. Returns its first output, and a function to stop
 * it.
 */
async function start(t: TestContext, args: readonly string[], wanted: RegExp) {
  const port = await freePort();
  const child = spawn('unshare', inside(args), {
    env: { ...env, MEMORY_GATEWAY_PORT: String(port) },
  });
  t.after(() => child.kill('SIGKILL'));
  child.stderr.on('data', (part: Buffer) => leave(part.toString()));
  const text = await waitFor(child, 'stdout', wanted);
  return { port, text, stop: () => stopInside(child) };
}

/** Stops process 1 of a container, which is a child of unshare. Returns its exit code. */
function stopInside(child: ChildProcess): Promise<number | null> {
  kill(Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')), 'SIGTERM');
  return new Promise((resolve) => child.once('close', resolve));
}

/** Follows the Dockerfile, except that Debian's packages are taken from this system. */
async function build(): Promise<void> {
  const work = join(folder, 'stage');
  mkdirSync(work);
  mkdirSync(root);
  const context = join(folder, 'context');
  await putExecutable(context);
  for (const { name, words } of stage) {
    if (name === 'COPY') copy(words, { from: context, to: work });
    if (name === 'RUN' && words[0] !== 'apt-get')
      execFileSync('sh', ['-ec', words.join(' ')], {
        cwd: work,
        env: { PATH: process.env['PATH'] },
      });
  }
  for (const line of said('COPY')) copy(line.split(' '), { from: work, to: root });
}

/** COPY copies the contents of a folder. The owner is root, or the user of `--chown`. */
function copy(words: readonly string[], { from, to }: Record<'from' | 'to', string>): void {
  const owner = words.find((word) => word.startsWith('--chown='))?.slice(8) ?? '0:0';
  const [source = '', target = ''] = words.filter((word) => !word.startsWith('--'));
  const base = said('WORKDIR', stage)[0] ?? '';
  const taken = join(from, source.replace(base, ''));
  const names = source.endsWith('/') ? readdirSync(taken) : [''];
  const place = join(to, target);
  mkdirSync(place, { recursive: true });
  for (const name of names) {
    execFileSync('cp', ['-a', join(taken, name), place]);
    execFileSync('chown', ['-R', owner, join(place, name || basename(taken))]);
  }
}

describe('The image', { skip: SKIP }, () => {
  before(build);
  after(() => rmSync(folder, { recursive: true }));

  it('has the executable, the libraries that it needs, and nothing else', () => {
    const entries = readdirSync(root, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((each) => !each.isDirectory())
      .map(({ parentPath, name }) => `/${relative(root, join(parentPath, name))}`);
    assert.deepEqual(
      files.filter((file) => !/^\/lib(64)?\/.*\.so[.\d]*$/.test(file)),
      [entry],
    );
  });

  it('runs as a user without a name, who owns only the folder of the database', () => {
    assert.ok(Number(uid) > 0 && Number(gid) > 0);
    const owned = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
      (name) => statSync(join(root, name)).uid === uid,
    );
    assert.deepEqual(
      owned,
      said('VOLUME').map((path) => path.slice(1)),
    );
    assert.equal(
      statSync(join(root, owned[0] ?? '')).mode & 0o7777,
      0o1777,
      'any other may run it, too',
    );
    assert.match(run('--version'), /^memory-gateway \d/);
    for (const told of [` -v memories:${said('VOLUME')[0]} `, `as the user ${uid}.`])
      assert.ok(textOf('docs/howto/docker.md').includes(told), told);
  });

  it('creates a database, an account and a key in its volume, and serves them to all who can connect', async (t) => {
    assert.deepEqual(said('EXPOSE'), [options.port.default]);
    run('migrate');
    const account = run('accounts', 'create', 'Mira Okafor');
    const key = run('keys', 'create', '--account', account);
    const { port, text, stop } = await start(t, served, /listening/);
    assert.match(text, /"url":"http:\/\/0\.0\.0\.0:/);
    const ask = (apiKey: string) =>
      fetch(`http://127.0.0.1:${port}/v1/memories`, { headers: { 'x-api-key': apiKey } });
    const [known, unknown] = await Promise.all([ask(key), ask('guess')]);
    assert.deepEqual([known.status, await known.json()], [200, []]);
    assert.equal(unknown.status, 401);
    assert.equal(await stop(), 0, 'as process 1, which no signal ends by default');
    run('verify');
  });

  it('migrates on start and is healthy as any user, by the check that it declares', async (t) => {
    const any = 12345;
    const [, health = ''] = /CMD (\[.*\])$/.exec(said('HEALTHCHECK')[0] ?? '') ?? [];
    const [program, ...words] = JSON.parse(health) as string[];
    assert.equal(program, entry);
    const port = await freePort();
    const home = {
      ...env,
      MEMORY_GATEWAY_DATABASE: '/data/any.db',
      MEMORY_GATEWAY_PORT: String(port),
    };
    const check = () =>
      spawnSync('unshare', inside(words, any), { env: home, encoding: 'utf8' }).status;
    assert.equal(check(), 1, 'nothing listens yet');
    const child = spawn('unshare', inside(served, any), { env: home });
    t.after(() => child.kill('SIGKILL'));
    const text = await waitFor(child, 'stdout', /listening/);
    assert.match(text, /"msg":"database migrated"/);
    assert.equal(check(), 0);
    assert.equal(statSync(join(root, 'data/any.db')).mode & 0o077, 0, 'nobody else reads the file');
    assert.equal(await stopInside(child), 0);
  });

  it('serves the demo', async (t) => {
    const { text, stop } = await start(t, ['demo'], /Ctrl\+C/);
    const [, key = ''] = /(mem_\w{49})/.exec(text) ?? [];
    const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(text) ?? [];
    const answer = await fetch(`${url}/v1/memories`, { headers: { 'x-api-key': issued(key) } });
    assert.ok(((await answer.json()) as unknown[]).length > 1);
    assert.equal(await stop(), 0);
  });
});
