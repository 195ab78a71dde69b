// The manual and the code agree: every name for users is documented, and the manual's programs keep its promises.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import * as v from 'valibot';

import type { Option } from '../../src/cli/args/options/option.ts';
import { options } from '../../src/cli/args/options/options.ts';
import { readFixtures } from '../../src/cli/commands/database/seed.ts';
import { createClient } from '../../src/client/index.ts';
import { isInPath } from '../../src/contract/endpoints.ts';
import { httpEndpoints } from '../../src/contract/file-routes.ts';
import { COMMON_STATUSES, NAMED_STATUSES } from '../../src/contract/statuses.ts';
import { formatNames } from '../../src/formats/formats.ts';
import { Memory } from '../../src/index.ts';
import {
  blocks,
  blockWith,
  manual,
  pages,
  serveBlock,
  textOf,
  writeBlock,
} from '../support/manual/code.ts';
import { issued, leave } from '../support/world/artifacts.ts';
import { ROOT, runProcess, startProcess, stop } from '../support/world/program.ts';
import { createWorld, memories, memory } from '../support/world/world.ts';

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

const CLONE = { skip: existsSync(join(ROOT, '.git')) ? false : 'needs a clone' };

/** Returns the first cells of the tables whose header begins with a word, without markup. */
function firstCells(path: string, head: string): string[] {
  const tables = textOf(path).split(new RegExp(`^\\| ${head}\\b.*\\n\\|[-|: ]+\\|\\n`, 'm'));
  return tables
    .slice(1)
    .flatMap((table) => (table.split('\n\n')[0] ?? '').split('\n'))
    .filter((line) => line.startsWith('| '))
    .map((line) => (line.slice(2).split(' | ')[0] ?? '').replaceAll('`', '').trim());
}

/** The names that a module of the sources exports, types included. */
function exportsOf(path: string): string[] {
  const source = readFileSync(join(ROOT, path), 'utf8');
  return Array.from(source.matchAll(/export (?:type )?\{([^}]*)\}/g), ([, list]) =>
    String(list).split(','),
  )
    .flat()
    .map((each) =>
      each
        .trim()
        .replace(/^type /, '')
        .replace(/.* as /, ''),
    )
    .filter(Boolean);
}

