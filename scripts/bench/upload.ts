// What an export of 1 GB through the browser costs: the peak of memory, and how long other requests wait meanwhile.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { openAsBlob, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { Refusal } from '../../src/store/refusal.ts';
import { say } from '../command.ts';
import { writeLifelogs } from './lifelogs.ts';
import { measureIn, peakOf, run, withGateway } from './run.ts';

const HELP = `Uploads an export as the app does, checks it and imports it, while another process reads.
Build the program first: npm run build.

Usage: node --import tsx scripts/bench/upload.ts [--memories N] [FILE...]

  FILE          The export. Default: files with generated memories of 4 kB, 1 GB together
  --memories N  Another number of generated memories
`;

const PART = 1 << 20; // as the page sends it
const QUIET_MS = 20_000;

/** Starts this file as the process that reads. */
const READS = 'BENCH_READS';

await (process.env[READS] === undefined
  ? measureIn(HELP, async ({ folder, positionals, memories = 120_000 }) =>
      measure(
        folder,
        positionals.length > 0 ? positionals : filesIn(writeLifelogs(folder, memories)),
      ),
    )
  : readOn(process.env[READS]));

async function measure(folder: string, files: readonly string[]): Promise<void> {
  const database = join(folder, 'upload.db');
  const on = ['--database', database];
  await run('migrate', ...on);
  await run('accounts', 'create', 'Reader', '--id', 'reader', ...on);
  await run('accounts', 'create', 'Owner', '--id', 'owner', ...on);
  const before = writeLifelogs(join(folder, 'before'), 10_000);
  await run('import', '--account', 'reader', ...on, before);
  const key = (await run('keys', 'create', '--account', 'reader', ...on)).stdout.trim();
  await withGateway(database, async (url, server) => {
    const owner = await signIn(url, await run('sign-in', 'owner', ...on));
    const importers = watchPeaks(Number(server.pid));
    const reader = fork(fileURLToPath(import.meta.url), {
      env: { ...process.env, [READS]: `${url} ${key}` },
    });
    await once(reader, 'message');
    /** Returns the p99 of the reads since the last call, in milliseconds. */
    const p99 = async () => {
      reader.send('p99');
      return Number((await once(reader, 'message'))[0]);
    };
    await p99();
    await sleep(QUIET_MS);
    const quiet = await p99();
    say(`quiet:  p99 of other requests ${quiet.toFixed(1)} ms`);
    const { id } = await owner.json('POST', 'imports');
    const phases = {
      upload: async () => upload(owner, String(id), files),
      check: async () => work(owner, String(id), 'check'),
      import: async () => work(owner, String(id), 'run'),
    };
    for (const [name, phase] of Object.entries(phases)) {
      const start = performance.now();
      const note = await phase();
      const seconds = (performance.now() - start) / 1000;
      const own = await p99();
      say(
        `${name.padEnd(7)} ${seconds.toFixed(1)} s${note}; p99 of other requests ${own.toFixed(1)} ms, ${(own / quiet).toFixed(2)} times, at most 2`,
      );
    }
    reader.kill();
    const { peakBytes } = await server.meter();
    say(
      `peak:   server ${(peakBytes / 1e6).toFixed(0)} MB, importer ${importers.peak().toFixed(0)} MB, at most 300`,
    );
  });
}

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Blob | string;
}

/** A browser in which somebody is signed in. */
interface Browser {
  readonly send: (method: string, path: string, sent?: Sent) => Promise<Response>;
  readonly json: (method: string, path: string) => Promise<Record<string, unknown>>;
}

async function signIn(url: string, { stdout }: { readonly stdout: string }): Promise<Browser> {
  const [, secret] = /#(\S+)/.exec(stdout) ?? [];
  let cookie = '';
  const send: Browser['send'] = async (method, path, { headers: own, ...sent } = {}) => {
    const headers = { origin: url, 'content-type': 'application/json', cookie, ...own };
    const response = await fetch(`${url}/app/v1/${path}`, { ...sent, method, headers });
    if (!response.ok) throw new Refusal(`${method} ${path}: ${await response.text()}`);
    return response;
  };
  const body = JSON.stringify({ way: 'link', secret });
  const { headers } = await send('POST', 'sessions', { body });
  cookie = headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
  const json: Browser['json'] = async (method, path) => {
    const response = await send(method, path, method === 'POST' ? { body: '{}' } : {});
    return (await response.json()) as Record<string, unknown>;
  };
  return { send, json };
}

async function upload(owner: Browser, id: string, files: readonly string[]): Promise<string> {
  let bytes = 0;
  for (const [n, path] of files.entries()) {
    const blob = await openAsBlob(path);
    for (let from = 0; from < blob.size; from += PART) {
      const body = blob.slice(from, from + PART);
      const headers = {
        'content-type': 'application/octet-stream',
        'content-range': `bytes ${from}-${from + body.size - 1}/${blob.size}`,
        'x-file-name': encodeURIComponent(basename(path)),
      };
      await owner.send('PUT', `imports/${id}/files/${n}`, { headers, body });
    }
    bytes += blob.size;
  }
  return `, ${(bytes / 1e6).toFixed(0)} MB in ${files.length} files`;
}

/** Lets the importer work, and waits for its end. */
async function work(owner: Browser, id: string, what: 'check' | 'run'): Promise<string> {
  let now = await owner.json('POST', `imports/${id}/${what}`);
  while (String(now['state']).endsWith('ing')) {
    await sleep(500);
    now = await owner.json('GET', `imports/${id}`);
  }
  const { added } = (now['report'] ?? {}) as { added?: number };
  return `, ${added} memories, ${String(now['state'])}`;
}

/** Reads pages and memories one after another, as a program does. Sends the p99 since the last time when it is asked. */
async function readOn(where: string): Promise<number> {
  const [url = '', key = ''] = where.split(' ');
  const headers = { 'x-api-key': key };
  let times: number[] = [];
  process.on('message', () => {
    const sorted = times.toSorted((a, b) => a - b);
    process.send?.(sorted[Math.floor(sorted.length * 0.99)] ?? 0);
    times = [];
  });
  const page = await fetch(`${url}/v1/memories?limit=1000&fields=name`, { headers });
  const ids = ((await page.json()) as { id: string }[]).map(({ id }) => id);
  process.send?.('ready');
  for (let at = 0; ; at++) {
    const path = at % 10 === 0 ? '?limit=50' : `/${ids[(at * 7) % ids.length]}`;
    const start = performance.now();
    await (await fetch(`${url}/v1/memories${path}`, { headers })).arrayBuffer();
    times.push(performance.now() - start);
    await sleep(5);
  }
}

/** Watches the processes that a server starts. `peak` ends that, and returns the most memory that one had, in MB. */
function watchPeaks(server: number): { peak(): number } {
  let peak = 0;
  const timer = setInterval(() => {
    for (const pid of childrenOf(server)) peak = Math.max(peak, peakOf(pid));
  }, 50).unref();
  return {
    peak() {
      clearInterval(timer);
      return peak;
    },
  };
}

/** Returns the processes that a process has started. Only Linux tells. */
function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8')
        .split(' ')
        .filter(Boolean)
        .map(Number),
    );
  } catch {
    return [];
  }
}

function filesIn(folder: string): string[] {
  return readdirSync(folder).map((name) => join(folder, name));
}
