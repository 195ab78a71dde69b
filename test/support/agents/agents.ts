// The entry points for agents in both eras of the protocol: each promise to agents is tested through all of them.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';

import { start } from '../world/program.ts';
import { listen } from '../world/server-in-process.ts';
import { isThorough } from '../world/thorough.ts';
import type { World } from '../world/world.ts';
import { readResponse } from './read-response.ts';

/** The protocol that begins with `initialize`, or the one with a version in each request. */
export type Era = 'initialize' | '2026-07-28';

export const eras: readonly Era[] = ['initialize', '2026-07-28'];

/** Any JSON. */
type Json = ReturnType<typeof JSON.parse>;

/** A response of the protocol. */
export interface RpcResponse {
  readonly result?: Record<string, Json>;
  readonly error?: { readonly code: number; readonly message: string };
  /** The bytes of the whole message. */
  readonly bytes: number;
}

/** The response of a tool. */
export interface ToolResponse {
  /** What its text says, as data. */
  readonly said: Record<string, Json>;
  readonly text: string;
  readonly isError: boolean;
  readonly bytes: number;
}

/** An agent that is connected. */
export interface Agent {
  readonly request: (method: string, params?: object) => Promise<RpcResponse>;
  readonly call: (tool: string, args: object) => Promise<ToolResponse>;
}

export interface AgentEntryPoint {
  readonly name: string;
  readonly open: (t: TestContext, world: World, key: string, era: Era) => Promise<Agent>;
}

type Send = (message: object, headers: Record<string, string>) => Promise<string>;

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Creates an agent from a function that sends a message and returns the text of the response. */
export function createAgent(era: Era, send: Send): Agent {
  let id = 0;
  const request = async (method: string, params: object = {}): Promise<RpcResponse> => {
    const isOld = era === 'initialize';
    const message = {
      jsonrpc: '2.0',
      id: ++id,
      method,
      params: isOld ? params : { ...params, _meta: META },
    };
    const name = Reflect.get(params, 'name') ?? Reflect.get(params, 'uri');
    const headers = isOld
      ? { 'mcp-protocol-version': '2025-06-18' }
      : {
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': method,
          ...(typeof name === 'string' && { 'mcp-name': headerValue(name) }),
        };
    const text = await send(message, headers);
    return { ...JSON.parse(text), bytes: Buffer.byteLength(text) };
  };
  return {
    request,
    async call(name, args) {
      const { result, error, bytes } = await request('tools/call', { name, arguments: args });
      assert.equal(error, undefined, JSON.stringify(error));
      const { content, structuredContent, isError = false } = result ?? {};
      assert.equal(content.length, 1);
      assert.equal(structuredContent, undefined, 'one copy');
      const { text } = content[0];
      return { said: isError ? {} : readResponse(name, text), text, isError, bytes };
    },
  };
}

/** A header has ASCII only; the protocol has a form for the rest. */
function headerValue(text: string): string {
  if (/^[\x21-\x7e]*$/.test(text)) return text;
  return `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

/** Returns the message of a response, which is JSON, or one event of an event stream. */
function messageOf(text: string): string {
  return /^data: (.*)$/m.exec(text)?.[1] ?? text;
}

type Fetch = (request: Request) => Promise<Response>;

/** Creates a function that sends a message by fetch. */
export function sendBy(fetch: Fetch, url: string, key: string): Send {
  return async (message, headers) => {
    const response = await fetch(
      new Request(url, {
        method: 'POST',
        body: JSON.stringify(message),
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          authorization: `Bearer ${key}`,
          ...headers,
        },
      }),
    );
    return messageOf(await response.text());
  };
}

/** Creates a function that sends messages to the program, one per line. */
function sendToProgram(t: TestContext, args: string[], env: Record<string, string>): Send {
  const child = start(args, { env });
  t.after(() => child.kill());
  let said = '';
  child.stderr.on('data', (part) => (said += String(part)));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return async (message) => {
    child.stdin.write(`${JSON.stringify(message)}\n`);
    const { value, done } = await lines.next();
    assert.notEqual(done, true, said);
    return value as string;
  };
}

async function opened(era: Era, send: Send): Promise<Agent> {
  const agent = createAgent(era, send);
  if (era === 'initialize') {
    const { result } = await agent.request('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    });
    assert.equal(result?.['protocolVersion'], '2025-06-18');
  } else {
    const { result } = await agent.request('server/discover');
    assert.deepEqual(result?.['supportedVersions'], ['2026-07-28']);
  }
  return agent;
}

const all: readonly AgentEntryPoint[] = [
  {
    name: 'HTTP',
    open: (_t, { url }, key, era) => opened(era, sendBy(fetch, `${url}/mcp`, key)),
  },
  {
    name: 'fetch',
    open: (_t, { gateway }, key, era) =>
      opened(era, sendBy(gateway.fetch, 'http://gateway/mcp', key)),
  },
  {
    name: 'gateway.mcp.fetch',
    open: (_t, { gateway }, key, era) =>
      opened(era, sendBy(gateway.mcp.fetch, 'http://gateway/any/path', key)),
  },
  {
    name: 'gateway.mcp.listener',
    open: async (t, { gateway }, key, era) => {
      const port = await listen(t, createServer(gateway.mcp.listener));
      return opened(era, sendBy(fetch, `http://127.0.0.1:${port}/agents`, key));
    },
  },
  {
    name: 'stdio on a database',
    open: (t, { database, accountOf }, key, era) => {
      const args = ['mcp', '--database', database, '--account', accountOf(key)];
      return opened(era, sendToProgram(t, args, {}));
    },
  },
  {
    name: 'stdio on a gateway',
    open: (t, { gatewayUrl }, key, era) =>
      opened(era, sendToProgram(t, ['mcp', '--url', gatewayUrl], { MEMORY_GATEWAY_KEY: key })),
  },
];

const DAILY = new Set(['HTTP', 'gateway.mcp.fetch', 'stdio on a database']);

/** All entry points in a thorough run, and every day those that differ most. */
export const agentEntryPoints = isThorough ? all : all.filter(({ name }) => DAILY.has(name));
