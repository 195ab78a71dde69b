// mcp --install: what it writes into the configuration of a client, what it leaves, and when it refuses.

import assert from 'node:assert/strict';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';

import { parse } from 'jsonc-parser';

import { withServer } from '../../src/cli/mcp/merge.ts';
import { PROGRAM_WORDS, runProcess } from '../support/world/program.ts';
import { createWorld, memory } from '../support/world/world.ts';

const CURSOR = '.cursor/mcp.json';

/** Creates a database with one account, and the home of a person who has Cursor. */
async function person(t: TestContext) {
  const world = await createWorld(t);
  const key = world.addAccount('a', [memory({ id: 'milk' })]);
  const home = mkdtempSync(join(tmpdir(), 'memory-gateway-home-'));
  t.after(() => rmSync(home, { recursive: true }));
  mkdirSync(join(home, '.cursor'));
  const file = join(home, CURSOR);
  const env = { HOME: home, XDG_CONFIG_HOME: '', CODEX_HOME: '' };
  return {
    world,
    key,
    home,
    file,
    read: () => readFileSync(file, 'utf8'),
    install: (client: string, more: string[] = ['--database', world.database], extra = {}) =>
      runProcess(['mcp', '--install', client, ...more], { env: { ...env, ...extra } }),
  };
}

describe('memory-gateway mcp --install', { skip: process.platform !== 'linux' }, () => {
  it('writes what starts this program, once it has answered, for the owner alone', async (t) => {
    const { install, read, file, world } = await person(t);
    const { code, stdout } = await install('cursor');
    assert.equal(code, 0);
    assert.match(
      stdout,
      /The server answers Cursor with 5 tools\.\nWritten to .*mcp\.json\.\nOpen Settings, MCP in Cursor/,
    );
    const { command, args } = JSON.parse(read()).mcpServers.memories;
    assert.deepEqual(
      [command, ...args],
      [...PROGRAM_WORDS, 'mcp', '--database', world.database, '--account', 'a'],
    );
    assert.equal(statSync(file).mode & 0o777, 0o600);
  });

  it('names the account by its id, because people rename accounts', async (t) => {
    const { install, read, world } = await person(t);
    const { code } = await install('cursor', [
      '--database',
      world.database,
      '--account',
      'Account a',
    ]);
    assert.equal(code, 0);
    assert.deepEqual(JSON.parse(read()).mcpServers.memories.args.slice(-2), ['--account', 'a']);
  });

  it('keeps a copy of what was there, follows a link, and writes nothing when it is repeated', async (t) => {
    const { install, file, home } = await person(t);
    const real = join(home, 'dotfiles.json');
    writeFileSync(real, '{}');
    symlinkSync(real, file);
    await install('cursor');
    assert.match(readFileSync(real, 'utf8'), /"memories"/);
    const copy = readdirSync(home).find((name) => name.endsWith('.bak')) ?? '';
    assert.equal(readFileSync(join(home, copy), 'utf8'), '{}');
    const { stdout } = await install('cursor');
    assert.match(stdout, /already has it/);
    assert.doesNotMatch(stdout, /Open Settings/);
  });

  it('writes the key of a gateway after a call with it', async (t) => {
    const { install, read, key, world } = await person(t);
    const more = ['--url', world.url];
    const { code } = await install('cursor', more, { MEMORY_GATEWAY_KEY: key });
    assert.equal(code, 0);
    const { url, headers } = JSON.parse(read()).mcpServers.memories;
    assert.deepEqual([url, headers], [`${world.url}/mcp`, { Authorization: `Bearer ${key}` }]);
  });

  it('writes nothing if the key is refused, the client is missing, or its file cannot be read', async (t) => {
    const { install, file, read, world, key } = await person(t);
    const revoked = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;
    const refused = await install('cursor', ['--url', world.url], { MEMORY_GATEWAY_KEY: revoked });
    assert.match(
      refused.stderr,
      /Nothing was written, .* as Cursor would call it: Invalid API key/,
    );
    const missing = await install('vscode');
    assert.match(
      missing.stderr,
      /VS Code is not on this machine: there is no folder .*Code\/User\. Start VS Code once/,
    );
    const other = await install('goose');
    assert.match(other.stderr, /For Goose, use --print goose/);
    const unknown = await install('clod');
    assert.match(
      unknown.stderr,
      /--install takes claude-desktop, cursor, vscode, codex, gemini-cli, opencode, not "clod"\.\n/,
    );
    const { stderr } = await install('gemini');
    assert.match(stderr, /--install does not take "gemini"\. Did you mean "gemini-cli"\?\n/);
    assert.throws(() => statSync(file));
    writeFileSync(file, '{ "mcpServers": ');
    const broken = await install('cursor');
    assert.match(
      broken.stderr,
      /cannot be read as the configuration of Cursor, so it stays as it is/,
    );
    assert.equal(read(), '{ "mcpServers": ');
  });
});

describe('Our server in a JSON file', () => {
  const addition = '{ "$schema": "ours", "mcp": { "servers": { "memories": { "url": "new" } } } }';

  it('leaves comments, other servers and settings as they are', () => {
    const before =
      '{\n    // my own\n    "$schema": "theirs",\n    "mcp": {\n        "servers": { "other": 1, "memories": { "url": "old", "a": 1 } },\n    },\n}\n';
    const after = withServer(before, addition, 'json') ?? '';
    assert.match(after, /\/\/ my own\n {4}"\$schema": "theirs"/);
    const { servers } = parse(after).mcp;
    assert.deepEqual(servers, { other: 1, memories: { url: 'new' } });
    assert.equal(withServer(after, addition, 'json'), after);
  });

  it('is written into an empty file', () => {
    assert.deepEqual(parse(withServer('', addition, 'json') ?? ''), JSON.parse(addition));
  });

  for (const before of ['{ "mcp": ', '[]', '{ "mcp": [] }', '{ "mcp": { "servers": null } }'])
    it(`is not written into ${before}`, () => {
      assert.equal(withServer(before, addition, 'json'), undefined);
    });
});

describe('Our server in a TOML file', () => {
  const addition = '[mcp_servers.memories]\ncommand = "new"';
  const cases: readonly (readonly [title: string, before: string, after: string])[] = [
    ['an empty file', '', `${addition}\n`],
    [
      'other tables',
      'model = "x"\n\n[other]\na = 1\n',
      `model = "x"\n\n[other]\na = 1\n\n${addition}\n`,
    ],
    [
      'an older entry with a table of its own',
      '[mcp_servers.memories]\ncommand = "old"\nargs = ["[a]"]\n\n[mcp_servers.memories.env]\nA = "1"\n\n[mcp_servers.memories2]\nb = 2\n',
      `[mcp_servers.memories2]\nb = 2\n\n${addition}\n`,
    ],
  ];
  for (const [title, before, after] of cases)
    it(`replaces only itself: ${title}`, () => {
      assert.equal(withServer(before, addition, 'toml'), after);
      assert.equal(withServer(after, addition, 'toml'), after);
    });
});
