// Commands that could do harm or surprise: deleting, listening on the network, leaving pipes, demo keys.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';

import { lacking } from '../support/processes/required-programs.ts';
import { hear } from '../support/processes/serve-process.ts';
import { issued, newFolder } from '../support/world/artifacts.ts';
import { PROGRAM_WORDS, run, start, stop, waitFor } from '../support/world/program.ts';
import { createWorld, memories } from '../support/world/world.ts';

async function worldOf(t: TestContext, count: number) {
  const world = await createWorld(t);
  world.addAccount('ana', memories(count));
  const on = ['--account', 'ana', '--database', world.database];
  const ids = async (): Promise<string[]> =>
    JSON.parse((await run(['memories', 'list', ...on, '--json'])).stdout).map(
      ({ id }: { id: string }) => id,
    );
  return { world, on, ids };
}

/** Runs the program on a terminal of its own, created by `script`, and types a reply. */
async function onTerminal(args: readonly string[], answer: string): Promise<string> {
  const quoted = [...PROGRAM_WORDS, ...args].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qec', quoted, '/dev/null'], { stdio: 'pipe' });
  child.stdin.write(answer);
  const printed = await text(child.stdout);
  return printed.replaceAll('\r', '');
}

describe('memories delete', () => {
  it('with --dry-run lists the memories and deletes nothing', async (t) => {
    const { on, ids } = await worldOf(t, 2);
    const { code, stdout } = await run(['memories', 'delete', 'm001', ...on, '--dry-run']);
    assert.equal(code, 0);
    assert.match(stdout, /^1 memory would be deleted:\n {2}\S+ \S+ {2}m001 {2}\S.*\n$/);
    const json = await run(['memories', 'delete', 'm001', ...on, '--dry-run', '--json']);
    assert.deepEqual(JSON.parse(json.stdout), {
      account_id: 'ana',
      dry_run: true,
      would_delete: ['m001'],
    });
    const gone = await run(['memories', 'delete', 'm001', 'm009', ...on, '--dry-run']);
    assert.equal(gone.code, 1);
    assert.match(gone.stderr, /There is no memory m009 in account ana; nothing was deleted\.\n$/);
    assert.equal((await ids()).length, 2);
  });

  it('asks on a terminal, and deletes only after "y"', { skip: lacking('script') }, async (t) => {
    const { on, ids } = await worldOf(t, 3);
    const no = await onTerminal(['memories', 'delete', 'm000', ...on], 'n\n');
    assert.match(no, /m000 .*\n[^]*Delete 1 memory for good\? \[y\/N\][^]*Nothing was deleted\./);
    assert.equal((await ids()).length, 3);
    const yes = await onTerminal(['memories', 'delete', 'm000', ...on], 'y\n');
    assert.match(yes, /Memory m000 of account ana is deleted\./);
    const unasked = await onTerminal(['memories', 'delete', 'm001', ...on, '--yes'], '');
    assert.doesNotMatch(unasked, /\[y\/N\]/);
    assert.deepEqual(await ids(), ['m002']);
  });
});

describe('accounts password', () => {
  const PASSWORD = 'four words that nobody guesses';

  /** Answers each question of the program on a terminal when it comes. Resolves with what the terminal shows. */
  async function answering(on: readonly string[], answers: readonly string[]): Promise<string> {
    const words = [...PROGRAM_WORDS, 'accounts', 'password', 'ana', ...on];
    const quoted = words.map((word) => `'${word}'`).join(' ');
    const child = spawn('script', ['-qec', quoted, '/dev/null'], { stdio: 'pipe' });
    let printed = '';
    let asked = 0;
    for await (const part of child.stdout.setEncoding('utf8')) {
      printed += String(part);
      if (
        asked < answers.length &&
        (printed.match(/ password: |Password for /g)?.length ?? 0) > asked
      )
        child.stdin.write(answers[asked++] ?? '');
    }
    return printed.replaceAll('\r', '');
  }

  it('asks twice on a terminal and shows nothing of it', { skip: lacking('script') }, async (t) => {
    const { world } = await worldOf(t, 0);
    const from = ['--database', world.database];
    const done = await answering(from, [`${PASSWORD}x\u007f\r`, `${PASSWORD}\r`]);
    const questions = 'Password for ana: \nRepeat the password: \n';
    assert.equal(done, `${questions}Set the password of Account ana.\n`);
    const others = await answering(from, [`${PASSWORD}\r`, 'another one\r']);
    assert.equal(
      others,
      `${questions}memory-gateway: The two are not the same; nothing was changed.\n`,
    );
    const interrupted = await answering(from, ['four\u0003']);
    assert.equal(
      interrupted,
      'Password for ana: \nmemory-gateway: Interrupted; nothing was changed.\n',
    );
  });
});

