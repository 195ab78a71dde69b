// SECURITY.md: its claims are true, and promises that no other test covers.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { promisify } from 'node:util';

import { serveAlone } from '../support/processes/serve-process.ts';
import { assertFailure } from '../support/wire/response-shape.ts';
import { send } from '../support/wire/wire.ts';
import { issued, leave, newFolder } from '../support/world/artifacts.ts';
import { findSpilt } from '../support/world/find-keys.ts';
import {
  PROGRAM_WORDS,
  ROOT,
  runProcess,
  startProcess,
  stop,
  waitFor,
} from '../support/world/program.ts';
import { createWorld, memories, type World } from '../support/world/world.ts';

/** Programs started here act as users run them, so their coverage is not measured. */
const uncovered = { ...process.env, NODE_V8_COVERAGE: '' };

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const whole = read('SECURITY.md');
const applies = ['input-and-web', 'keys-and-access', 'operation']
  .map((part) => read(`docs/contributing/asvs-${part}.md`))
  .join('\n');
const doesNot = read('docs/contributing/asvs.md').split('\n## What does not apply\n')[1] ?? '';
const shown = [
  applies,
  read('docs/contributing/security-tests.md'),
  read('docs/contributing/oauth-security.md'),
  read('docs/contributing/attacks.md'),
].join('\n');

/**
 * The number of requirements of levels 1 and 2 in each section of ASVS 5.0.0, where they come
 * first.
 */
const SECTIONS: Readonly<Record<string, readonly number[]>> = {
  1: [2, 9, 11, 3, 2],
  2: [3, 3, 4, 1],
  3: [0, 2, 4, 6, 5, 0, 2],
  4: [3, 1, 2, 4],
  5: [1, 3, 2, 3],
  6: [3, 12, 4, 4, 5, 3, 0, 4],
  7: [3, 4, 2, 5, 2, 2],
  8: [2, 3, 1, 1],
  9: [3, 4],
  10: [2, 2, 4, 11, 5, 2, 3],
  11: [2, 3, 3, 4, 1, 1, 0],
  12: [3, 2, 4],
  13: [1, 5, 2, 5],
  14: [2, 4, 3],
  15: [3, 3, 7, 0],
  16: [1, 5, 4, 3, 3],
  17: [1, 4, 2],
};

const asvs = Object.entries(SECTIONS).flatMap(([chapter, sections]) =>
  sections.flatMap((count, i) =>
    Array.from({ length: count }, (_, j) => `${chapter}.${i + 1}.${j + 1}`),
  ),
);

/** Returns the rows of the tables as cells. */
function rows(text: string): string[][] {
  return text
    .split('\n')
    .filter((line) => /^\| \d/.test(line))
    .map((line) => line.slice(2, -2).split(' | '));
}

/** Returns the ids in a cell: a single id, ids with commas between, or a range within a section. */
function ids(cell: string): string[] {
  return cell.split(', ').flatMap((each) => {
    const [first = '', last] = each.split(' to ');
    return last === undefined ? [first] : asvs.slice(asvs.indexOf(first), asvs.indexOf(last) + 1);
  });
}

