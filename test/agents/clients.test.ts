// Real clients of both eras of the protocol: the SDK's own, over HTTP and over stdio.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { PROGRAM_WORDS, ROOT } from '../support/world/program.ts';
import { createWorld, memory, type World } from '../support/world/world.ts';

const modes = { legacy: '2025-11-25', auto: '2026-07-28' } as const;

const transports = {
  HTTP: ({ url }: World, key: string) =>
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
    }),
  stdio: ({ database, accountOf }: World, key: string) => {
    const [command = '', ...words] = PROGRAM_WORDS;
    const args = [...words, 'mcp', '--database', database, '--account', accountOf(key)];
    return new StdioClientTransport({ command, args, cwd: ROOT, stderr: 'pipe' });
  },
};

async function connect(
  t: TestContext,
  world: World,
  key: string,
  name: keyof typeof transports,
  mode: keyof typeof modes,
) {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(transports[name](world, key));
  t.after(() => client.close());
  return client;
}

for (const name of ['HTTP', 'stdio'] as const)
  for (const mode of ['legacy', 'auto'] as const)
    describe(`The SDK's client over ${name}, ${modes[mode]}`, () => {
      it('finds tools, calls them, and reads resources and prompts', async (t) => {
        const world = await createWorld(t);
        const key = world.addAccount('a', [memory({ id: 'milk', transcript: 'Mira: Buy milk.' })]);
        const client = await connect(t, world, key, name, mode);
        assert.equal(client.getNegotiatedProtocolVersion(), modes[mode]);
        assert.match(client.getInstructions() ?? '', /recorded conversations/);
        assert.equal((await client.listTools()).tools.length, 5);
        const result = await client.callTool({ name: 'search', arguments: { query: 'milk' } });
        assert.match(JSON.stringify(result.content), /milk#L1 · /);
        assert.equal(result.structuredContent, undefined);
        const wrong = await client.callTool({ name: 'search', arguments: { qurey: 'milk' } });
        assert.equal(wrong.isError, true);
        const { contents } = await client.readResource({ uri: 'memory://milk' });
        assert.match(JSON.stringify(contents), /Buy milk/);
        const prompt = await client.getPrompt({ name: 'catch_up', arguments: {} });
        assert.equal(prompt.messages.length, 1);
        await assert.rejects(client.callTool({ name: 'nothing', arguments: {} }), {
          code: -32_602,
        });
      });
    });

describe("The SDK's client", () => {
  it('says that a key is refused', async (t) => {
    const world = await createWorld(t);
    for (const mode of ['legacy', 'auto'] as const)
      await assert.rejects(
        connect(t, world, 'mem_x', 'HTTP', mode),
        /401|[Uu]nauthorized|Invalid API key/,
      );
  });
});