describe('A dry run of an import', () => {
  it('lists a memory once, and one without a name as Untitled', async (t) => {
    const { on } = await worldOf(t, 0);
    const memory = {
      id: 'a',
      name: '',
      started_at: '2026-11-18T09:00:00.000Z',
      ended_at: '2026-11-18T09:01:00.000Z',
      is_processing: false,
      user_id: '',
      duration_seconds: 60,
      summary: { quick_summary: '', key_takeaways: [] },
      transcript: 'Mira: Hello.',
    };
    const input = `${JSON.stringify(memory)}\n${JSON.stringify({ ...memory, transcript: 'Mira: Hello!' })}\n`;
    const { stdout } = await run(['import', '-', '--dry-run', ...on], { input });
    assert.equal(stdout.match(/ a {2}Untitled: Mira: Hello/g)?.length, 1, stdout);
  });
});

describe('A reader that leaves early, as head does', () => {
  it('ends an export without a word', async (t) => {
    const { on } = await worldOf(t, 2000);
    const command = [...PROGRAM_WORDS, 'export', ...on].map((word) => `'${word}'`).join(' ');
    const child = spawn('sh', ['-c', `${command} | head -1`], { stdio: 'pipe' });
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    assert.equal(stdout.split('\n').length, 2);
    assert.equal(stderr, '');
  });
});

describe('keys create', () => {
  it('says that its reader has left, and creates no key', async (t) => {
    const { on, world } = await worldOf(t, 0);
    const before = world.writer.keys.list();
    const words = [...PROGRAM_WORDS, 'keys', 'create', ...on].map((word) => `'${word}'`).join(' ');
    const child = spawn('sh', ['-c', `(sleep 0.1; exec ${words}) | true`], { stdio: 'pipe' });
    const stderr = await text(child.stderr);
    assert.match(stderr, /^memory-gateway: Standard output could not be written \(EPIPE\); /);
    assert.deepEqual(world.writer.keys.list(), before);
  });
});

describe('serve', () => {
  const listen = async (t: TestContext, args: readonly string[], env = {}) => {
    const { world } = await worldOf(t, 1);
    const child = start(['serve', '--database', world.database, '--port', '0', ...args], {
      env,
    });
    t.after(() => stop(child, 'SIGKILL'));
    const log = hear(child.stdout);
    await waitFor(child, 'stdout', /"listening"/);
    assert.equal(await stop(child), 0);
    return log()
      .trim()
      .split('\n')
      .map((line): { level: string; msg: string; url?: string } => JSON.parse(line));
  };
  const warnings = async (t: TestContext, ...args: string[]) =>
    (await listen(t, args)).filter(({ level }) => level === 'warn').map(({ msg }) => msg);

  it('warns once if others on the network can read keys', async (t) => {
    const [warning = '', ...more] = await warnings(t, '--host', '0.0.0.0');
    assert.match(warning, /^Listening on the network without TLS: /);
    assert.deepEqual(more, []);
  });

  it('does not warn on this machine only, or with the https address of a proxy', async (t) => {
    assert.deepEqual(await warnings(t, '--host', '127.0.0.2'), []);
    const behindProxy = ['--host', '0.0.0.0', '--base-url', 'https://a.example'];
    assert.deepEqual(await warnings(t, ...behindProxy), []);
  });

  it('warns of --proxy without --throttle and the app', async (t) => {
    assert.deepEqual(await warnings(t, '--proxy', '127.0.0.1'), []);
    assert.deepEqual(await warnings(t, '--app', 'off', '--proxy', '127.0.0.1'), [
      '--proxy has no effect without --throttle, the app or --access-log=address.',
    ]);
  });

  it('does not listen where a HOST of the environment says, which other programs set', async (t) => {
    const [first] = await listen(t, [], { HOST: 'x86_64-conda-linux-gnu' });
    assert.match(first?.url ?? '', /^http:\/\/127\.0\.0\.1:/);
  });
});

describe('The keys of a demo', () => {
  it('are revoked when it stops', async (t) => {
    const database = join(newFolder(), 'demo.db');
    const child = start(['demo', '--database', database, '--port', '0']);
    t.after(() => stop(child, 'SIGKILL'));
    const said = await waitFor(child, 'stdout', /Ctrl\+C/);
    for (const [key] of said.matchAll(/mem_\w{49}/g)) issued(key);
    assert.equal(await stop(child), 0);
    assert.ok(existsSync(database));
    const { stdout } = await run(['keys', 'list', '--database', database, '--json']);
    const states = JSON.parse(stdout).map(({ state }: { state: string }) => state);
    assert.deepEqual(states, ['revoked', 'revoked', 'revoked']);
  });
});
