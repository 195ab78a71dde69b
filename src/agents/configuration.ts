// The configuration of each client as text to paste. It needs nothing of Node, so that a page can show it, too.

import { shellWord } from '../lib/shell.ts';

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
}

/** A gateway, as a client is told of it. */
interface Remote {
  /** The address of the gateway, and of its endpoint for agents. */
  readonly base: string;
  readonly url: string;
  readonly key: string | undefined;
  /** The value of the header: with the key, or with how this client reads it from the environment. */
  readonly bearer: (variable: string) => string;
  readonly program: readonly string[];
}

interface Client {
  /** The name for people. */
  readonly title: string;
  readonly place: string;
  readonly remote: (remote: Remote) => string;
  /** The configuration that starts the program. Undefined: the client takes only an address. */
  readonly local?: (command: string, args: readonly string[]) => string;
}

const NAME = 'memories';
const PROGRAM = ['memory-gateway'];
const KEY = 'MEMORY_GATEWAY_KEY';
const PLACEHOLDER = 'YOUR_API_KEY';

/** The clients with a configuration of ours, in the order in which they are shown. */
const CLIENTS = {
  'claude-code': {
    title: 'Claude Code',
    place: 'a terminal',
    remote: ({ url, bearer }) =>
      `claude mcp add --transport http ${NAME} ${shellWord(url)} --header "Authorization: ${bearer(`$${KEY}`)}"`,
    local: (command, args) =>
      `claude mcp add ${NAME} -- ${[command, ...args].map(shellWord).join(' ')}`,
  },
  'claude-desktop': {
    title: 'Claude Desktop',
    place: 'claude_desktop_config.json (Settings, Developer, Edit Config)',
    remote: ({ base, key, program: [command, ...words] }) =>
      mcpServers({
        command,
        args: [...words, 'mcp', '--url', base],
        env: { [KEY]: key ?? PLACEHOLDER },
      }),
    local: (command, args) => mcpServers({ command, args }),
  },
  cursor: {
    title: 'Cursor',
    place: '~/.cursor/mcp.json',
    remote: ({ url, bearer }) =>
      mcpServers({ url, headers: { Authorization: bearer(`\${env:${KEY}}`) } }),
    local: (command, args) => mcpServers({ command, args }),
  },
  vscode: {
    title: 'VS Code',
    place: '.vscode/mcp.json',
    remote: ({ url, key, bearer }) =>
      json({
        ...(key === undefined && {
          inputs: [
            { type: 'promptString', id: 'memories-key', description: 'API key', password: true },
          ],
        }),
        servers: {
          [NAME]: {
            type: 'http',
            url,
            headers: { Authorization: bearer('${input:memories-key}') },
          },
        },
      }),
    local: (command, args) => json({ servers: { [NAME]: { type: 'stdio', command, args } } }),
  },
  codex: {
    title: 'Codex',
    place: '~/.codex/config.toml',
    remote: ({ url, key, bearer }) =>
      lines(
        `[mcp_servers.${NAME}]`,
        `url = ${quoted(url)}`,
        key === undefined
          ? `bearer_token_env_var = "${KEY}"`
          : `http_headers = { Authorization = ${quoted(bearer(''))} }`,
      ),
    local: (command, args) =>
      lines(`[mcp_servers.${NAME}]`, `command = ${quoted(command)}`, `args = ${quotedList(args)}`),
  },
  'gemini-cli': {
    title: 'Gemini CLI',
    place: '~/.gemini/settings.json',
    remote: ({ url, bearer }) =>
      mcpServers({ httpUrl: url, headers: { Authorization: bearer(`$${KEY}`) } }),
    local: (command, args) => mcpServers({ command, args }),
  },
  opencode: {
    title: 'opencode',
    place: '~/.config/opencode/opencode.json',
    remote: ({ url, bearer }) => {
      const headers = { Authorization: bearer(`{env:${KEY}}`) };
      return openCode({ type: 'remote', url, oauth: false, headers });
    },
    local: (command, args) => openCode({ type: 'local', command: [command, ...args] }),
  },
  goose: {
    title: 'Goose',
    place: '~/.config/goose/config.yaml',
    remote: ({ url, key, bearer }) =>
      goose('streamable_http', [
        `    uri: ${quoted(url)}`,
        ...(key === undefined ? ['    env_keys:', `      - ${KEY}`] : []),
        '    headers:',
        `      Authorization: ${quoted(bearer(`\${${KEY}}`))}`,
      ]),
    local: (command, args) =>
      goose('stdio', [`    cmd: ${plain(command)}`, `    args: ${quotedList(args)}`]),
  },
  librechat: {
    title: 'LibreChat',
    place: 'librechat.yaml',
    remote: ({ url, bearer }) =>
      libreChat(
        '    type: streamable-http',
        `    url: ${quoted(url)}`,
        '    headers:',
        `      Authorization: ${quoted(bearer(`\${${KEY}}`))}`,
      ),
    local: (command, args) =>
      libreChat(`    command: ${plain(command)}`, `    args: ${quotedList(args)}`),
  },
  'open-webui': {
    title: 'Open WebUI',
    place: 'Admin Settings, External Tools, Add Connection',
    remote: ({ url, key = PLACEHOLDER }) =>
      lines(
        'Type: MCP (Streamable HTTP)',
        `URL: ${url}`,
        'Auth: Bearer',
        `Key: ${key}`,
        `ID: ${NAME}`,
        'Name: Memories',
      ),
  },
} satisfies Readonly<Record<string, Client>>;

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
  const { place, remote, local }: Client = CLIENTS[client];
  const { program = PROGRAM } = connection;
  if ('args' in connection) {
    const [command = '', ...args] = [...program, 'mcp', ...connection.args];
    return local && { place, text: local(command, args) };
  }
  const { key } = connection;
  const base = connection.url.replace(/\/+$/, '');
  const bearer = (variable: string) => `Bearer ${key ?? variable}`;
  return { place, text: remote({ base, url: `${base}/mcp`, key, bearer, program }) };
}

function mcpServers(server: object): string {
  return json({ mcpServers: { [NAME]: server } });
}

function openCode(server: object): string {
  return json({
    $schema: 'https://opencode.ai/config.json',
    mcp: { servers: { [NAME]: server } },
  });
}

function goose(type: string, more: readonly string[]): string {
  const head = ['extensions:', `  ${NAME}:`, '    enabled: true', `    type: ${type}`];
  return lines(...head, `    name: ${NAME}`, ...more, '    timeout: 60');
}

function libreChat(...server: string[]): string {
  return lines('mcpServers:', `  ${NAME}:`, ...server, '    serverInstructions: true');
}

function json(value: object): string {
  return JSON.stringify(value, null, 2);
}

/** Returns a text for YAML: in quotes, unless it is one plain word. */
function plain(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : quoted(text);
}

/** JSON's strings and lists of them are those of TOML and YAML, too. */
function quoted(text: string): string {
  return JSON.stringify(text);
}

function quotedList(texts: readonly string[]): string {
  return `[${texts.map(quoted).join(', ')}]`;
}

function lines(...texts: string[]): string {
  return texts.join('\n');
}