describe('SECURITY.md', () => {
  it('names existing tests, by file and title', () => {
    const named = Array.from(shown.matchAll(/`(test\/[\w/.-]+\.ts)`: (.*?)(?=<br>| \|)/g));
    assert.ok(named.length > 100);
    for (const [, file = '', title = ''] of named) {
      const text = read(file);
      const quoted = ["'", '"', '`'].map((mark) => `(${mark}${title}${mark},`);
      const alone = ["'", '"', '`'].map((mark) => `\n    ${mark}${title}${mark},`);
      assert.ok(
        [...quoted, ...alone].some((each) => text.includes(each)),
        `${file}: ${title}`,
      );
    }
  });

  it('answers every requirement of levels 1 and 2 of ASVS 5.0.0, each once and in order', () => {
    assert.equal(asvs.length, 253, 'as many as the standard says it has');
    const met = rows(applies).flatMap(([cell = '']) => ids(cell));
    const none = rows(doesNot).flatMap(([cell = '']) => ids(cell));
    const inOrder = (list: string[]) => asvs.filter((id) => list.includes(id));
    assert.deepEqual(met, inOrder(met));
    assert.deepEqual([...met, ...none].toSorted(), asvs.toSorted());
  });

  it('says of no requirement without a test that it is met', () => {
    for (const [id = '', , how = '', tests] of rows(applies))
      if (tests === '—') assert.match(how, /^(\*\*(Not met|In part|Yours):\*\*|"[A-Z])/, id);
    const headings = new Set(Array.from(whole.matchAll(/^#+ (.*)$/gm), ([, title]) => title));
    const named = Array.from(applies.matchAll(/"([A-Z][\w ]+)"(?= in SECURITY\.md| and ")/g));
    assert.ok(named.length > 5);
    for (const [, name = ''] of named) assert.ok(headings.has(name), name);
  });
});

/**
 * Provides the program under its name, and the environment variables, for the commands of the page.
 */
async function runPrinted(block: string, cwd: string, env: Record<string, string>) {
  const program = join(cwd, 'memory-gateway');
  writeFileSync(program, `#!/bin/sh\nexec ${PROGRAM_WORDS.join(' ')} "$@"\n`);
  chmodSync(program, 0o755);
  const path = `${cwd}:${process.env['PATH']}`;
  const { stdout, stderr } = await promisify(execFile)('sh', ['-ec', block], {
    cwd,
    env: { ...uncovered, ...env, PATH: path },
  });
  leave(stderr);
  return stdout;
}

describe('The commands after a leak', () => {
  const [, section = ''] = /\n## After a leak\n([^]*?)\n## /.exec(whole) ?? [];
  const [check = '', rotate = '', revoke = '', close = '', look = '', ...more] = Array.from(
    section.matchAll(/```sh\n([^]*?)```/g),
    ([, block]) => String(block),
  );

  it('warn if other users can read the file of the new key', async (t) => {
    const { world, cwd, env } = await createLeak(t);
    for (const [umask, says] of [
      ['022', /^Warning: other users can read the file that has the key now\. Run chmod 600/m],
      ['077', /^(?![^]*Warning)/],
    ] as const)
      for (const json of ['', '--json']) {
        const script = `umask ${umask}; rm -f new-key.txt; "$@" ${json} > new-key.txt`;
        const words = [...PROGRAM_WORDS, 'keys', 'create', '--account', 'ana', '--label', 'x'];
        const { stderr } = await promisify(execFile)('sh', ['-ec', script, 'sh', ...words], {
          cwd,
          env: { ...process.env, ...env },
        });
        assert.match(stderr, says);
        const [key = ''] = /mem_\w+/.exec(readFileSync(join(cwd, 'new-key.txt'), 'utf8')) ?? [];
        assert.ok(world.accountOf(issued(key)) !== undefined);
      }
  });

  it('write files that only their owner can read', () => {
    for (const block of [rotate, close])
      for (const line of block.split('\n').filter((each) => each.includes('>')))
        assert.match(line, /^ *\(umask 077; .*\)$/);
  });

  it('work as printed', async (t) => {
    assert.deepEqual(more, []);
    const { world, ask, cwd, env } = await createLeak(t);
    const leaked = world.addKey('ana');
    writeFileSync(join(cwd, 'leaked.txt'), `${leaked.key}\n`);
    assert.equal(await ask(leaked.key), 200);
    const said = await runPrinted(check, cwd, env);
    assert.equal(said, `This is key ${leaked.id} ("test") of account ana: active.\n`);

    await runPrinted(rotate, cwd, { ...env, ID: leaked.id });
    const replaced = taken(cwd);
    assert.equal(statSync(join(cwd, 'new-key.txt')).mode & 0o777, 0o600);
    assert.deepEqual([await ask(leaked.key), await ask(replaced)], [401, 200]);
    await assert.rejects(runPrinted(check, cwd, env), { stdout: /: revoked\.\n$/ });

    const other = world.addKey('ana');
    await runPrinted(revoke, cwd, { ...env, ID: other.id });
    assert.deepEqual([await ask(other.key), await ask(replaced)], [401, 200]);

    const last = world.writer.keys
      .list('ana')
      .find(({ last_four }) => replaced.endsWith(last_four));
    const list = await runPrinted(close, cwd, { ...env, ACCOUNT: 'ana', ID: String(last?.id) });
    assert.match(list, new RegExp(`${last?.id} .*${replaced.slice(-4)} .*disabled`));
    assert.deepEqual([await ask(replaced), await ask(taken(cwd))], [401, 200]);
  });

  it('find the requests of a key in the access log', async (t) => {
    const { world, key } = await createKeyed(t);
    const other = world.addKey('ana').key;
    const { port, child, log } = await serveAlone(t, world.database, ['--access-log']);
    for (const each of [key, other]) await send(port, { key: each });
    await stop(child);
    const env = { ...uncovered, LAST_FOUR: key.slice(-4) };
    const grep = look.slice(look.indexOf('grep'));
    const printed = promisify(execFile)('sh', ['-ec', grep], { env });
    printed.child.stdin?.end(log());
    const lines = (await printed).stdout.trim().split('\n');
    assert.deepEqual(
      lines.map((line) => [JSON.parse(line).route, JSON.parse(line).status]),
      [['memories.list', 200]],
    );
  });
});

describe('A key in clear', () => {
  it('is in no file of the database, its backup, its log, its errors or the process list', async (t) => {
    const { world, key, folder } = await createKeyed(t);
    const { id, key: old } = world.addKey('ana');
    const { port, child, log } = await serveAlone(t, world.database, ['--access-log']);
    const wrong = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;
    const processes: string[] = [];
    for (const each of [key, old, wrong]) {
      await send(port, { key: each });
      await send(port, { headers: { 'x-api-key': each }, path: '/v1/memories/nowhere' });
      await send(port, { key: each, path: `/v1/memories?q=${each}` });
      processes.push(...listed());
    }
    const checked = startProcess(['keys', 'check', '--database', world.database]);
    checked.stdin.end(old);
    await waitFor(checked, 'stdout', /This is key/);
    processes.push(...listed());
    const env = { MEMORY_GATEWAY_DATABASE: world.database };
    const rotated = await runProcess(['keys', 'rotate', id], { env });
    const backup = join(folder, 'backup.db');
    assert.equal((await runProcess(['backup', backup], { env })).code, 0);
    // While the database is served and written, with its write-ahead log.
    const files = readdirSync(join(world.database, '..'));
    for (const end of ['', '-wal', '-shm']) assert.ok(files.includes(`memories.db${end}`), end);
    for (const name of files) copyFileSync(join(world.database, '..', name), join(folder, name));
    await stop(child);
    writeFileSync(join(folder, 'log'), log());
    writeFileSync(join(folder, 'errors'), rotated.stderr);
    writeFileSync(join(folder, 'processes'), processes.join('\n'));
    assert.match(log(), /"status":401/);
    const keys = [key, old, rotated.stdout.trim(), wrong];
    const { searched, spilt } = findSpilt(folder, keys);
    assert.ok(searched >= 7);
    assert.deepEqual(spilt, []);
    const control = join(folder, 'control');
    writeFileSync(control, key);
    assert.deepEqual(
      findSpilt(folder, keys).spilt,
      [control],
      'the search finds a key that is there',
    );
    rmSync(control);
  });

  it('gives no access while it cannot be looked up', async (t) => {
    const world = await createWorld(t, {
      wrap: (store) => ({
        ...store,
        readTransaction: undefined as never,
        apiKey() {
          throw new Error('no look-up');
        },
      }),
    });
    const key = world.addAccount('ana', memories(1));
    for (const path of ['/v1/memories', '/v1/memories/m000', '/v1/nothing'])
      assertFailure(await send(world.port, { key, path }), 500, path);
  });
});

describe('The program', () => {
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/^(client|viewer|app\/browser)\//.test(name))
    .map((name) => ({ name, text: readFileSync(join(ROOT, 'src', name), 'utf8') }));

  it('evaluates no text, starts no program but a browser and its own commands, and calls nobody but its database, itself, the source of a pull, the endpoint for vectors and the document of a client', () => {
    assert.ok(files.length > 100);
    for (const { name, text } of files) {
      assert.doesNotMatch(text, /\beval\(|\bFunction\(|'node:(vm|repl|inspector|wasi)'/, name);
      const starts = text.split('\n').filter((line) => line.includes('node:child_process'));
      // One file opens a browser for `start`, and one starts our own commands.
      const mayStart = [['start', 'links.ts'], ['command-process.ts']].some(
        (path) => name === join('cli', 'serve', ...path),
      );
      for (const line of mayStart ? [] : starts) assert.match(line, /^import type /, name);
      // One file fetches the document that describes an OAuth client, from public addresses alone.
      const isDocument = name === join('connect', 'fetch-document.ts');
      const modules = /'node:(https|http2|tls|dgram|dns|dns\/promises)'/g;
      assert.deepEqual(
        text.match(modules),
        isDocument ? ["'node:dns'", "'node:https'"] : null,
        name,
      );
      const calls = /(?<![.\w])(fetch|connect|createConnection)\(|WebSocket\(|new Socket\(\)/;
      // Here `connect` is the project's function for the database address. No other file opens a
      // socket.
      // One file looks whether a process listens on the path of our own Unix socket.
      const isOwnSocket = name === join('cli', 'serve', 'listen', 'unix-socket.ts');
      // One file asks our own server whether it is ready.
      const isHealthCheck = name === join('cli', 'commands', 'healthcheck.ts');
      // One file sends the requests of a pull, to the address that the user has chosen.
      const isPull = name === join('sources', 'product-request.ts');
      // One file sends texts to the endpoint for vectors, which the user has chosen.
      const isEndpoint = name === join('embeddings', 'endpoint.ts');
      // One file tries the addresses of this machine and of its operator, which no request names.
      const isOwnAddress = name === join('app', 'server', 'handlers', 'addresses.ts');
      // One file gives the authorization server a socket that is never connected.
      const isInProcess = name === join('connect', 'call.ts');
      if (isPull || isEndpoint || isOwnAddress)
        assert.deepEqual(text.match(calls)?.[0], 'fetch(', name);
      else if (isInProcess) {
        assert.deepEqual(text.match(new RegExp(calls, 'g')), ['new Socket()'], name);
        assert.doesNotMatch(text, /\.connect\b/, name);
      } else if (isHealthCheck) assert.deepEqual(text.match(calls)?.[0], 'connect(', name);
      else if (isOwnSocket)
        assert.deepEqual(text.match(/(?<![.\w])connect\(.*/g), ['connect(path);'], name);
      else if (!/^store\/postgres(\.ts|\/)/.test(name)) assert.doesNotMatch(text, calls, name);
      const http = /^import (?!type )\{([^}]*)\} from 'node:http'/m.exec(text)?.[1] ?? '';
      assert.doesNotMatch(http, /\b(request|get|Agent)\b/, name);
    }
  });

  it('uses only the documented parts of node:crypto', () => {
    const imported = files.flatMap(({ text }) =>
      Array.from(text.matchAll(/import \{([^}]*)\} from 'node:crypto'/g), ([, list]) =>
        String(list).split(','),
      ).flat(),
    );
    const names = new Set(
      imported.map((each) => each.trim()).filter((each) => !each.startsWith('type ')),
    );
    assert.deepEqual(
      names,
      new Set([
        'createHash',
        'hash',
        'randomBytes',
        'randomInt',
        'randomUUID',
        // The keys of products are sealed.
        'createCipheriv',
        'createDecipheriv',
        // The authorization server wants a key, and signs nothing with it.
        'generateKeyPairSync',
        // Passwords and passkeys of the app.
        'createPublicKey',
        'scrypt',
        'timingSafeEqual',
        'verify',
      ]),
    );
    for (const { name, text } of files)
      for (const [, algorithm] of text.matchAll(/(?:createHash|hash)\('([^']*)'/g))
        assert.equal(algorithm, 'sha256', name);
  });
});

async function createKeyed(t: TestContext): Promise<{ world: World; key: string; folder: string }> {
  const world = await createWorld(t);
  return { world, key: world.addAccount('ana', memories(3)), folder: newFolder() };
}

async function createLeak(t: TestContext) {
  const { world } = await createKeyed(t);
  const cwd = mkdtempSync(join(tmpdir(), 'memory-gateway-leak-')); // it contains keys
  t.after(() => rmSync(cwd, { recursive: true }));
  const ask = async (key: string) => (await send(world.port, { key })).status;
  return { world, ask, cwd, env: { MEMORY_GATEWAY_DATABASE: world.database } };
}

/** The key that a command has written into its file. */
function taken(folder: string): string {
  return issued(readFileSync(join(folder, 'new-key.txt'), 'utf8').trim());
}

/** Returns the arguments and environments of all visible processes. */
function listed(): string[] {
  let all: string[];
  try {
    all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
  return all.flatMap((id) =>
    ['cmdline', 'environ'].map((name) => {
      try {
        return readFileSync(`/proc/${id}/${name}`, 'latin1');
      } catch {
        return ''; // it has ended, or belongs to another user
      }
    }),
  );
}