describe('The manual', () => {
  it('begins with two commands, before anything else to type', () => {
    const readme = textOf('README.md');
    assert.deepEqual(
      blocks
        .filter(({ language }) => language === 'sh')
        .slice(0, 2)
        .map(({ code }) => code),
      ['npm ci && npm run demo\n', 'npm ci && npm test\n'],
    );
    assert.ok(readme.slice(0, readme.indexOf('```')).split('\n').length < 8, 'on the first screen');
  });

  it('has every parameter of an endpoint where the endpoint is described', () => {
    for (const endpoint of httpEndpoints) {
      const page = textOf('docs/reference/api.md') + textOf('docs/reference/details.md');
      const [, section = ''] = page.split(`## \`GET ${endpoint.route.path}\`\n`);
      const [part = ''] = section.split(/\n###? /);
      const [, linked] = /\[a page of its own\]\(([\w-]+\.md)\)/.exec(part) ?? [];
      const own = linked === undefined ? part : textOf(`docs/reference/${linked}`);
      for (const name of Object.keys(endpoint.route.input.entries))
        if (!isInPath(endpoint.route, name))
          assert.ok(own.includes(`\`${name}\``), `${endpoint.name}: ${name}`);
    }
  });

  it('has every status of the OpenAPI document, and 405', () => {
    const named = firstCells('docs/reference/errors.md', 'status').flatMap((cell) =>
      cell.split(', ').map(Number),
    );
    const documented = Object.keys({ ...NAMED_STATUSES, ...COMMON_STATUSES }).map(Number);
    // The OpenAPI document has no disallowed methods.
    assert.deepEqual(new Set(named), new Set([...documented, 405]));
  });

  it('has every setting, reason and call of the client, and no other', () => {
    const page = 'docs/reference/client.md';
    const source = readFileSync(join(ROOT, 'src/client/options.ts'), 'utf8');
    const [, settings = ''] = /interface ClientOptions \{([^]*?)\n\}/.exec(source) ?? [];
    assert.deepEqual(
      firstCells(page, 'setting'),
      Array.from(settings.matchAll(/readonly (\w+)/g), ([, name]) => name),
    );
    const failure = readFileSync(join(ROOT, 'src/contract/failure.ts'), 'utf8');
    const [, reasons = ''] = /type FailureReason =\s+([^;]*);/.exec(failure) ?? [];
    assert.deepEqual(
      firstCells(page, 'reason'),
      Array.from(reasons.matchAll(/'(\w+)'/g), ([, name]) => name),
    );
    const api = createClient({ baseUrl: 'http://host', apiKey: 'key' });
    const calls = Object.entries(api).flatMap(([group, each]) => [
      ...(typeof each === 'function' ? [group] : []),
      ...Object.keys(each).map((name) => `${group}.${name}`),
    ]);
    assert.deepEqual(
      new Set(firstCells(page, 'call').map((cell) => /api\.(\w+(?:\.\w+)?)\(/.exec(cell)?.[1])),
      new Set(calls),
    );
  });

  it('has every export of the package', () => {
    const text = `${textOf('docs/reference/library.md')}${textOf('docs/reference/client.md')}`;
    const modules = Object.keys(manifest.exports)
      .filter((name) => name !== './package.json')
      .map((name) => join('src', name, 'index.ts'));
    const names = modules.flatMap(exportsOf);
    assert.ok(names.length > 30);
    for (const name of names) assert.match(text, new RegExp(`\`${name}\\b`), name);
  });

  it('imports every sample on the page of its product', () => {
    const commands = pages
      .filter(({ path }) => path.startsWith('docs/howto/import/'))
      .flatMap((page) => page.blocks.filter(({ language }) => language === 'sh'))
      .map(({ code }) => code);
    for (const sample of readdirSync(join(ROOT, 'fixtures/samples')))
      // The page about our own format shows how to write such a file.
      if (sample !== 'memory')
        assert.match(commands.join('\n'), new RegExp(`fixtures/samples/${sample}[\\s/]`), sample);
  });

  it('says how many formats are imported', () => {
    const said = /it imports (\d+) formats/.exec(textOf('README.md'))?.[1];
    assert.equal(Number(said), formatNames.length);
    assert.ok(textOf('docs/explanation/comparison.md').includes(`from ${said} formats`));
  });

  it('has every option with a variable on the page of configuration', () => {
    const page = textOf('docs/reference/configuration.md');
    for (const [name, { env = [] }] of Object.entries<Option>(options))
      for (const variable of env) {
        const row = page.split('\n').find((line) => line.includes(`\`${variable}\``));
        assert.ok(row?.includes(`\`--${name}`), variable);
      }
  });

  it('has every option of the seed', async () => {
    const { stdout } = await runProcess(['--help'], { script: 'scripts/seed.ts' });
    for (const [, flag = ''] of stdout.matchAll(/(--[a-z]+)/g))
      if (flag !== '--help') assert.ok(textOf('CONTRIBUTING.md').includes(`\`${flag}`), flag);
  });

  it('names only scripts of npm that are there', () => {
    for (const [, script = ''] of manual.matchAll(/npm run (?:-s )?([a-z:]+)/g))
      assert.ok(manifest.scripts[script], script);
  });

  it('shows a memory that fits the contract and is in the fixtures', () => {
    const fixtures = readFixtures().flatMap((account) => [...account.memories]);
    for (const { language, code } of blocks) {
      if (language !== 'json' || !code.includes('"key_takeaways"')) continue;
      const shown = v.parse(Memory, JSON.parse(code));
      assert.deepEqual(
        shown,
        fixtures.find(({ id }) => id === shown.id),
      );
    }
  });

  it('leaves nothing in a clone that git would add', CLONE, async () => {
    const made = Array.from(
      manual.matchAll(/(?:--output|MEMORY_GATEWAY_DATABASE=|> ?)(\w[\w.-]*)/g),
    )
      .map(([, name = '']) => name)
      .filter((name) => /^(mine|notes)\b/.test(name));
    assert.ok(new Set(made).size > 3, made.join());
    const files = made.map((name) => (name.includes('.') ? name : `${name}/SHA256SUMS`));
    const left = [
      'a.db-journal',
      'a.db.before-migrate-20261118T090000Z',
      'a.db.before-restore-20261118T090000Z',
      'a.db.1b2c3d4e.new-wal',
      'mine.jsonl.1b2c3d4e.new',
      'notes.1b2c3d4e.new/a.md',
      'notes.1b2c3d4e.old/a.md',
    ];
    const all = [...new Set([...files, ...left])];
    const { stdout } = await promisify(execFile)('git', ['check-ignore', ...all], { cwd: ROOT });
    assert.deepEqual(stdout.trim().split('\n'), all);
  });
});

describe('The program that keeps a copy', () => {
  it('follows changes and deletions, and goes on where it stopped', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('mira', memories(3));
    const file = join(mkdtempSync(join(tmpdir(), 'memory-gateway-copy-')), 'copy.json');
    t.after(() => rmSync(dirname(file), { recursive: true }));
    const replace = { 'http://127.0.0.1:8787': world.url, 'copy.json': file, '60_000': '20' };
    const script = writeBlock(t, blockWith('changes.follow'), replace);
    const copied = () => (existsSync(file) ? readFileSync(file, 'utf8') : '');
    const follow = () => {
      const child = startProcess([], { script, env: { MEMORY_GATEWAY_KEY: key } });
      t.after(() => child.kill('SIGKILL'));
      return child;
    };
    const until = async (
      child: ReturnType<typeof startProcess>,
      isDone: (text: string) => boolean,
    ) => {
      while (!isDone(copied())) {
        assert.equal(child.exitCode, null, 'the program has ended');
        await sleep(20);
      }
    };
    const first = follow();
    await until(first, (text) => text.includes('m002'));
    world.writer.memories.put('mira', memory({ id: 'm001', name: 'Renamed' }));
    await until(first, (text) => text.includes('Renamed'));
    await stop(first);
    world.writer.erase({ account_id: 'mira', ids: ['m000'] });
    await until(follow(), (text) => text !== '' && !text.includes('m000'));
    const copy = new Map<string, Memory>(JSON.parse(copied()).memories);
    const all = await world.gateway.as('mira').memories.list();
    assert.deepEqual(copy, new Map(all.map((each) => [each.id, each])));
  });
});

describe('The server for a website', () => {
  it('shows memories to visitors who are signed in, and the key to nobody', async (t) => {
    const world = await createWorld(t);
    const { id, key } = (world.addAccount('mira', memories(25)), world.addKey('mira'));
    const file = join(mkdtempSync(join(tmpdir(), 'memory-gateway-secret-')), 'key');
    t.after(() => rmSync(dirname(file), { recursive: true }));
    writeFileSync(file, `${issued(key)}\n`);
    const { port, child } = await serveBlock(t, blockWith('isSignedIn', 'ts'), {
      replace: { 'http://127.0.0.1:8787': world.url, '/run/secrets/memory-gateway-key': file },
      env: { SESSIONS: ',other,s3cret' },
    });
    child.stderr.on('data', (part: Buffer) => leave(part.toString()));
    const visit = async (path: string, session?: string) => {
      const headers = session === undefined ? undefined : { cookie: `a=b; session=${session}` };
      const response = await fetch(`http://127.0.0.1:${port}${path}`, headers && { headers });
      const text = await response.text();
      leave(JSON.stringify([...response.headers]) + text);
      return { status: response.status, text };
    };
    assert.deepEqual(await visit('/'), { status: 401, text: '' });
    assert.deepEqual(await visit('/', 'guess'), { status: 401, text: '' });
    const { rows, next } = JSON.parse((await visit('/', 's3cret')).text);
    assert.equal(rows.length, 20);
    assert.deepEqual(Object.keys(rows[0]), ['id', 'name', 'started_at']);
    const rest = JSON.parse((await visit(`/?cursor=${next}`, 's3cret')).text);
    assert.equal(rest.rows.length, 5);
    assert.equal(rest.next, undefined);
    assert.equal((await visit('/?cursor=nonsense', 's3cret')).status, 422);
    world.writer.keys.revoke(id);
    assert.deepEqual(await visit('/', 's3cret'), { status: 502, text: '' });
    writeFileSync(file, world.addKey('mira').key);
    assert.equal((await visit('/', 's3cret')).status, 200, 'the new key needs no restart');
  });
});
