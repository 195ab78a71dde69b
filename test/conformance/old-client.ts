// The client of the SDK's first version, over HTTP and over stdio: everything an older program does with the server.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { ROOT } from '../../scripts/bundling.ts';

const SDK = join(ROOT, 'test/conformance/suite/node_modules/@modelcontextprotocol/sdk/dist/esm');

/** Any JSON. */
type Json = ReturnType<typeof JSON.parse>;

interface OldClient {
  readonly connect: (transport: object) => Promise<void>;
  readonly close: () => Promise<void>;
  readonly getInstructions: () => string;
  readonly getServerCapabilities: () => object;
  readonly listTools: () => Promise<Json>;
  readonly callTool: (call: { name: string; arguments: object }) => Promise<Json>;
  readonly listResources: () => Promise<Json>;
  readonly listResourceTemplates: () => Promise<Json>;
  readonly readResource: (read: { uri: string }) => Promise<Json>;
  readonly listPrompts: () => Promise<Json>;
  readonly getPrompt: (get: { name: string; arguments: object }) => Promise<Json>;
  readonly ping: () => Promise<object>;
}

/** Where an old client connects to, with the memories of Mira in the fixtures. */
export interface Place {
  /** The address of the endpoint. */
  readonly url: string;
  readonly key: string;
  readonly database: string;
}

/** What the server promises to each client. */
const promises: Readonly<Record<string, (client: OldClient) => Promise<void>>> = {
  'introduces itself': async (client) => {
    assert.match(client.getInstructions(), /recorded conversations/);
    assert.deepEqual(Object.keys(client.getServerCapabilities()).toSorted(), [
      'prompts',
      'resources',
      'tools',
    ]);
    await client.ping();
  },
  'lists five tools that only read': async (client) => {
    const { tools } = await client.listTools();
    assert.equal(tools.length, 5);
    for (const { annotations } of tools) assert.equal(annotations.readOnlyHint, true);
  },
  'finds, fetches and checks a quote': async (client) => {
    const call = async (name: string, args: object): Promise<string> =>
      (await client.callTool({ name, arguments: args })).content[0].text;
    const [, result = ''] = (
      await call('search', { query: 'Who put the kit on the balcony?' })
    ).split('\n\n');
    const [head = '', ...found] = result.split('\n');
    const [id] = head.split(' · ');
    // A result has all passages of a memory, with gaps between them, and perhaps its summary.
    const lines = found.filter((line) => /^L\d+: /.test(line));
    assert.match(lines.join('\n'), /balcony/);
    const fetched = (await call('fetch', { id })).split('\n');
    assert.deepEqual(
      lines.filter((line) => !fetched.includes(line)),
      [],
    );
    assert.match(await call('check_quote', { id, quote: lines[0] }), /match: exact/);
    assert.match(await call('list_memories', { limit: 3 }), /^memories: 3 /);
    assert.match(await call('list_changes', { since: '24h', limit: 3 }), /^changes: 3 /);
  },
  'explains a wrong argument, and an unknown id and tool': async (client) => {
    const wrong = await client.callTool({ name: 'search', arguments: { qurey: 'x' } });
    assert.equal(wrong.isError, true);
    assert.match(wrong.content[0].text, /Did you mean "query"\?/);
    const absent = await client.callTool({ name: 'fetch', arguments: { id: 'absent' } });
    assert.match(absent.content[0].text, /no memory with this id/);
    await assert.rejects(client.callTool({ name: 'delete', arguments: {} }), { code: -32_602 });
    await assert.rejects(client.readResource({ uri: 'memory://absent' }), { code: -32_602 });
  },
  'reads resources and prompts': async (client) => {
    const { resources } = await client.listResources();
    const { contents } = await client.readResource({ uri: resources[1].uri });
    assert.match(contents[0].text, /^---\nid: /);
    assert.equal((await client.listResourceTemplates()).resourceTemplates.length, 1);
    assert.equal((await client.listPrompts()).prompts.length, 3);
    const { messages } = await client.getPrompt({ name: 'catch_up', arguments: {} });
    assert.match(messages[0].content.text, /7d/);
  },
};

/** Runs all promises through an old client. Returns a line for each that failed. */
export async function tryOldClient({ url, key, database }: Place): Promise<string[]> {
  const load = async (path: string) => import(pathToFileURL(join(SDK, path)).href);
  const { Client } = await load('client/index.js');
  const { StreamableHTTPClientTransport } = await load('client/streamableHttp.js');
  const { StdioClientTransport } = await load('client/stdio.js');
  const args = [join(ROOT, 'src/cli/main.ts'), 'mcp', '--database', database];
  const transports: Readonly<Record<string, object>> = {
    HTTP: new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
    }),
    stdio: new StdioClientTransport({ command: process.execPath, args, cwd: ROOT }),
  };
  const failures: string[] = [];
  for (const [name, transport] of Object.entries(transports)) {
    const client: OldClient = new Client({ name: 'old', version: '1' });
    await client.connect(transport);
    let kept = 0;
    for (const [title, keep] of Object.entries(promises))
      try {
        await keep(client);
        kept += 1;
      } catch (error) {
        failures.push(`old client over ${name}: ${title}: ${String(error)}`);
      }
    await client.close();
    process.stdout.write(
      `old client over ${name}: ${kept} of ${Object.keys(promises).length} promises kept\n`,
    );
  }
  return failures;
}
