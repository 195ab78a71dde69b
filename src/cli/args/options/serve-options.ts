// The options of serve about its log, its limits, the web app and its jobs, and those of every command about files.

import type { Option } from './option.ts';

/** The options that limit connections and requests. */
export const limitOptions = {
  'head-timeout': duration('HEAD_TIMEOUT', '10s', 'Time to receive the headers of a request'),
  'request-timeout': duration('REQUEST_TIMEOUT', '15s', 'Time to receive a whole request'),
  'idle-timeout': duration('IDLE_TIMEOUT', '5s', 'Time between two requests on a connection'),
  'send-timeout': duration(
    'SEND_TIMEOUT',
    '2m',
    'Time for a client to read each 2 MiB of a response',
  ),
  'max-head': number('MAX_HEAD', '16384', 'Size limit of the request headers, in bytes'),
  'max-target': number('MAX_TARGET', '13312', 'Length limit of path and query, in characters'),
  'max-connections': {
    value: 'N',
    env: ['MEMORY_GATEWAY_MAX_CONNECTIONS'],
    unset: '1000 for each GB of memory',
    help: 'Open connections',
  },
  'max-requests': number('MAX_REQUESTS', '10000', 'Requests on a connection before it is closed'),
} as const satisfies Record<string, Option>;

/** The name of a limit option. */
export type LimitOptionName = keyof typeof limitOptions;

/** The names of the limit options. */
export const limitOptionNames = Object.keys(limitOptions) as LimitOptionName[];

/** The options about the log. */
export const logOptions = {
  'access-log': {
    word: 'address',
    env: ['MEMORY_GATEWAY_ACCESS_LOG'],
    help: 'Log one line for each request; with "address" also the address of the client',
  },
  'log-level': {
    value: 'LEVEL',
    env: ['MEMORY_GATEWAY_LOG_LEVEL'],
    default: 'info',
    help: 'Log only what is at least this bad: info, warn or error',
  },
  'log-format': {
    value: 'FORMAT',
    env: ['MEMORY_GATEWAY_LOG_FORMAT'],
    unset: 'text on a terminal, otherwise json',
    help: 'Format of the log: json or text',
  },
} as const satisfies Record<string, Option>;

/** The options of every command. They name files with settings. */
export const fileOptions = {
  config: {
    value: 'FILE',
    env: ['MEMORY_GATEWAY_CONFIG'],
    help: 'Read settings from FILE: lines such as port = 8787',
  },
  'env-file': {
    value: 'FILE',
    env: ['MEMORY_GATEWAY_ENV_FILE'],
    help: 'Read environment variables from FILE',
  },
} as const satisfies Record<string, Option>;

/** The name of an option of every command. */
export type FileOptionName = keyof typeof fileOptions;

/** The names of the options of every command. */
export const fileOptionNames = Object.keys(fileOptions) as FileOptionName[];

function duration<T extends string>(variable: string, fallback: T, help: string) {
  return { ...number(variable, fallback, help), value: 'DURATION' };
}

function number<T extends string>(variable: string, fallback: T, help: string) {
  return { value: 'N', env: [`MEMORY_GATEWAY_${variable}`], default: fallback, help };
}

/** The options of search by meaning, by flag. */
export const embeddingsOptions = {
  embeddings: {
    value: 'URL',
    env: ['MEMORY_GATEWAY_EMBEDDINGS'],
    unset: 'off',
    help: 'Search by meaning with your OpenAI-compatible endpoint, such as http://127.0.0.1:11434/v1',
  },
  'embeddings-model': {
    value: 'NAME',
    env: ['MEMORY_GATEWAY_EMBEDDINGS_MODEL'],
    help: 'Model that --embeddings uses, such as nomic-embed-text',
  },
  off: { help: 'Remove the vectors instead' },
  'embeddings-allow-host': {
    value: 'HOST',
    env: ['MEMORY_GATEWAY_EMBEDDINGS_ALLOW_HOST'],
    multiple: true,
    unset: 'this machine only',
    help: 'Another host to which --embeddings may send texts of memories and queries',
  },
} as const satisfies Record<string, Option>;

