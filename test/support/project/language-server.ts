// A client for TypeScript's language server, to read what an editor shows on hover.

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { ROOT } from '../world/program.ts';

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** Starts `tsc --lsp` in a folder with a `tsconfig.json`. */
export async function startLanguageServer(folder: string) {
  const file = join(ROOT, 'node_modules/typescript/bin/tsc');
  const server = spawn(process.execPath, [file, '--lsp', '--stdio'], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const pending = new Map<number, (message: Message) => void>();
  const exited = new Promise<void>((resolve) => {
    server.once('exit', () => {
      for (const settle of pending.values()) settle({ error: { message: 'the server ended' } });
      resolve();
    });
  });
  let received = Buffer.alloc(0);
  let lastId = 0;

  const write = (message: object) => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  const request = async (method: string, params?: object) => {
    const id = ++lastId;
    const { promise, resolve } = Promise.withResolvers<Message>();
    pending.set(id, resolve);
    write({ id, method, params });
    const { result, error } = await promise;
    pending.delete(id);
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  const handle = (message: Message) => {
    if (message.method === undefined) pending.get(Number(message.id))?.(message);
    // The server asks for settings and for permission to watch files. `null` means the defaults.
    else if (message.id !== undefined) write({ id: message.id, result: null });
  };
  server.stdout.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    for (;;) {
      const head = received.indexOf('\r\n\r\n');
      const length = Number(/length: (\d+)/i.exec(received.toString('latin1', 0, head))?.[1]);
      if (head === -1 || received.length < head + 4 + length) return;
      const body = received.toString('utf8', head + 4, head + 4 + length);
      received = received.subarray(head + 4 + length);
      handle(JSON.parse(body) as Message);
    }
  });

  const capabilities = { textDocument: { hover: { contentFormat: ['markdown'] } } };
  const rootUri = pathToFileURL(folder).href;
  await request('initialize', { processId: process.pid, rootUri, capabilities });
  write({ method: 'initialized', params: {} });

  return {
    /**
     * Opens a file of the folder. Returns a function that gives the hover text at an index of
     * `text`, or `''`.
     */
    open(name: string, text: string): (index: number) => Promise<string> {
      const uri = pathToFileURL(join(folder, name)).href;
      const textDocument = { uri, languageId: 'typescript', version: 1, text };
      write({ method: 'textDocument/didOpen', params: { textDocument } });
      return async (index) => {
        const lines = text.slice(0, index).split('\n');
        const position = { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
        const params = { textDocument: { uri }, position };
        const hover = (await request('textDocument/hover', params)) as {
          readonly contents?: { readonly value: string };
        } | null;
        return hover?.contents?.value ?? '';
      };
    },
    async stop(): Promise<void> {
      await request('shutdown');
      write({ method: 'exit' });
      await exited;
    },
  };
}
