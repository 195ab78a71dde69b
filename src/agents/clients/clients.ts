// The clients of agents as a table: where the configuration of each belongs, and how it is written.

import { shellWord } from '../../lib/shell.ts';

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

/** A client. */
export interface Client {
  /** The name for people. */
  readonly title: string;
  readonly place: string;
  /** What makes it read its configuration. Undefined: it does so by itself. */
  readonly afterwards?: string;
  /** Whether it starts our program for an address as well, because it reaches none by itself. */
  readonly startsProgram?: true;
  readonly remote: (remote: Remote) => string;
  /** The configuration that starts the program. Undefined: the client takes only an address. */
  readonly local?: (command: string, args: readonly string[]) => string;
}

/** The name of our server in the configurations. */
export const SERVER_NAME = 'memories';

/** The variable from which clients read the key. */
export const KEY_VARIABLE = 'MEMORY_GATEWAY_KEY';

/** What stands for the key until a person replaces it. */
export const KEY_PLACEHOLDER = 'YOUR_API_KEY';

/** The clients with a configuration of ours, in the order in which they are shown. */
export const CLIENTS = {
  'claude-code': {
    title: 'Claude Code',
    place: 'a terminal',
    afterwards: 'Start a new session, and type /mcp.',
    remote: ({ url, bearer }) =>
      `claude mcp add --transport http ${SERVER_NAME} ${shellWord(url)} --header "Authorization: ${bearer(`$${KEY_VARIABLE}`)}"`,
    local: (command, args) =>
      `claude mcp add ${SERVER_NAME} -- ${[command, ...args].map(shellWord).join(' ')}`,
  },
  'claude-desktop': {
    title: 'Claude Desktop',
    place: 'claude_desktop_config.json (Settings, Developer, Edit Config)',
    afterwards: 'Restart Claude Desktop.',
    startsProgram: true,
    remote: ({ base, key, program: [command, ...words] }) =>
      mcpServers({
        command,
        args: [...words, 'mcp', '--url', base],
        env: { [KEY_VARIABLE]: key ?? KEY_PLACEHOLDER },
      }),
    local: (command, args) => mcpServers({ command, args }),
  },
  cursor: {
    title: 'Cursor',
    place: '~/.cursor/mcp.json',
    afterwards: 'Open Settings, MCP in Cursor, and turn “memories” on.',
    remote: ({ url, bearer }) =>
      mcpServers({ url, headers: { Authorization: bearer(`\${env:${KEY_VARIABLE}}`) } }),
    local: (command, args) => mcpServers({ command, args }),
  },
  vscode: {
    title: 'VS Code',
    place: '.vscode/mcp.json',
    afterwards: 'Click Start above the entry.',
    remote: ({ url, key, bearer }) =>
      json({
        ...(key === undefined && {
          inputs: [
            { type: 'promptString', id: 'memories-key', description: 'API key', password: true },
          ],
        }),
        servers: {
          [SERVER_NAME]: {
            type: 'http',
            url,
            headers: { Authorization: bearer('${input:memories-key}') },
          },
        },
      }),
    local: (command, args) =>
      json({ servers: { [SERVER_NAME]: { type: 'stdio', command, args } } }),
  },
  codex: {
    title: 'Codex',
    place: '~/.codex/config.toml',
    afterwards: 'Restart Codex.',
    remote: ({ url, key, bearer }) =>
      lines(
        `[mcp_servers.${SERVER_NAME}]`,
        `url = ${quoted(url)}`,
        key === undefined
          ? `bearer_token_env_var = "${KEY_VARIABLE}"`
          : `http_headers = { Authorization = ${quoted(bearer(''))} }`,
      ),
    local: (command, args) =>
      lines(
        `[mcp_servers.${SERVER_NAME}]`,
        `command = ${quoted(command)}`,
        `args = ${quotedList(args)}`,
      ),
  },
  'gemini-cli': {
    title: 'Gemini CLI',
    place: '~/.gemini/settings.json',
    afterwards: 'Restart Gemini CLI.',
    remote: ({ url, bearer }) =>
      mcpServers({ httpUrl: url, headers: { Authorization: bearer(`$${KEY_VARIABLE}`) } }),
    local: (command, args) => mcpServers({ command, args }),
  },
  opencode: {
    title: 'opencode',
    place: '~/.config/opencode/opencode.json',
    afterwards: 'Restart opencode.',
    remote: ({ url, bearer }) => {
      const headers = { Authorization: bearer(`{env:${KEY_VARIABLE}}`) };
      return openCode({ type: 'remote', url, oauth: false, headers });
    },
    local: (command, args) => openCode({ type: 'local', command: [command, ...args] }),
  },
  goose: {
    title: 'Goose',
    place: '~/.config/goose/config.yaml',
    afterwards: 'Start a new session.',
    remote: ({ url, key, bearer }) =>
      goose('streamable_http', [
        `    uri: ${quoted(url)}`,
        ...(key === undefined ? ['    env_keys:', `      - ${KEY_VARIABLE}`] : []),
        '    headers:',
        `      Authorization: ${quoted(bearer(`\${${KEY_VARIABLE}}`))}`,
      ]),
    local: (command, args) =>
      goose('stdio', [`    cmd: ${plain(command)}`, `    args: ${quotedList(args)}`]),
  },
  librechat: {
    title: 'LibreChat',
    place: 'librechat.yaml',
    afterwards: 'Restart LibreChat.',
    remote: ({ url, bearer }) =>
      libreChat(
        '    type: streamable-http',
        `    url: ${quoted(url)}`,
        '    headers:',
        `      Authorization: ${quoted(bearer(`\${${KEY_VARIABLE}}`))}`,
      ),
    local: (command, args) =>
      libreChat(`    command: ${plain(command)}`, `    args: ${quotedList(args)}`),
  },
  'open-webui': {
    title: 'Open WebUI',
    place: 'Admin Settings, External Tools, Add Connection',
    afterwards: 'Save, and open a new chat.',
    remote: ({ url, key = KEY_PLACEHOLDER }) =>
      lines(
        'Type: MCP (Streamable HTTP)',
        `URL: ${url}`,
        'Auth: Bearer',
        `Key: ${key}`,
        `ID: ${SERVER_NAME}`,
        'Name: Memories',
      ),
  },
} satisfies Readonly<Record<string, Client>>;

function mcpServers(server: object): string {
  return json({ mcpServers: { [SERVER_NAME]: server } });
}

function openCode(server: object): string {
  return json({
    $schema: 'https://opencode.ai/config.json',
    mcp: { servers: { [SERVER_NAME]: server } },
  });
}

function goose(type: string, more: readonly string[]): string {
  const head = ['extensions:', `  ${SERVER_NAME}:`, '    enabled: true', `    type: ${type}`];
  return lines(...head, `    name: ${SERVER_NAME}`, ...more, '    timeout: 60');
}

function libreChat(...server: string[]): string {
  return lines('mcpServers:', `  ${SERVER_NAME}:`, ...server, '    serverInstructions: true');
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
