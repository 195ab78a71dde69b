// Security: SECURITY.md says what is so, and what it promises that no other test shows.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { promisify } from 'node:util';

import { issued, leave, newFolder } from './support/left.ts';
import { ROOT, run, start, stop, waitFor } from './support/program.ts';
import { assertFailure } from './support/shape.ts';
import { findSpilt } from './support/spilt.ts';
import { send } from './support/wire.ts';
import { createWorld, memories, type World } from './support/world.ts';

/** Programs started here are the program's users, and none of its coverage. */
const uncovered = { ...process.env, NODE_V8_COVERAGE: '' };

const page = readFileSync(join(ROOT, 'SECURITY.md'), 'utf8');
const [whole = '', applies = '', doesNot = ''] = page.split(
  /^### What (?:applies|does not apply)$/m,
);

/** How many requirements of levels 1 and 2 each section of ASVS 5.0.0 has: they stand first in it. */
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

/** The rows of a table, by their cells. */
function rows(text: string): string[][] {
  return text
    .split('\n')
    .filter((line) => /^\| \d/.test(line))
    .map((line) => line.slice(2, -2).split(' | '));
}

/** The ids that a cell names: alone, with commas between, or from one to another of its section. */
function ids(cell: string): string[] {
  return cell.split(', ').flatMap((each) => {
    const [first = '', last] = each.split(' to ');
    return last === undefined ? [first] : asvs.slice(asvs.indexOf(first), asvs.indexOf(last) + 1);
  });
}

