// The addresses in the responses of the tools for agents: they lead to the app if it has an address.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { createAppWorld } from '../support/app/app-world.ts';
import { send } from '../support/wire/wire.ts';

describe('The link in a response of a tool', () => {
  for (const [baseUrl, expected] of [
    ['https://memories.example/mine', 'https://memories.example/mine/app/m/one#L1'],
    ['/mine', undefined],
    [undefined, undefined],
  ] as const)
    it(`is ${expected} with the base URL ${baseUrl}`, async (t) => {
      const { port, keys } = await createAppWorld(t, baseUrl === undefined ? {} : { baseUrl });
      const params = {
        name: 'fetch',
        arguments: { id: 'one#L1' },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
      const answer = await send(port, {
        method: 'POST',
        path: '/mcp',
        key: keys.ana,
        headers: {
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(body)),
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/call',
          'mcp-name': 'fetch',
        },
        body,
      });
      assert.equal(answer.status, 200, answer.text);
      assert.equal(/link: (\S*?)\\n/.exec(answer.text)?.[1], expected);
    });
});
