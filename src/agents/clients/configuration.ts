// The configuration of each client as text to paste. It needs nothing of Node, so that a page can show it, too.

import { CLIENTS, KEY_PLACEHOLDER, KEY_VARIABLE, type Client } from './clients.ts';

/** Where the memories are: at a gateway, or in a database of this machine. */
export type AgentConnection = {
  /** The words that start the program. Default: its name, for people who have it on their `PATH`. */
  readonly program?: readonly string[] | undefined;
} & (
  | {
      /** The address of the gateway, without `/mcp`. */
      readonly url: string;
      /** The key. Default: the client reads it from `MEMORY_GATEWAY_KEY`, or you replace `YOUR_API_KEY`. */
      readonly key?: string | undefined;
    }
  | {
      /** The words after `memory-gateway mcp`. */
      readonly args: readonly string[];
    }
);

/** A configuration. */
export interface Configuration {
  /** Where it belongs: a file, or a terminal. */
  readonly place: string;
  readonly text: string;
  /** What makes the client read it. Undefined: it does so by itself. */
  readonly afterwards?: string | undefined;
}

const PROGRAM = ['memory-gateway'];

/** A client's name. */
export type ClientName = keyof typeof CLIENTS;

/** The names of the clients. */
export const clients = Object.keys(CLIENTS) as ClientName[];

/** Returns the name of a client for people. */
export function clientTitle(client: ClientName): string {
  return CLIENTS[client].title;
}

/** Returns the configuration of a client. Returns undefined if the client takes only an address, and there is none. */
export function configurationOf(
  client: ClientName,
  connection: AgentConnection,
): Configuration | undefined {
  const { place, afterwards, remote, local }: Client = CLIENTS[client];
  const { program = PROGRAM } = connection;
  if ('args' in connection) {
    const [command = '', ...args] = [...program, 'mcp', ...connection.args];
    return local && { place, text: local(command, args), afterwards };
  }
  const { key } = connection;
  const base = connection.url.replace(/\/+$/, '');
  const bearer = (variable: string) => `Bearer ${key ?? variable}`;
  return { place, text: remote({ base, url: `${base}/mcp`, key, bearer, program }), afterwards };
}

/** How a client reaches the server: it starts a program, or asks an address. */
export type Reach =
  | { readonly words: readonly string[]; readonly env: Readonly<Record<string, string>> }
  | { readonly url: string; readonly headers: Readonly<Record<string, string>> };

/** Returns how a client with this configuration reaches the server. */
export function reachOf(client: ClientName, connection: AgentConnection): Reach {
  const { program = PROGRAM } = connection;
  if ('args' in connection) return { words: [...program, 'mcp', ...connection.args], env: {} };
  const { key = KEY_PLACEHOLDER } = connection;
  const { startsProgram }: Client = CLIENTS[client];
  const url = connection.url.replace(/\/+$/, '');
  return startsProgram === true
    ? { words: [...program, 'mcp', '--url', url], env: { [KEY_VARIABLE]: key } }
    : { url: `${url}/mcp`, headers: { Authorization: `Bearer ${key}` } };
}
