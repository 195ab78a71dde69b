// The stdio entry point for agents: one message per line, in both eras of the protocol, until the input ends.

import { Transform, type Readable, type Writable } from 'node:stream';

import { checkMessage, isNamed, rpcError } from './message.ts';
import { createMcpServer, type ServerCall } from './server.ts';

/** The streams of a connection. */
export interface StdioStreams {
  readonly input: Readable;
  readonly output: Writable;
}

/** The longest message, in bytes. A longer one is skipped and answered with an error. */
const MAX_MESSAGE = 1024 * 1024;

/** Serves a client. Resolves when its input has ended. */
export async function serveAgent(
  { input, output }: StdioStreams,
  call: ServerCall,
  create: typeof createMcpServer = createMcpServer,
): Promise<void> {
  const sdk = await import('./sdk.ts');
  const lines = input.pipe(createLines((error) => output.write(`${JSON.stringify(error)}\n`)));
  const ended = new Promise<void>((resolve) => {
    for (const event of ['close', 'error']) input.once(event, () => lines.end());
    lines.once('end', () => resolve());
    for (const event of ['close', 'error']) output.once(event, () => resolve());
  });
  const transport = new sdk.StdioServerTransport(lines, output, { maxBufferSize: 2 * MAX_MESSAGE });
  const handle = sdk.serveStdio(() => create(sdk, call), { transport, maxSubscriptions: 0 });
  await ended;
  await handle.close();
}

const INVALID_REQUEST = -32_600;

/** Creates a stream that passes on checked messages, a line each, and gives the errors of others to `refuse`. */
function createLines(refuse: (error: object) => void): Transform {
  let parts: Buffer[] = [];
  let bytes = 0;
  const endLine = (): string => {
    const line = bytes > MAX_MESSAGE ? undefined : Buffer.concat(parts).toString();
    [parts, bytes] = [[], 0];
    if (line !== undefined) return checkLine(line, refuse);
    refuse(rpcError(INVALID_REQUEST, `Send messages of at most ${MAX_MESSAGE} bytes.`));
    return '';
  };
  return new Transform({
    transform(chunk: Buffer, _, done) {
      let passed = '';
      let start = 0;
      for (let end = chunk.indexOf(10); ; end = chunk.indexOf(10, start)) {
        const part = end === -1 ? chunk.subarray(start) : chunk.subarray(start, end);
        bytes += part.length;
        if (bytes <= MAX_MESSAGE) parts.push(part);
        else parts = [];
        if (end === -1) break;
        passed += endLine();
        start = end + 1;
      }
      done(null, passed);
    },
  });
}

/** Returns a line to pass on. Programs of Windows put a byte order mark before the first one. */
function checkLine(line: string, refuse: (error: object) => void): string {
  const text = line.replace(/^\uFEFF/, '');
  try {
    const message: unknown = JSON.parse(text);
    if (!isNamed(message)) return `${text}\n`;
    const checked = checkMessage(message);
    if (!('error' in checked) || 'error' in message) return `${JSON.stringify(checked)}\n`;
    refuse(checked);
    return '';
  } catch {
    return `${text}\n`; // the SDK skips it
  }
}
