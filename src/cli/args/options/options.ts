// Every option of the command line, once: its flag, environment variables, default and help text.

import { editOptions, memoryOptions } from './memory-options.ts';
import type { Option } from './option.ts';
import {
  appOptions,
  desktopOptions,
  embeddingsOptions,
  fileOptions,
  jobOptions,
  limitOptions,
  logOptions,
} from './serve-options.ts';

/** All options, by flag. */
export const options = {
  database: {
    value: 'DATABASE',
    env: ['MEMORY_GATEWAY_DATABASE'],
    default: 'memory-gateway.db',
    help: 'SQLite file, or a PostgreSQL address such as postgres://user@host/memories',
  },
  host: {
    value: 'ADDRESS',
    env: ['MEMORY_GATEWAY_HOST'],
    default: '127.0.0.1',
    help: 'Address to listen on, or a Unix socket such as unix:/run/memories/gateway.sock',
  },
  port: {
    value: 'PORT',
    env: ['MEMORY_GATEWAY_PORT', 'PORT'],
    default: '8787',
    help: 'Port to listen on; 0 picks a free one',
  },
  'reuse-port': {
    env: ['MEMORY_GATEWAY_REUSE_PORT'],
    help: 'Let several processes serve the port, on Linux and FreeBSD',
  },
  ...logOptions,
  'allow-origin': {
    value: 'ORIGINS',
    env: ['MEMORY_GATEWAY_ALLOW_ORIGIN'],
    unset: 'none',
    help: 'Web origins that may read responses (CORS), such as https://a.example,https://b.example',
  },
  'base-url': {
    value: 'URL',
    env: ['MEMORY_GATEWAY_BASE_URL'],
    unset: 'none',
    help: 'Path or URL in front of /v1, such as /memories or https://a.example/memories',
  },
  'base-stripped': {
    env: ['MEMORY_GATEWAY_BASE_STRIPPED'],
    help: 'The proxy removes the path of --base-url before it passes requests on',
  },
  cache: {
    value: 'SIZE',
    env: ['MEMORY_GATEWAY_CACHE'],
    default: '32MB',
    help: 'Memory for the response cache, such as 500kB, 64MB or 1GB; 0 turns it off',
  },
  throttle: {
    value: 'N',
    env: ['MEMORY_GATEWAY_THROTTLE'],
    default: '0',
    help: 'Block an address for the rest of the minute after N invalid keys; 0 turns it off',
  },
  ...appOptions,
  ...embeddingsOptions,
  migrate: {
    env: ['MEMORY_GATEWAY_MIGRATE'],
    help: 'Create the database or update its schema first, as the command migrate does',
  },
  admin: {
    value: 'HOST:PORT',
    env: ['MEMORY_GATEWAY_ADMIN'],
    unset: 'off',
    help: 'Serve /metrics for Prometheus here; a port alone means 127.0.0.1',
  },
  replica: {
    value: 'ADDRESS',
    env: ['MEMORY_GATEWAY_REPLICAS'],
    multiple: true,
    unset: 'none',
    help: 'PostgreSQL read replica; repeat the option for several',
  },
  'max-lag': {
    value: 'DURATION',
    env: ['MEMORY_GATEWAY_MAX_LAG'],
    default: '10s',
    help: 'Stop using a replica that is further behind than this',
  },
  connections: {
    value: 'N',
    env: ['MEMORY_GATEWAY_CONNECTIONS'],
    default: '10',
    help: 'Connections of each process to each PostgreSQL server',
  },
  ...limitOptions,
  ...fileOptions,
  id: { value: 'ID', unset: 'a new UUID', help: 'Id of the new account' },
  account: { value: 'ACCOUNT', help: 'Id or name of the account' },
  label: { value: 'TEXT', default: 'unnamed', help: 'What the key is for' },
  expires: {
    value: 'TIME',
    unset: 'never',
    help: 'When the key expires: a duration such as 90d, or a date such as 2027-01-31',
  },
  scope: {
    value: 'SCOPE',
    default: 'all',
    help: 'What the key may read: all, or summaries for everything except transcripts',
  },
  grace: { value: 'DURATION', help: 'Time to finish, such as 10s or 24h' },
  'dry-run': { help: 'Show what would happen, but write nothing' },
  'all-or-nothing': { help: 'Write nothing if any item is rejected' },
  expired: { help: 'Erase only what has been in a bin for 30 days, of all accounts' },
  yes: { help: 'Do not ask for confirmation' },
  'started-at': {
    value: 'TIME',
    unset: 'from the file name, then its date',
    help: 'Start of recordings whose file does not say it, such as 2026-11-18T09:00:00Z',
  },
  encoding: {
    value: 'ENCODING',
    unset: 'UTF-8, UTF-16 with a byte order mark',
    help: 'Encoding of the files, such as windows-1252 or gb18030',
  },
  'without-transcript': {
    help: 'Also import notes that have no transcript: their name, times and summary',
  },
  originals: {
    value: 'keep|off',
    default: 'keep',
    help: 'Whether to keep what each memory is made from, compressed, to read it again later',
  },
  emails: {
    value: 'drop|keep',
    default: 'drop',
    help: 'Whether details have the e-mail addresses that the files have',
  },
  format: { value: 'FORMAT', help: 'Format of the files' },
  map: {
    value: 'FIELD=COLUMN,…',
    unset: 'columns that are named as our fields',
    help: 'Columns of your table, such as id=uuid,started_at=when. Needs --format csv',
  },
  output: {
    value: 'PATH',
    unset: 'standard output',
    help: 'File to write, or the folder for markdown, vtt, srt and txt',
  },
  overwrite: { help: 'Replace the file, or the folder of an earlier export' },
  keep: {
    value: 'N',
    unset: 'delete nothing',
    help: 'Take FILE as a folder, and delete all but the newest N backups in it',
  },
  discard: { help: 'Do not keep a copy of the current database' },
  ...memoryOptions,
  from: {
    value: 'DATABASE',
    env: ['MEMORY_GATEWAY_FROM'],
    help: 'Database to copy: a SQLite file, or an address such as postgres://host/memories',
  },
  to: {
    value: 'DATABASE',
    env: ['MEMORY_GATEWAY_TO'],
    help: 'Database to write: a new one, or one that an earlier copy wrote',
  },
  since: {
    value: 'TIME',
    unset: 'what is new since the last run',
    help: 'Import recordings from then on, such as 2026-11-18',
  },
  until: {
    value: 'TIME',
    unset: 'now',
    help: 'Import recordings from before then only, such as 2024-01-01',
  },
  mirror: {
    word: 'delete',
    help: 'Request everything again, and say what was deleted at the product; with "delete" also delete it here',
  },
  ...jobOptions,
  'credential-file': {
    value: 'FILE',
    unset: 'from the environment',
    help: 'File with the credential, or - for standard input',
  },
  stored: { help: 'Use the key that its owner has entered on the page Sources of the app' },
  url: { value: 'URL', unset: 'the address of the product', help: 'Address of the API' },
  once: { help: 'Look once, import what is complete, and exit' },
  move: { help: 'Move files that cannot be read to FOLDER/rejected, with a note beside each' },
  interval: { value: 'DURATION', default: '10s', help: 'Time between two looks at the folder' },
  settle: {
    value: 'DURATION',
    default: '5s',
    help: 'Time for which a file must not change before it is read',
  },
  install: {
    value: 'CLIENT',
    help: 'Write the configuration of a client that is on this machine, and call the server as it would',
  },
  ...desktopOptions,
  ...editOptions,
  json: { help: 'Print JSON' },
} as const satisfies Record<string, Option>;

/** The name of an option, without its dashes. */
export type OptionName = keyof typeof options;
