// README, help and code agree; and what the README shows, works.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';

import * as v from 'valibot';

import { readFixtures } from '../src/cli/fixtures.ts';
import { programHelp } from '../src/cli/help.ts';
import type { Option } from '../src/cli/option.ts';
import { options } from '../src/cli/options.ts';
import { commands } from '../src/cli/program.ts';
import { createClient } from '../src/client/index.ts';
import type { Route } from '../src/contract/api.ts';
import { endpointsOf, isInPath } from '../src/contract/endpoints.ts';
import { routes } from '../src/contract/routes.ts';
import { COMMON_STATUSES, NAMED_STATUSES } from '../src/contract/statuses.ts';
import * as index from '../src/index.ts';
import { Memory } from '../src/index.ts';
import { createDatabase } from '../src/store/sqlite/writer.ts';
import { issued, leave, newFolder } from './support/left.ts';
import { ROOT, run, start, stop, waitFor } from './support/program.ts';
import { blockWith, readme, serveBlock, writeBlock } from './support/readme.ts';
import { send } from './support/wire.ts';
import { createWorld, memories, memory } from './support/world.ts';

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

// What runs by tsx is other text at the same address: its coverage would spoil that of the tests.
const uncovered = { ...process.env, NODE_V8_COVERAGE: '' };

const CLONE = { skip: existsSync(join(ROOT, '.git')) ? false : 'needs a clone' };

/** The rows of the tables whose head begins with a word, as cells. */
function rowsOf(head: string): string[][] {
  const [, table = ''] = readme.split(new RegExp(`^\\| ${head} \\|.*\\n\\|[-|]+\\|\\n`, 'm'));
  const rows = table.split('\n\n')[0] ?? '';
  return rows
    .split('\n')
    .filter(Boolean)
    .map((row) =>
      row
        .slice(2, -2)
        .split(' | ')
        .map((cell) => cell.trim()),
    );
}

