// The configuration of each client as text to paste. It needs nothing of Node, so that a page can show it, too.

import { shellWord } from '../lib/shell.ts';

/** The clients with a configuration of ours. */
export const clients = [
  'claude-code',
  'claude-desktop',
  'cursor',
  'vscode',
  'codex',
  'gemini-cli',
  'opencode',
  'goose',
  'librechat',
  'open-webui',
] as const;

/** A client's name. */
export type ClientName = (typeof clients)[number];

/** Where the memories are: at a gateway, or in a database of this machine. */
export type Connection =
  | {
      /** The address of the gateway, without `/mcp`. */
      readonly url: string;
      /** The key. Default: the client reads it from `MEMORY_GATEWAY_KEY`, or you replace `YOUR_API_KEY`. */
      readonly key?: string | undefined;
    }
  | {
      /** The words after `memory-gateway mcp`. */
      readonly args: readonly string[];
    };

/** A configuration. */
export interface Configuration {
  /** Where it belongs: a file, or a terminal. */
  readonly place: string;
  readonly text: string;
}

const NAME = 'memories';
const PROGRAM = 'memory-gateway';
const KEY = 'MEMORY_GATEWAY_KEY';
const PLACEHOLDER = 'YOUR_API_KEY';

/** Returns the configuration of a client. Returns undefined if the client takes only an address, and there is none. */
export function configurationOf(
  client: ClientName,
  connection: Connection,
): Configuration | undefined {
  return 'url' in connection
    ? overHttp(client, connection.url.replace(/\/+$/, ''), connection.key)
    : overStdio(client, ['mcp', ...connection.args]);
}

function overHttp(client: ClientName, base: string, key: string | undefined): Configuration {
  const url = `${base}/mcp`;
  /** The key, or how this client reads it from the environment. */
  const bearer = (variable: string) => `Bearer ${key ?? variable}`;
  const headers = (variable: string) => ({ Authorization: bearer(variable) });
  switch (client) {
    case 'claude-code':
      return {
        place: 'a terminal',
        text: `claude mcp add --transport http ${NAME} ${shellWord(url)} --header "Authorization: ${bearer(`$${KEY}`)}"`,
      };
    case 'claude-desktop':
      return {
        place: FILES[client],
        text: json({
          mcpServers: {
            [NAME]: {
              command: PROGRAM,
              args: ['mcp', '--url', base],
              env: { [KEY]: key ?? PLACEHOLDER },
            },
          },
        }),
      };
    case 'cursor':
      return {
        place: FILES[client],
        text: json({ mcpServers: { [NAME]: { url, headers: headers(`\${env:${KEY}}`) } } }),
      };
    case 'vscode':
      return {
        place: FILES[client],
        text: json({
          ...(key === undefined && {
            inputs: [
              { type: 'promptString', id: 'memories-key', description: 'API key', password: true },
            ],
          }),
          servers: { [NAME]: { type: 'http', url, headers: headers(`\${input:memories-key}`) } },
        }),
      };
    case 'codex':
      return {
        place: FILES[client],
        text: `[mcp_servers.${NAME}]\nurl = ${quoted(url)}\n${key === undefined ? `bearer_token_env_var = "${KEY}"` : `http_headers = { Authorization = ${quoted(bearer(''))} }`}`,
      };
    case 'gemini-cli':
      return {
        place: FILES[client],
        text: json({ mcpServers: { [NAME]: { httpUrl: url, headers: headers(`$${KEY}`) } } }),
      };
    case 'opencode':
      return {
        place: FILES[client],
        text: json({
          $schema: 'https://opencode.ai/config.json',
          mcp: {
            servers: {
              [NAME]: { type: 'remote', url, oauth: false, headers: headers(`{env:${KEY}}`) },
            },
          },
        }),
      };
    case 'goose':
      return {
        place: FILES[client],
        text: yaml([
          'extensions:',
          `  ${NAME}:`,
          '    enabled: true',
          '    type: streamable_http',
          `    name: ${NAME}`,
          `    uri: ${quoted(url)}`,
          ...(key === undefined ? ['    env_keys:', `      - ${KEY}`] : []),
          '    headers:',
          `      Authorization: ${quoted(bearer(`\${${KEY}}`))}`,
          '    timeout: 60',
        ]),
      };
    case 'librechat':
      return {
        place: FILES[client],
        text: yaml([
          'mcpServers:',
          `  ${NAME}:`,
          '    type: streamable-http',
          `    url: ${quoted(url)}`,
          '    headers:',
          `      Authorization: ${quoted(bearer(`\${${KEY}}`))}`,
          '    serverInstructions: true',
        ]),
      };
    case 'open-webui':
      break;
  }
  return {
    place: FILES[client],
    text: `Type: MCP (Streamable HTTP)\nURL: ${url}\nAuth: Bearer\nKey: ${key ?? PLACEHOLDER}\nID: ${NAME}\nName: Memories`,
  };
}

function overStdio(client: ClientName, args: readonly string[]): Configuration | undefined {
  const server = { command: PROGRAM, args };
  switch (client) {
    case 'claude-code':
      return {
        place: 'a terminal',
        text: `claude mcp add ${NAME} -- ${[PROGRAM, ...args].map(shellWord).join(' ')}`,
      };
    case 'claude-desktop':
    case 'cursor':
    case 'gemini-cli':
      return { place: FILES[client], text: json({ mcpServers: { [NAME]: server } }) };
    case 'vscode':
      return {
        place: FILES[client],
        text: json({ servers: { [NAME]: { type: 'stdio', ...server } } }),
      };
    case 'codex':
      return {
        place: FILES[client],
        text: `[mcp_servers.${NAME}]\ncommand = "${PROGRAM}"\nargs = [${args.map(quoted).join(', ')}]`,
      };
    case 'opencode':
      return {
        place: FILES[client],
        text: json({
          $schema: 'https://opencode.ai/config.json',
          mcp: { servers: { [NAME]: { type: 'local', command: [PROGRAM, ...args] } } },
        }),
      };
    case 'goose':
      return {
        place: FILES[client],
        text: yaml([
          'extensions:',
          `  ${NAME}:`,
          '    enabled: true',
          '    type: stdio',
          `    name: ${NAME}`,
          `    cmd: ${PROGRAM}`,
          `    args: [${args.map(quoted).join(', ')}]`,
          '    timeout: 60',
        ]),
      };
    case 'librechat':
      return {
        place: FILES[client],
        text: yaml([
          'mcpServers:',
          `  ${NAME}:`,
          `    command: ${PROGRAM}`,
          `    args: [${args.map(quoted).join(', ')}]`,
          '    serverInstructions: true',
        ]),
      };
    case 'open-webui':
      break;
  }
  return undefined;
}

const FILES: Readonly<Record<Exclude<ClientName, 'claude-code'>, string>> = {
  'claude-desktop': 'claude_desktop_config.json (Settings, Developer, Edit Config)',
  cursor: '~/.cursor/mcp.json',
  vscode: '.vscode/mcp.json',
  codex: '~/.codex/config.toml',
  'gemini-cli': '~/.gemini/settings.json',
  opencode: '~/.config/opencode/opencode.json',
  goose: '~/.config/goose/config.yaml',
  librechat: 'librechat.yaml',
  'open-webui': 'Admin Settings, External Tools, Add Connection',
};

function json(value: object): string {
  return JSON.stringify(value, null, 2);
}

/** JSON's strings are strings of TOML and YAML, too. */
function quoted(text: string): string {
  return JSON.stringify(text);
}

function yaml(lines: readonly string[]): string {
  return lines.join('\n');
}
