// Creates PostgreSQL servers for tests: a primary and a streaming standby, on free ports, as an unprivileged user.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chmodSync, chownSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';

import { freePort } from '../world/free-port.ts';

/** The folder of Debian's PostgreSQL programs. */
const BIN = '/usr/lib/postgresql/15/bin';

/** Whether PostgreSQL's programs are installed. */
export const hasPostgres = existsSync(join(BIN, 'initdb'));

/**
 * A running server. A gateway and its clients go on while it starts and stops, which may take longer than
 * their timeouts: a primary that stops waits for its standby.
 */
export interface Server {
  readonly port: number;
  readonly folder: string;
  /** Returns the server's address with the name of a database. */
  address(database: string, role?: string): string;
  start(): Promise<void>;
  stop(mode?: 'fast' | 'immediate'): Promise<void>;
  promote(): Promise<void>;
  /** The ids of its processes, the main process first. A process that is stopped by a signal is paused. */
  pids(): number[];
}

const SETTINGS = `
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
fsync = off
full_page_writes = off
max_connections = 200
log_min_messages = warning
wal_keep_size = 256MB
shared_buffers = 16MB
`;

/** Creates a primary in a new folder, and starts it. */
export async function startPrimary(folder: string): Promise<Server> {
  give(dirname(folder));
  give(folder);
  await run('initdb', [
    '-D',
    folder,
    '-U',
    'postgres',
    '--auth=trust',
    '--no-sync',
    '--encoding=UTF8',
    '--locale=C.UTF-8',
    '--no-instructions',
  ]);
  return started(folder, await freePort());
}

/** Creates a standby of a primary, and starts it. */
export async function startStandby(primary: Server, folder: string, slot: string): Promise<Server> {
  give(folder);
  await run('pg_basebackup', [
    '-h',
    '127.0.0.1',
    '-p',
    String(primary.port),
    '-U',
    'postgres',
    '-D',
    folder,
    '-R',
    '-X',
    'stream',
    '-c',
    'fast',
    '--no-sync',
    '-C',
    '-S',
    slot,
  ]);
  return started(folder, await freePort());
}

async function started(folder: string, port: number): Promise<Server> {
  appendFileSync(join(folder, 'postgresql.auto.conf'), `${SETTINGS}port = ${port}\n`);
  const control = (...words: string[]) => run('pg_ctl', ['-D', folder, '-w', '-s', ...words]);
  const log = join(folder, 'log');
  const server: Server = {
    port,
    folder,
    address: (database, role = 'postgres') => `postgres://${role}@127.0.0.1:${port}/${database}`,
    start: () =>
      control('-l', log, 'start').catch((cause) => {
        throw new Error(readFileSync(log, 'utf8').slice(-2000), { cause });
      }),
    stop: (mode = 'fast') => control('-m', mode, 'stop'),
    promote: () => control('promote'),
    pids() {
      const first = Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0]);
      const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(first)], {
        encoding: 'utf8',
      });
      return [first, ...stdout.trim().split(/\s+/).filter(Boolean).map(Number)];
    },
  };
  await server.start();
  return server;
}

/** The user that servers run as, because PostgreSQL refuses root: Debian's own user, or nobody. */
function user(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const all = readFileSync('/etc/passwd', 'utf8').split('\n');
  const found = ['postgres', 'nobody'].map((name) =>
    all.find((line) => line.startsWith(`${name}:`)),
  );
  const [, , uid, gid] = (found.find(Boolean) ?? '').split(':');
  return { uid: Number(uid), gid: Number(gid) };
}

function give(folder: string): void {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o700);
  const owner = user();
  if (owner) chownSync(folder, owner.uid, owner.gid);
}

async function run(program: string, words: readonly string[]): Promise<void> {
  const child = spawn(join(BIN, program), words, {
    ...user(),
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8' },
  });
  const [stderr, [status]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`);
}
