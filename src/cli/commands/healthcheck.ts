// healthcheck: asks a running server whether it can serve requests, for containers and supervisors.

import { connect } from 'node:net';

import { Refusal } from '../../store/refusal.ts';
import { readHost, readPort } from '../args/values.ts';
import type { Command } from '../command.ts';
import { unixPathOf } from '../serve/listen/unix-socket.ts';

/** Docker kills a check after 30 s by default, and would not say why. */
const TIMEOUT_MS = 5000;

/** Addresses that mean "all of this machine's" to a server. A client connects to the loopback address instead. */
const WILDCARDS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** Returns the address at which a client on this machine reaches a server on `host`. */
export function reachableHost(host: string): string {
  return WILDCARDS[host] ?? host;
}

/** Checks a running server. */
export const healthcheckCommand: Command = {
  summary: 'Check that a server on this machine is ready',
  about:
    'Reads /readyz of the server that the same options or variables would start. The exit code is 0 if it can serve requests, otherwise 1.',
  options: ['host', 'port', 'json'],
  overrides: { port: { help: 'Port of the server' } },
  examples: [
    ['In a container', 'memory-gateway healthcheck'],
    [
      'A server on a Unix socket',
      'memory-gateway healthcheck --host unix:/run/memories/gateway.sock',
    ],
  ],
  run: async (args) => {
    const host = readHost(args.need('host'));
    const port = readPort(args.need('port'));
    const path = unixPathOf(host);
    const where = path === undefined ? `${reachableHost(host)} port ${port}` : host;
    const status = await readStatus(
      path === undefined ? { host: reachableHost(host), port } : { path },
      where,
    );
    if (status !== 200)
      throw new Refusal(`The server on ${where} is not ready (${status}); its log says why.`);
    return { text: `The server on ${where} is ready.`, json: { ready: true } };
  },
};

/** Requests /readyz of a server. Resolves with the status. Rejects with `Refusal` if no HTTP server responds. */
export async function readStatus(
  to: { host: string; port: number } | { path: string },
  where: string,
): Promise<number> {
  const socket = connect(to);
  const timer = setTimeout(() => socket.destroy(new Error('no response in 5 s')), TIMEOUT_MS);
  try {
    socket.write('GET /readyz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n');
    let said = '';
    for await (const part of socket.setEncoding('latin1')) said += part;
    const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(said) ?? [];
    if (status !== undefined) return Number(status);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    throw new Refusal(
      `No server responds on ${where} (${code ?? message}); start it, or name its --host and --port.`,
      { cause },
    );
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
  throw new Refusal(`${where} is no Memory Gateway; name its --host and --port.`);
}
