// The stdio entry point for agents: one message per line, in both eras of the protocol, until the input ends.

import type { Readable, Writable } from 'node:stream';

import { createMcpServer, type ServerCall } from './server.ts';

/** The streams of a connection. */
export interface StdioStreams {
  readonly input: Readable;
  readonly output: Writable;
}

/** The longest message, in bytes. A longer one ends the connection. */
const MAX_MESSAGE = 1024 * 1024;

/** Serves a client. Resolves when its input has ended. */
export async function serveAgent(
  { input, output }: StdioStreams,
  call: ServerCall,
  create: typeof createMcpServer = createMcpServer,
): Promise<void> {
  const sdk = await import('./sdk.ts');
  const ended = new Promise<void>((resolve) => {
    for (const event of ['end', 'close', 'error']) input.once(event, () => resolve());
    for (const event of ['close', 'error']) output.once(event, () => resolve());
  });
  const transport = new sdk.StdioServerTransport(input, output, { maxBufferSize: MAX_MESSAGE });
  const handle = sdk.serveStdio(() => create(sdk, call), { transport, maxSubscriptions: 0 });
  await ended;
  await handle.close();
}