describe('SECURITY.md', () => {
  it('names tests that there are, by their files and titles', () => {
    const named = Array.from(page.matchAll(/`(test\/[\w/.]+\.ts)`: (.*?)(?=<br>| \|)/g));
    assert.ok(named.length > 100);
    for (const [, file = '', title = ''] of named) {
      const text = readFileSync(join(ROOT, file), 'utf8');
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

  it('says of none that it is met where nothing shows it', () => {
    for (const [id = '', , how = '', shown] of rows(applies))
      if (shown === '—') assert.match(how, /^(\*\*(Not met|In part|Yours):\*\*|"[A-Z])/, id);
    const headings = new Set(Array.from(page.matchAll(/^#+ (.*)$/gm), ([, title]) => title));
    for (const [, name = ''] of applies.matchAll(/"([A-Z][\w ]+)", (?:above|below)/g))
      assert.ok(headings.has(name) || headings.has(`${name}, and from whom`), name);
  });

  it('leads only where something is', () => {
    for (const [, file = ''] of page.matchAll(/\]\(([\w./]+)\)/g))
      assert.ok(readdirSync(join(ROOT, file, '..')).includes(file.split('/').at(-1) ?? ''), file);
  });
});

/** Gives the commands of the page the program under its name, with what they name in the environment. */
async function runPrinted(block: string, cwd: string, env: Record<string, string>) {
  const program = join(cwd, 'memory-gateway');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${ROOT}src/cli/main.ts' "$@"\n`);
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

  it('are those to give, as they stand here', async (t) => {
    assert.deepEqual(more, []);
    const { world, ask, cwd, env } = await createLeak(t);
    const leaked = world.addKey('ana');
    writeFileSync(join(cwd, 'leaked.txt'), `${leaked.key}\n`);
    assert.equal(await ask(leaked.key), 200);
    const said = await runPrinted(check, cwd, env);
    assert.equal(said, `This is key ${leaked.id} ("test") of account ana: active.\n`);

    await runPrinted(rotate, cwd, { ...env, ID: leaked.id });
    const replaced = taken(cwd);
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

  it('find what was read with a key in the log as it is written', async (t) => {
    const { world, key } = await createKeyed(t);
    const other = world.addKey('ana').key;
    const { port, child, said } = await serve(t, world.database);
    for (const each of [key, other]) await send(port, { key: each });
    await stop(child);
    const env = { ...uncovered, LAST_FOUR: key.slice(-4) };
    const grep = look.slice(look.indexOf('grep'));
    const printed = promisify(execFile)('sh', ['-ec', grep], { env });
    printed.child.stdin?.end(said());
    const lines = (await printed).stdout.trim().split('\n');
    assert.deepEqual(
      lines.map((line) => [JSON.parse(line).route, JSON.parse(line).status]),
      [['memories.list', 200]],
    );
  });
});

describe('A key in clear', () => {
  it('is found in no file of the database, its backup, its log, its errors or the process list', async (t) => {
    const { world, key, folder } = await createKeyed(t);
    const { id, key: old } = world.addKey('ana');
    const { port, child, said } = await serve(t, world.database);
    const wrong = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;
    const processes: string[] = [];
    for (const each of [key, old, wrong]) {
      await send(port, { key: each });
      await send(port, { headers: { 'x-api-key': each }, path: '/v1/memories/nowhere' });
      await send(port, { key: each, path: `/v1/memories?q=${each}` });
      processes.push(...listed());
    }
    const checked = start(['keys', 'check', '--database', world.database]);
    checked.stdin.end(old);
    await waitFor(checked, 'stdout', /This is key/);
    processes.push(...listed());
    const env = { MEMORY_GATEWAY_DATABASE: world.database };
    const rotated = await run(['keys', 'rotate', id], { env });
    const backup = join(folder, 'backup.db');
    assert.equal((await run(['backup', backup], { env })).code, 0);
    // While it is served and written, with its log beside it.
    const files = readdirSync(join(world.database, '..'));
    for (const end of ['', '-wal', '-shm']) assert.ok(files.includes(`memories.db${end}`), end);
    for (const name of files) copyFileSync(join(world.database, '..', name), join(folder, name));
    await stop(child);
    writeFileSync(join(folder, 'log'), said());
    writeFileSync(join(folder, 'errors'), rotated.stderr);
    writeFileSync(join(folder, 'processes'), processes.join('\n'));
    assert.match(said(), /"status":401/);
    const keys = [key, old, rotated.stdout.trim(), wrong];
    const { searched, spilt } = findSpilt(folder, keys);
    assert.ok(searched >= 7);
    assert.deepEqual(spilt, []);
    const control = join(folder, 'control');
    writeFileSync(control, key);
    assert.deepEqual(findSpilt(folder, keys).spilt, [control], 'one that is there is found');
    rmSync(control);
  });

  it('is good for nothing while it cannot be looked up', async (t) => {
    const world = await createWorld(t, {
      wrap: (store) => ({
        ...store,
        together: undefined as never,
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
    .filter((name) => name.endsWith('.ts') && !/^(client|viewer)\//.test(name))
    .map((name) => ({ name, text: readFileSync(join(ROOT, 'src', name), 'utf8') }));

  it('evaluates no text, starts no program and calls nobody but its database', () => {
    assert.ok(files.length > 100);
    for (const { name, text } of files) {
      assert.doesNotMatch(text, /\beval\(|\bFunction\(|'node:(vm|repl|inspector|wasi)'/, name);
      const starts = text.split('\n').filter((line) => line.includes('node:child_process'));
      for (const line of starts) assert.match(line, /^import type /, name);
      assert.doesNotMatch(text, /'node:(https|http2|tls|dgram|dns|dns\/promises)'/, name);
      const calls = /(?<![.\w])(fetch|connect|createConnection)\(|WebSocket\(|new Socket\(\)/;
      // Where `connect` is ours, and takes the address of the database; no other file has a socket of its own.
      if (!/^store\/postgres(\.ts|\/)/.test(name)) assert.doesNotMatch(text, calls, name);
      const http = /^import (?!type )\{([^}]*)\} from 'node:http'/m.exec(text)?.[1] ?? '';
      assert.doesNotMatch(http, /\b(request|get|Agent)\b/, name);
    }
  });

  it('names all that it takes of node:crypto', () => {
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
      new Set(['createHash', 'hash', 'randomBytes', 'randomInt', 'randomUUID']),
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
  const cwd = mkdtempSync(join(tmpdir(), 'memory-gateway-leak-')); // keys are in it
  t.after(() => rmSync(cwd, { recursive: true }));
  const ask = async (key: string) => (await send(world.port, { key })).status;
  return { world, ask, cwd, env: { MEMORY_GATEWAY_DATABASE: world.database } };
}

/** The key that a command has written into its file. */
function taken(folder: string): string {
  return issued(readFileSync(join(folder, 'new-key.txt'), 'utf8').trim());
}

async function serve(t: TestContext, database: string) {
  const child = start(['serve', '--database', database, '--port', '0', '--access-log']);
  t.after(() => stop(child, 'SIGKILL'));
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => (said += part.toString()));
  const listening = await waitFor(child, 'stdout', /http:\/\/[\d.:]+/);
  const port = Number(/http:\/\/127\.0\.0\.1:(\d+)/.exec(listening)?.[1]);
  return { port, child, said: () => said };
}

/** Arguments and environments of all processes that there are, where the system shows them. */
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
        return ''; // it has ended, or is not ours
      }
    }),
  );
}
