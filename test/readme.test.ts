// README, help and code agree; and what the README shows, works.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';

import * as v from 'valibot';

import { programHelp } from '../src/cli/help.ts';
import { options, type Option } from '../src/cli/options.ts';
import { commands } from '../src/cli/program.ts';
import * as index from '../src/index.ts';
import { Memory } from '../src/index.ts';
import { issued, newFolder } from './support/left.ts';
import { ROOT, run, start, stop, waitFor } from './support/program.ts';

const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

// What runs by tsx is other text at the same address: its coverage would spoil that of the tests.
const uncovered = { ...process.env, NODE_V8_COVERAGE: '' };

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

function blockWith(text: string): string {
  const blocks = Array.from(readme.matchAll(/```\w+\n([^]*?)```/g), ([, block]) => String(block));
  const found = blocks.find((block) => block.includes(text));
  assert.ok(found, text);
  return found;
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
      new Set([...flags(stdout), '--port'].filter((flag) => flag !== '--help')),
    );
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

  it('shows how to embed it, and that runs', async (t) => {
    const folder = mkdtempSync(join(ROOT, 'test/.embedding-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const database = join(newFolder(), 'memory-gateway.db');
    await run(['migrate', '--database', database]);
    const code = blockWith("from 'memory-gateway'")
      .replace("'memory-gateway'", "'../../src/index.ts'")
      .replace("'memory-gateway.db'", JSON.stringify(database))
      .replace('8787', '0');
    const file = join(folder, 'embed.ts');
    writeFileSync(
      file,
      `${code}server.on('listening', () => console.log(JSON.stringify(server.address())));\n`,
    );
    const child = start([], { script: file.slice(ROOT.length) });
    t.after(() => stop(child, 'SIGKILL'));
    const [said] = await once(child.stdout, 'data');
    const { port } = JSON.parse(String(said));
    assert.equal((await fetch(`http://127.0.0.1:${port}/readyz`)).status, 200);
    assert.equal((await fetch(`http://127.0.0.1:${port}/v1/memories`)).status, 401);
  });
});

function readFileOrFolder(path: string): void {
  assert.doesNotThrow(() => statSync(join(ROOT, path)), path);
}
