// The bundle for Claude Desktop: its manifest is valid, and its command serves what the settings name.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it, type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';

import { absent } from '../support/processes/required-programs.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { BINARY, ROOT } from '../support/world/program.ts';
import { createWorld, memory } from '../support/world/world.ts';

const SUITE = join(ROOT, 'test/conformance/suite');
/** The tools of the format's authors: its schema, and how a host fills the settings in. */
const FORMAT = join(SUITE, 'node_modules/@anthropic-ai/mcpb/dist');

type Settings = Readonly<Record<string, string>>;

/** The command that a host starts. */
interface Command {
  readonly command: string;
  readonly args: string[];
  readonly env: Record<string, string>;
}

describe('The bundle for Claude Desktop', { skip: absent('unzip') }, () => {
  const folder = newFolder();
  let manifest: { readonly tools: { readonly name: string }[] };

  before(() => {
    if (!existsSync(FORMAT))
      spawnSync('npm', ['install', '--no-audit', '--no-fund'], { cwd: SUITE, stdio: 'inherit' });
    const script = join(ROOT, 'scripts/mcpb/main.ts');
    const file = execFileSync(
      process.execPath,
      ['--import', 'tsx', script, '--executable', String(BINARY), '--output', newFolder()],
      { encoding: 'utf8', cwd: ROOT },
    ).trim();
    execFileSync('unzip', ['-q', file, '-d', folder]);
    manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  });

  /** Returns the command that a host makes of settings. */
  async function commandOf(userConfig: Settings): Promise<Command> {
    const { getMcpConfigForManifest } = await import(
      pathToFileURL(join(FORMAT, 'shared/config.js')).href
    );
    return getMcpConfigForManifest({
      manifest,
      extensionPath: folder,
      systemDirs: {},
      userConfig,
      pathSeparator: '/',
    });
  }

  async function connect(t: TestContext, settings: Settings): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StdioClientTransport({ ...(await commandOf(settings)), stderr: 'pipe' }),
    );
    t.after(() => client.close());
    return client;
  }

  it('has a valid manifest with our tools, an icon, the licences and an executable', () => {
    const schema = JSON.parse(readFileSync(join(FORMAT, 'mcpb-manifest-v0.3.schema.json'), 'utf8'));
    const ajv = new Ajv({ strict: false });
    formats.default(ajv);
    assert.ok(ajv.validate(schema, manifest), ajv.errorsText());
    assert.equal(readFileSync(join(folder, 'icon.png')).toString('latin1', 1, 4), 'PNG');
    assert.match(readFileSync(join(folder, 'LICENSES.txt'), 'utf8'), /better-sqlite3/);
    assert.match(readFileSync(join(folder, 'LICENSE'), 'utf8'), /Permission/);
    assert.equal(statSync(join(folder, 'server/memory-gateway')).mode & 0o777, 0o755);
  });

  it('serves a database, if the settings name one', async (t) => {
    const world = await createWorld(t);
    world.addAccount('a', [memory({ id: 'milk', transcript: 'Mira: Buy milk.' })]);
    const client = await connect(t, { database: world.database });
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      manifest.tools.map(({ name }) => name),
    );
    const result = await client.callTool({ name: 'search', arguments: { query: 'milk' } });
    assert.match(JSON.stringify(result.content), /milk#L1/);
    world.addAccount('b');
    const other = await connect(t, { database: world.database, account: 'b' });
    assert.match(
      JSON.stringify(await other.callTool({ name: 'list_memories', arguments: {} })),
      /memories: 0/,
    );
  });

  it('serves a gateway, with the key in the environment', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('a', [memory({ id: 'milk', transcript: 'Mira: Buy milk.' })]);
    const settings = { url: world.gatewayUrl, key };
    const { args } = await commandOf(settings);
    assert.ok(!args.join().includes(key));
    const client = await connect(t, settings);
    const result = await client.callTool({ name: 'fetch', arguments: { id: 'milk' } });
    assert.match(JSON.stringify(result.content), /Buy milk/);
  });

  it('says what is missing if no setting is filled in', async () => {
    const { command, args, env } = await commandOf({});
    const { status, stderr } = spawnSync(command, args, { env, encoding: 'utf8', input: '' });
    assert.equal(status, 2);
    assert.match(stderr, /Give --url .* or --database/);
  });
});