/** The options of the web app, by flag. */
export const appOptions = {
  app: {
    value: 'on|read-only|off',
    env: ['MEMORY_GATEWAY_APP'],
    default: 'on',
    help: 'Serve the web app at /app/; with read-only, no memory can be changed in it',
  },
  'max-upload': {
    value: 'SIZE',
    env: ['MEMORY_GATEWAY_MAX_UPLOAD'],
    default: '10GB',
    help: 'Size limit of the files of an import in the app',
  },
  bin: {
    value: 'on|off',
    env: ['MEMORY_GATEWAY_BIN'],
    default: 'on',
    help: 'Keep memories that are deleted in the app for 30 days, or erase them at once',
  },
  'no-key-log': { env: ['MEMORY_GATEWAY_NO_KEY_LOG'], help: 'Keep no list of what keys have read' },
  connect: {
    env: ['MEMORY_GATEWAY_CONNECT'],
    help: 'Let OAuth clients such as claude.ai connect at /mcp/connect; needs the app and --base-url https://…',
  },
  'sign-in-header': {
    value: 'NAME',
    env: ['MEMORY_GATEWAY_SIGN_IN_HEADER'],
    unset: 'none',
    help: 'Header in which --proxy names the account that it has signed in, such as Remote-User',
  },
  audio: {
    value: '[ACCOUNT=]FOLDER',
    env: ['MEMORY_GATEWAY_AUDIO'],
    multiple: true,
    unset: 'none',
    help: 'Serve the recordings in FOLDER, as the details of the memories name them',
  },
  'sign-out-url': {
    value: 'URL',
    env: ['MEMORY_GATEWAY_SIGN_OUT_URL'],
    unset: 'none',
    help: 'Where signing out leads if --sign-in-header is used',
  },
  proxy: {
    value: 'ADDRESSES',
    env: ['MEMORY_GATEWAY_PROXY'],
    unset: 'none',
    help: 'Proxies that may name the client, https and who is signed in, such as 127.0.0.1,10.0.0.0/8 or unix',
  },
} as const satisfies Record<string, Option>;

/** The options of serve about what it imports itself, by flag. */
export const jobOptions = {
  watch: {
    value: 'FOLDER',
    env: ['MEMORY_GATEWAY_WATCH'],
    multiple: true,
    unset: 'none',
    help: 'Import files that arrive in FOLDER, as the command watch does',
  },
  pull: {
    value: 'SOURCE=TIME',
    env: ['MEMORY_GATEWAY_PULL'],
    multiple: true,
    unset: 'none',
    help: 'Pull from SOURCE again and again, such as limitless=15m, as the command pull does',
  },
  'pull-url': {
    value: 'SOURCE=URL',
    env: ['MEMORY_GATEWAY_PULL_URL'],
    multiple: true,
    unset: 'the address of the product',
    help: 'Address of the API of a source of --pull',
  },
  'pull-credential': {
    value: 'SOURCE=FILE',
    env: ['MEMORY_GATEWAY_PULL_CREDENTIAL'],
    multiple: true,
    unset: 'from the environment',
    help: 'File with the credential of a source of --pull',
  },
} as const satisfies Record<string, Option>;

/** The options for the person at this machine: its browser, phone and assistants. */
export const desktopOptions = {
  lan: { help: 'Listen on the network, so that your phone can open the app' },
  'no-open': { help: 'Do not open a browser' },
  qr: { help: 'Also print the QR code of the link, for a phone' },
  print: {
    value: 'CLIENT',
    help: 'Print the configuration of a client: claude-code, claude-desktop, cursor, vscode, codex, gemini-cli, opencode, goose, librechat or open-webui',
  },
} as const satisfies Record<string, Option>;
