// The Dockerfile of scripts/deploy: its files put together as it says, and run where there is nothing else.

import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';

import { options } from '../../src/cli/options.ts';
import { putExecutable } from '../support/executable.ts';
import { lacking, refused } from '../support/lacking.ts';
import { issued, leave } from '../support/left.ts';
import { freePort } from '../support/port.ts';
import { ROOT, waitFor } from '../support/program.ts';
import { readme } from '../support/readme.ts';
import { kill } from '../support/supervised.ts';

/** As in a container: its first process, in a root of its own, as a user who is a number. */
const CONTAIN = ['--fork', '--pid', '--kill-child'];
const SKIP =
  process.platform !== 'linux'
    ? 'the image is one of Linux'
    : lacking('unshare', 'ldd') || mayContain();

/** Why nothing can be contained here, where it cannot. */
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

/** What the instructions of a name say, in order. */
function said(name: string, of = image): string[] {
  return of.flatMap((each) => (each.name === name ? [each.words.join(' ')] : []));
}

const [entry = ''] = JSON.parse(said('ENTRYPOINT')[0] ?? '') as string[];
const served = JSON.parse(said('CMD')[0] ?? '') as string[];
const [uid, gid] = (said('USER')[0] ?? '').split(':').map(Number);
const env = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', // Docker's, where an image has none
  ...Object.fromEntries(said('ENV').map((line) => line.split('=') as [string, string])),
};
const folder = mkdtempSync(join(tmpdir(), 'memory-gateway-image-'));
const root = join(folder, 'image');

/** The words that start a command in the image. */
function inside(args: readonly string[]): string[] {
  const place = [`--root=${root}`, `--wd=${said('WORKDIR')[0]}`];
  return [...CONTAIN, ...place, `--setuid=${uid}`, `--setgid=${gid}`, entry, ...args];
}

function run(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('unshare', inside(args), { env, encoding: 'utf8' });
  for (const [key] of stdout.matchAll(/mem_[0-9A-Za-z]{49}/g)) issued(key);
  leave(stderr);
  assert.equal(status, 0, stderr);
  return stdout.trim();
}

/** Starts what runs until it is stopped; returns what it said by then, and how to stop it. */
async function start(t: TestContext, args: readonly string[], wanted: RegExp) {
  const port = await freePort();
  const child = spawn('unshare', inside(args), {
    env: { ...env, MEMORY_GATEWAY_PORT: String(port) },
  });
  t.after(() => child.kill('SIGKILL'));
  child.stderr.on('data', (part: Buffer) => leave(part.toString()));
  const text = await waitFor(child, 'stdout', wanted);
  const stop = () => {
    // The signal is for the first process of the container, which is a child of unshare.
    kill(Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')), 'SIGTERM');
    return new Promise<number | null>((resolve) => child.once('close', resolve));
  };
  return { port, text, stop };
}

/** Does what the Dockerfile says, but for the packages of Debian, which this system has in its own way. */
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

/** COPY: of a folder all that is in it. Its owner is root, or the one that `--chown` names. */
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

  it('runs as a user who is nobody here, and owns nothing but the folder of the database', () => {
    assert.ok(Number(uid) > 0 && Number(gid) > 0);
    const owned = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
      (name) => statSync(join(root, name)).uid === uid,
    );
    assert.deepEqual(
      owned,
      said('VOLUME').map((path) => path.slice(1)),
    );
    assert.equal(statSync(join(root, owned[0] ?? '')).mode & 0o777, 0o700);
    assert.match(run('--version'), /^memory-gateway \d/);
    for (const told of [` -v memories:${said('VOLUME')[0]} `, `as the user ${uid},`])
      assert.ok(readme.includes(told), told);
  });

  it('makes a database, an account and a key in its volume, and serves them to all who can connect', async (t) => {
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
    assert.equal(await stop(), 0, 'as the first process, which no signal ends by itself');
    run('verify');
  });

  it('serves the demo', async (t) => {
    const { text, stop } = await start(t, ['demo'], /Ctrl-C/);
    const [, key = ''] = /(mem_\w{49})/.exec(text) ?? [];
    const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(text) ?? [];
    const answer = await fetch(`${url}/v1/memories`, { headers: { 'x-api-key': issued(key) } });
    assert.ok(((await answer.json()) as unknown[]).length > 1);
    assert.equal(await stop(), 0);
  });
});
