// Calls the server as a client would: starts the program from another folder, or asks the address.

import { homedir } from 'node:os';

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import type { Reach } from '../../agents/clients/configuration.ts';
import { Refusal } from '../../store/refusal.ts';
import { VERSION } from '../../version.ts';

/**
 * Returns how many tools the server has. Rejects with `Refusal` if it refuses the key, or does not answer within
 * a minute, the default of the SDK: on a busy machine, a program has taken more than half of it to start.
 */
export async function tryServer(title: string, reach: Reach): Promise<number> {
  const client = new Client({ name: 'memory-gateway', version: VERSION });
  const { transport, said } = open(reach);
  try {
    await client.connect(transport);
    const { tools } = await client.listTools();
    const { isError, content } = await client.callTool({
      name: 'list_memories',
      arguments: { limit: 1 },
    });
    const [first] = content;
    if (isError === true) throw new Error(first?.type === 'text' ? first.text : 'a call failed');
    return tools.length;
  } catch (error) {
    throw new Refusal(
      `Nothing was written, because the server does not answer as ${title} would call it: ${said() || reasonOf(error)}`,
      { cause: error },
    );
  } finally {
    await client.close();
  }
}

function open(reach: Reach) {
  if ('url' in reach) {
    const transport = new StreamableHTTPClientTransport(new URL(reach.url), {
      requestInit: { headers: reach.headers },
    });
    return { transport, said: () => '' };
  }
  const [command = '', ...args] = reach.words;
  const transport = new StdioClientTransport({
    command,
    args,
    env: reach.env,
    cwd: homedir(),
    stderr: 'pipe',
  });
  let text = '';
  transport.stderr?.on('data', (part) => (text += String(part)));
  return { transport, said: () => text.trim() };
}

/** Returns the sentence of the gateway, or the innermost message: that of a failed fetch says only that it failed. */
function reasonOf(error: unknown): string {
  let inner = error;
  while (inner instanceof Error && inner.cause !== undefined) inner = inner.cause;
  const { message, code } = inner as Error & { code?: string };
  const body = /\{"detail":.*\}/.exec(message)?.[0];
  return body === undefined ? message || String(code) : JSON.parse(body).detail;
}