describe('The README', () => {
  it('begins with the two commands, before anything else that can be typed', () => {
    const [first, second] = Array.from(readme.matchAll(/```sh\n([^]*?)```/g), ([, block]) => block);
    assert.equal(first, 'npm ci && npm run demo\n');
    assert.equal(second, 'npm ci && npm test\n');
    assert.ok(readme.slice(0, readme.indexOf('```')).split('\n').length < 8, 'on the first screen');
  });

  it('lists every command, as help does, and no other', () => {
    const typed = Object.entries(commands).map(([name, { takes }]) =>
      takes ? `${name} ${takes}` : name,
    );
    assert.deepEqual(
      rowsOf('command').map(([cell]) => cell?.replaceAll('`', '')),
      [...typed, 'help [COMMAND]', '--version'],
    );
    const help = programHelp(commands);
    for (const name of typed)
      assert.match(help, new RegExp(`^  ${name.replaceAll(/[[\]]/g, String.raw`\$&`)} `, 'm'));
  });

  it('lists every option with its environment and default, and the commands that take it', () => {
    const rows = new Map(
      rowsOf('option').map((cells) => [String(/^`--([a-z-]+)/.exec(cells[0] ?? '')?.[1]), cells]),
    );
    assert.deepEqual(new Set(rows.keys()), new Set([...Object.keys(options), 'help']));
    for (const [name, option] of Object.entries(options) as [keyof typeof options, Option][]) {
      const [flag, env = '', fallback, meaning = ''] = rows.get(name) ?? [];
      assert.equal(flag, `\`--${name}${option.value ? ` ${option.value}` : ''}\``);
      assert.deepEqual(
        Array.from(env.matchAll(/`(\w+)`/g), ([, variable]) => variable),
        [...(option.env ?? [])],
        name,
      );
      if (option.default !== undefined) assert.equal(fallback, `\`${option.default}\``);
      const takers = Object.entries(commands)
        .filter(([, command]) => command.options.includes(name))
        .map(([taker]) => taker);
      assert.ok(takers.length > 0, `no command takes --${name}`);
      const [who = ''] = meaning.split(':');
      const said = Array.from(who.matchAll(/`([a-z ]+)`/g), ([, taker]) => String(taker));
      const expected =
        who === 'all'
          ? Object.keys(commands)
          : who.startsWith('all but')
            ? Object.keys(commands).filter((each) => !said.includes(each))
            : said;
      assert.deepEqual(takers.toSorted(), expected.toSorted(), name);
    }
  });

  it('lists every option of the seed, as its help does', async () => {
    const { stdout } = await run(['--help'], { script: 'scripts/seed.ts' });
    const flags = (text: string) =>
      new Set(Array.from(text.matchAll(/(--[a-z]+)(?: [A-Z]+)?/g), ([, flag]) => flag));
    const section = readme.slice(readme.indexOf('## The seed'), readme.indexOf('## The database'));
    assert.deepEqual(
      flags(section),
      new Set([...flags(stdout)].filter((flag) => flag !== '--help')),
    );
  });

  it('lists every setting of the client, every reason to fail, and every call', () => {
    const names = (head: string) => rowsOf(head).map(([cell]) => cell?.replaceAll('`', ''));
    const source = readFileSync(join(ROOT, 'src/client/options.ts'), 'utf8');
    const [, settings = ''] = /interface ClientOptions \{([^]*?)\n\}/.exec(source) ?? [];
    assert.deepEqual(
      names('setting'),
      Array.from(settings.matchAll(/readonly (\w+)/g), ([, name]) => name),
    );
    const failure = readFileSync(join(ROOT, 'src/contract/failure.ts'), 'utf8');
    const [, reasons = ''] = /type FailureReason = ([^;]*);/.exec(failure) ?? [];
    assert.deepEqual(
      names('reason'),
      Array.from(reasons.matchAll(/'(\w+)'/g), ([, name]) => name),
    );
    const api = createClient({ baseUrl: 'http://host', apiKey: 'key' });
    const calls = Object.entries(api).flatMap(([group, each]) =>
      Object.keys(each).map((name) => `${group}.${name}`),
    );
    assert.deepEqual(
      new Set(rowsOf('call').map(([cell]) => /`api\.(\w+\.\w+)/.exec(cell ?? '')?.[1])),
      new Set(calls),
    );
  });

  it('lists every parameter where its endpoint is described', () => {
    for (const endpoint of endpointsOf<Route>(routes)) {
      const [, section = ''] = readme.split(`### \`GET ${endpoint.route.path}\`\n`);
      const [own = ''] = section.split('\n### ');
      for (const name of Object.keys(endpoint.route.input.entries))
        if (!isInPath(endpoint.route, name))
          assert.ok(own.includes(`\`${name}\``), `${endpoint.name}: ${name}`);
    }
  });

  it('lists every status that the OpenAPI document has for a failure, and 405', () => {
    const named = rowsOf('status').flatMap(([cell = '']) => cell.split(', ').map(Number));
    const documented = Object.keys({ ...NAMED_STATUSES, ...COMMON_STATUSES }).map(Number);
    // The document has no method that is not allowed.
    assert.deepEqual(new Set(named), new Set([...documented, 405]));
  });

  it('lists every export', () => {
    const section = readme.slice(readme.indexOf('## Embedding it'), readme.indexOf('## The seed'));
    const source = readFileSync(join(ROOT, 'src/index.ts'), 'utf8');
    const names = Array.from(source.matchAll(/\{([^}]*)\}/g), ([, list]) =>
      String(list).split(','),
    ).flat();
    for (const name of names.map((each) => each.replace('type ', '').trim())) {
      assert.match(section, new RegExp(`\`${name}\\b`), name);
    }
    assert.ok(Object.keys(index).length >= 7);
  });

  it('names only scripts and files that are there', () => {
    for (const [, script] of readme.matchAll(/npm run (?:-s )?([a-z]+)/g))
      assert.ok(manifest.scripts[String(script)], String(script));
    for (const [, file] of readme.matchAll(/\]\(([\w./]+)\)/g)) readFileOrFolder(String(file));
  });

  it('shows a memory that holds the contract and is in the fixtures', () => {
    const shown = v.parse(Memory, JSON.parse(blockWith('"key_takeaways"')));
    const fixtures = JSON.parse(readFileSync(join(ROOT, 'fixtures/memories/mira.json'), 'utf8'));
    assert.deepEqual(
      shown,
      fixtures.find(({ id }: Memory) => id === shown.id),
    );
  });

  it('leads from nothing to a served account by the lines it shows', async (t) => {
    const database = join(newFolder(), 'mine.db');
    const lines = blockWith('accounts create')
      .replace('=mine.db', `=${database}`)
      .replace('npm start &\n', 'echo "KEY=$KEY"\n');
    const { stdout } = await promisify(execFile)('sh', ['-ec', lines], {
      cwd: ROOT,
      env: uncovered,
    });
    const key = issued(String(/KEY=(mem_\w{49})/.exec(stdout)?.[1]));
    assert.match(stdout, /This is key \S+ \("laptop"\) of account \S+: active\./);
    const child = start(['serve'], {
      env: { MEMORY_GATEWAY_DATABASE: database, MEMORY_GATEWAY_PORT: '0' },
    });
    t.after(() => stop(child, 'SIGKILL'));
    const said = await waitFor(child, 'stdout', /listening/);
    const url = String(/http:\/\/[\d.:]+/.exec(said)?.[0]);
    const curl = blockWith('$KEY" http').replace('http://127.0.0.1:8787', url);
    const list = await promisify(execFile)('sh', ['-ec', curl], {
      env: { ...uncovered, KEY: key },
    });
    assert.equal(list.stdout, '[]');
    assert.equal(await stop(child), 0);
  });

  it('shows curl lines that find what it says', async (t) => {
    const world = await createWorld(t);
    const mira = readFixtures().find(({ id }) => id === 'mira');
    const key = world.addAccount('mira', [...(mira?.memories ?? [])]);
    const [, section = ''] = /\n## The API\n([^]*?)\n### Every answer/.exec(readme) ?? [];
    const lines = Array.from(section.matchAll(/^curl .*$/gm), ([line]) => line);
    const answers = await Promise.all(
      lines.map(async (line) => {
        const curl = `${line.replace('http://127.0.0.1:8787', world.url)} -s --fail`;
        const env = { ...uncovered, KEY: key };
        return (await promisify(execFile)('sh', ['-ec', curl], { env })).stdout;
      }),
    );
    const [day, found, one, changes] = answers;
    assert.equal(answers.length, 4);
    assert.deepEqual(JSON.parse(day ?? ''), [
      { id: '2026-11-18-memo-milk', name: 'Voice memo', started_at: '2026-11-18T17:42:10.250Z' },
    ]);
    assert.ok(JSON.parse(found ?? '').length > 1);
    assert.deepEqual(Object.keys(JSON.parse(one ?? '')), ['id', 'name', 'summary']);
    assert.match(changes ?? '', /^link: <\/v1\/changes\?since=[\w-]+>; rel="next"\r$/im);
  });

  it('shows how to look at memories and to take them out, and what comes of it', async () => {
    const folder = newFolder();
    const database = join(folder, 'mine.db');
    const mira = readFixtures().find(({ id }) => id === 'mira');
    createDatabase(database, ({ accounts, memories: kept }) => {
      accounts.create({ id: 'mira', name: 'Mira Okafor', created_by: 'command line' });
      for (const each of mira?.memories ?? []) kept.put('mira', each);
    });
    const lines = `${blockWith('memories list')}${blockWith('--format markdown')}`
      .replaceAll('--output ', `--output ${folder}/`)
      .replaceAll('> mine', `> ${folder}/mine`)
      .replaceAll('cd notes', `cd ${folder}/notes`);
    const env = { ...uncovered, MEMORY_GATEWAY_DATABASE: database, ACCOUNT: 'mira' };
    const { stdout } = await promisify(execFile)('sh', ['-ec', lines], { cwd: ROOT, env });
    assert.match(stdout, /^STARTED +DURATION +ID +NAME\n2026-[^]*\n\nMira: Milk\.\n$/);
    const [plain, packed] = ['mine.jsonl', 'mine.jsonl.gz'].map((name) =>
      readFileSync(join(folder, name)),
    );
    assert.deepEqual(gunzipSync(packed ?? ''), plain);
    assert.equal(JSON.parse(readFileSync(join(folder, 'mine.json'), 'utf8')).length, 17);
    const [, name = ''] = /such as `(notes\/[^`]+)`/.exec(readme) ?? [];
    assert.equal(readFileSync(join(folder, name), 'utf8'), blockWith('tags: [memory]'));
  });

  it('makes nothing in a clone that git would take for a part of it', CLONE, async () => {
    const block = blockWith('export --account');
    const made = Array.from(block.matchAll(/(?:--output|>) (\S+)/g), ([, name = '']) => name);
    assert.ok(made.includes('mine.jsonl') && made.includes('notes'), made.join());
    const files = made.map((name) => (name.includes('.') ? name : `${name}/SHA256SUMS`));
    const left = [
      'a.db-journal',
      'a.db.before-migrate-20261118T090000Z',
      'a.db.before-restore-20261118T090000Z',
      'a.db.1b2c3d4e.new-wal',
    ];
    const drafts = [
      'mine.jsonl.1b2c3d4e.new',
      'notes.1b2c3d4e.new/a.md',
      'notes.1b2c3d4e.old/a.md',
    ];
    const all = [...files, ...left, ...drafts];
    const { stdout } = await promisify(execFile)('git', ['check-ignore', ...all], { cwd: ROOT });
    assert.deepEqual(stdout.trim().split('\n'), all);
  });

  it('says of a mistake what the gateway says', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('mira');
    const answer = await send(world.port, { key, path: '/v1/memories?start_after=2026-11-18' });
    assert.equal(answer.text, blockWith('nearest known').trim());
  });

  it('shows how to keep a copy, and that keeps it', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('mira', memories(3));
    const folder = newFolder();
    const file = join(folder, 'copy.json');
    const replace = { 'http://127.0.0.1:8787': world.url, 'copy.json': file, '60_000': '20' };
    const script = writeBlock(t, blockWith('changes.follow'), replace);
    const copied = () => (existsSync(file) ? readFileSync(file, 'utf8') : '');
    const until = async (isDone: (text: string) => boolean) => {
      while (!isDone(copied())) await sleep(20);
    };
    const first = start([], { script, env: { MEMORY_GATEWAY_KEY: key } });
    t.after(() => first.kill('SIGKILL'));
    await until((text) => text.includes('m002'));
    world.writer.memories.put('mira', memory({ id: 'm001', name: 'Anew' }));
    await until((text) => text.includes('Anew'));
    await stop(first);
    world.writer.erase({ account_id: 'mira', ids: ['m000'] });
    const second = start([], { script, env: { MEMORY_GATEWAY_KEY: key } });
    t.after(() => second.kill('SIGKILL'));
    await until((text) => text !== '' && !text.includes('m000'));
    const kept = new Map<string, Memory>(JSON.parse(copied()).memories);
    const whole = await world.gateway.as('mira').memories.list();
    assert.deepEqual(kept, new Map(whole.map((each) => [each.id, each])));
  });

  it('shows the client, and that runs', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('mira', [memory({ id: '2026-11-18-memo-milk', name: 'Milk' })]);
    const block = blockWith('api.memories.each()');
    const script = writeBlock(t, block, { 'http://127.0.0.1:8787': world.url });
    const { code, stdout } = await run([], { script, env: { MEMORY_GATEWAY_KEY: key } });
    assert.equal(code, 0);
    assert.equal(stdout, '2026-11-16T09:00:00.000Z 2026-11-18-memo-milk Milk\nMira: Hello.\n');
  });

  it('shows how to keep the key on a server, and that keeps it', async (t) => {
    const world = await createWorld(t);
    const { id, key } = (world.addAccount('mira', memories(25)), world.addKey('mira'));
    const file = join(mkdtempSync(join(tmpdir(), 'memory-gateway-secret-')), 'key');
    t.after(() => rmSync(dirname(file), { recursive: true }));
    writeFileSync(file, `${key}\n`);
    const { port, child } = await serveBlock(t, blockWith('isSignedIn'), {
      replace: { 'http://127.0.0.1:8787': world.url, '/run/secrets/memory-gateway-key': file },
      env: { SESSIONS: ',other,s3cret' },
    });
    child.stderr.on('data', (part: Buffer) => leave(part.toString()));
    const ask = async (path: string, session?: string) => {
      const headers = session === undefined ? undefined : { cookie: `a=b; session=${session}` };
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, headers && { headers });
      const text = await answer.text();
      leave(JSON.stringify([...answer.headers]) + text);
      return { status: answer.status, text };
    };
    assert.deepEqual(await ask('/'), { status: 401, text: '' });
    assert.deepEqual(await ask('/', 'guess'), { status: 401, text: '' });
    const { rows, next } = JSON.parse((await ask('/', 's3cret')).text);
    assert.equal(rows.length, 20);
    assert.deepEqual(Object.keys(rows[0]), ['id', 'name', 'started_at']);
    const rest = JSON.parse((await ask(`/?cursor=${next}`, 's3cret')).text);
    assert.equal(rest.rows.length, 5);
    assert.equal(rest.next, undefined);
    assert.equal((await ask('/?cursor=nonsense', 's3cret')).status, 422);
    world.writer.keys.revoke(id);
    assert.deepEqual(await ask('/', 's3cret'), { status: 502, text: '' });
    writeFileSync(file, world.addKey('mira').key);
    assert.equal((await ask('/', 's3cret')).status, 200, 'the new key needs no restart');
  });
});

function readFileOrFolder(path: string): void {
  assert.doesNotThrow(() => statSync(join(ROOT, path)), path);
}
