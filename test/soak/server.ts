// Starts serve as a process, and reads its output and its resources.

import { once } from 'node:events';
import { statSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

import { GAUGED, gauge, type Gauges } from '../support/processes/process-usage.ts';
import { startProcess, stop, waitFor } from '../support/world/program.ts';

/** The metrics of the running server. */
export interface Metrics {
  readonly rss: number;
  readonly heap: number;
  readonly fds: number;
  readonly connections: number;
  /** The longest event loop delay since the last look, in milliseconds. */
  readonly lag: number;
  /** The size of the write-ahead log in bytes. */
  readonly wal: number;
}

/** The resources after a garbage collection. */
export interface Held extends Gauges, Pick<Metrics, 'wal'> {}

/** A running server. */
export interface Server {
  readonly port: number;
  /** The fault of the process, if any: it has ended, or has logged an error. */
  readonly complaint: () => string | undefined;
  readonly metrics: () => Promise<Metrics>;
  /** Resolves with zeros if the process has ended. */
  readonly held: () => Promise<Held>;
  readonly stop: () => Promise<void>;
}

/**
 * A small cache is soon full, so later growth is a leak. The server waits for longer than a busy machine
 * keeps a client from sending, and for less than the client waits.
 */
const ARGS =
  '--port 0 --admin 127.0.0.1:0 --cache 4MB --idle-timeout 50s --head-timeout 50s --request-timeout 50s'.split(
    ' ',
  );

const NOTHING: Gauges = { rss: 0, heap: 0, fds: 0, handles: 0 };

/** Text that the log must not contain. */
const WRONG = /mem_[0-9A-Za-z]{20}|canary-of|"level":"(?:error|fatal)"/;

/** Serves a database. `preload` is a module that the program loads first. */
export async function serve(database: string, preload?: string): Promise<Server> {
  const before = preload === undefined ? '' : ` --import=${preload}`;
  const env = { NODE_OPTIONS: GAUGED.NODE_OPTIONS + before };
  const child = startProcess(['serve', '--database', database, ...ARGS], { env });
  let complaint: string | undefined;
  let isStopped = false;
  child.once('close', (code, signal) => {
    if (!isStopped) complaint ??= `it ended with ${code ?? signal}`;
  });
  eachLine(child.stdout, (line) => {
    if (WRONG.test(line)) complaint ??= `it logged ${line}`;
  });
  eachLine(child.stderr, (line) => {
    if (!line.startsWith('{"heap"')) complaint ??= `it said ${line}`;
  });
  const said = await waitFor(child, 'stdout', /"listening"/);
  const [, port] = /"url":"http:[^"]*:(\d+)"/.exec(said) ?? [];
  const [, admin = ''] = /"admin":"([^"]+)"/.exec(said) ?? [];
  const wal = () => statSync(`${database}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  return {
    port: Number(port),
    complaint: () => complaint,
    async metrics() {
      const read = await readMetrics(`${admin}/metrics`);
      return {
        rss: read('process_resident_memory_bytes'),
        heap: read('process_heap_bytes'),
        fds: read('process_open_fds'),
        connections: read('memory_gateway_connections'),
        lag: 1000 * read('memory_gateway_event_loop_lag_max_seconds'),
        wal: wal(),
      };
    },
    async held() {
      const hasEnded = child.exitCode !== null || child.signalCode !== null;
      return { ...(hasEnded ? NOTHING : await gauge(child)), wal: wal() };
    },
    async stop() {
      isStopped = true;
      const code = await stop(child);
      if (code !== 0) complaint ??= `it stopped with ${code}`;
      if (wal() > 0) complaint ??= 'it left a -wal behind';
    },
  };
}

function eachLine(stream: NodeJS.ReadableStream, take: (line: string) => void): void {
  let begun = ''; // a line may arrive in pieces
  stream.on('data', (part: Buffer) => {
    const lines = (begun + part.toString()).split('\n');
    begun = lines.pop() ?? '';
    for (const line of lines) take(line);
  });
}

/** Reads the metrics on a connection of its own, which closes afterwards. */
async function readMetrics(url: string): Promise<(name: string) => number> {
  const [answer] = (await once(get(url, { agent: false }), 'response')) as [IncomingMessage];
  const all = await text(answer);
  return (name) => {
    const value = new RegExp(`^${name}(?:{[^}]*})? (\\S+)$`, 'm').exec(all)?.[1];
    if (value === undefined) throw new Error(`${answer.statusCode} without ${name}: ${all}`);
    return Number(value);
  };
}
