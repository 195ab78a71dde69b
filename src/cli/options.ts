// Every option of the command line: its flag, environment variables, default and what it is.

import { limitOptions } from './limits.ts';
import type { Option } from './option.ts';

/** All options, by the name of their flag. */
export const options = {
  database: {
    value: 'DATABASE',
    env: ['MEMORY_GATEWAY_DATABASE'],
    default: 'memory-gateway.db',
    help: 'a file of SQLite, or the address of a PostgreSQL database such as postgres://user@host/memories',
  },
  host: {
    value: 'ADDRESS',
    env: ['MEMORY_GATEWAY_HOST', 'HOST'],
    default: '127.0.0.1',
    help: 'the address to listen on',
  },
  port: {
    value: 'PORT',
    env: ['MEMORY_GATEWAY_PORT', 'PORT'],
    default: '8787',
    help: 'the port to listen on; 0 takes a free one',
  },
  workers: {
    value: 'N',
    env: ['MEMORY_GATEWAY_WORKERS'],
    default: '1',
    help: 'how many processes serve, 1 to 128; more than there are cores are of no use',
  },
  'access-log': {
    env: ['MEMORY_GATEWAY_ACCESS_LOG'],
    help: 'log a line for every request',
  },
  'allow-origin': {
    value: 'ORIGINS',
    env: ['MEMORY_GATEWAY_ALLOW_ORIGIN'],
    help: 'origins whose pages may read answers in a browser, such as https://a.example,https://b.example',
  },
  'base-url': {
    value: 'URL',
    env: ['MEMORY_GATEWAY_BASE_URL'],
    help: 'what stands in front of /v1: a path such as /memories, or an address such as https://a.example/memories',
  },
  cache: {
    value: 'SIZE',
    env: ['MEMORY_GATEWAY_CACHE'],
    default: '32MB',
    help: 'how much memory may hold answers for the next who asks, such as 500kB, 64MB or 1GB; 0 for none',
  },
  throttle: {
    value: 'N',
    env: ['MEMORY_GATEWAY_THROTTLE'],
    default: '0',
    help: 'how many wrong keys an address may try in a minute, before it is refused until the minute is over; 0 for no limit',
  },
  proxy: {
    value: 'ADDRESSES',
    env: ['MEMORY_GATEWAY_PROXY'],
    help: 'proxies whose X-Forwarded-For tells --throttle who asks: addresses and ranges such as 127.0.0.1,10.0.0.0/8',
  },
  admin: {
    value: 'HOST:PORT',
    env: ['MEMORY_GATEWAY_ADMIN'],
    help: 'where /metrics is served, for Prometheus; a port alone is one of 127.0.0.1; nowhere if left out',
  },
  replica: {
    value: 'ADDRESS',
    env: ['MEMORY_GATEWAY_REPLICAS'],
    multiple: true,
    help: 'a replica of the PostgreSQL database, from which memories are read; several times for several',
  },
  'max-lag': {
    value: 'SPAN',
    env: ['MEMORY_GATEWAY_MAX_LAG'],
    default: '10s',
    help: 'how far a replica may be behind before it is left out',
  },
  connections: {
    value: 'N',
    env: ['MEMORY_GATEWAY_CONNECTIONS'],
    default: '10',
    help: 'how many connections each process may have to each server of PostgreSQL',
  },
  ...limitOptions,
  id: { value: 'ID', help: 'the id of the new account; a UUIDv7 if left out' },
  account: { value: 'ID', help: 'the account, by its id' },
  label: { value: 'TEXT', default: 'unnamed', help: 'what the key is for, for people' },
  expires: {
    value: 'TIME',
    help: 'when the key ends: a span such as 90d, or a date such as 2027-01-31; never if left out',
  },
  grace: {
    value: 'SPAN',
    help: 'serve: how long running answers may take to end, 10s if left out; keys rotate: how long the old key goes on, not at all if left out',
  },
  'dry-run': { help: 'read everything, write nothing, and say what would be' },
  'all-or-nothing': { help: 'write nothing where anything is rejected' },
  'started-at': {
    value: 'TIME',
    help: 'when a recording began whose file does not say so, such as 2026-11-18T09:00:00Z; else by its name, else by its date',
  },
  format: {
    value: 'FORMAT',
    help: 'import: what the files are, such as limitless, which is found out where it is left out; export: jsonl, json or markdown',
  },
  output: {
    value: 'PATH',
    help: 'the file to write, or the folder for markdown; standard output if left out',
  },
  overwrite: { help: 'replace the file of that name, or the folder of an earlier export' },
  discard: { help: 'do not keep the database that is there' },
  limit: { value: 'N', default: '20', help: 'how many memories at most, 1 to 1000' },
  q: { value: 'TEXT', help: 'only memories with all of these words, a "phrase" or a prefix*' },
  'started-after': {
    value: 'MOMENT',
    help: 'only memories that started then or later: 2026-11-18, or 2026-11-18T09:00:00Z',
  },
  'started-before': { value: 'MOMENT', help: 'only memories that started before then' },
  timezone: {
    value: 'ZONE',
    help: 'where times without an offset are, and dates, such as Europe/Berlin; UTC if left out',
  },
  from: {
    value: 'DATABASE',
    env: ['MEMORY_GATEWAY_FROM'],
    help: 'the database to copy: a SQLite file, or an address such as postgres://host/memories',
  },
  to: {
    value: 'DATABASE',
    env: ['MEMORY_GATEWAY_TO'],
    help: 'where it is copied to: a new database, or one that an earlier copy has made',
  },
  json: { help: 'print JSON, for machines' },
} as const satisfies Record<string, Option>;

/** The name of an option, without its dashes. */
export type OptionName = keyof typeof options;
