// The server: `serve` as a process of its own, what it says, and what it holds.

import { once } from 'node:events';
import { statSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

import { GAUGED, gauge, type Gauges } from '../support/gauge.ts';
import { start, stop, waitFor } from '../support/program.ts';

/** What a server says of itself while it serves. */
export interface Metrics {
  readonly rss: number;
  readonly heap: number;
  readonly fds: number;
  readonly connections: number;
  /** The most that its event loop was late since the last look, in milliseconds. */
  readonly lag: number;
  /** The bytes of its log of writes. */
  readonly wal: number;
}

/** What it holds when its garbage is collected. */
export interface Held extends Gauges, Pick<Metrics, 'wal'> {}

/** A server that runs. */
export interface Server {
  readonly port: number;
  /** What is wrong with it, if anything is: it has ended, or said what it should not. */
  readonly complaint: () => string | undefined;
  readonly metrics: () => Promise<Metrics>;
  /** Nothing, where it has ended. */
  readonly held: () => Promise<Held>;
  readonly stop: () => Promise<void>;
}

/** Its caches are full before long, so that what grows after that is kept by mistake. */
const ARGS = ['--port', '0', '--admin', '127.0.0.1:0', '--cache', '4MB'];

const NOTHING: Gauges = { rss: 0, heap: 0, fds: 0, handles: 0 };

/** What stands in no line of the log. */
const WRONG = /mem_[0-9A-Za-z]{20}|canary-of|"level":"(?:error|fatal)"/;

/** Serves a database; `preload` is a module that the program loads first. */
export async function serve(database: string, preload?: string): Promise<Server> {
  const before = preload === undefined ? '' : ` --import=${preload}`;
  const env = { NODE_OPTIONS: GAUGED.NODE_OPTIONS + before };
  const child = start(['serve', '--database', database, ...ARGS], { env });
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
  let begun = ''; // a line may come in pieces
  stream.on('data', (part: Buffer) => {
    const lines = (begun + part.toString()).split('\n');
    begun = lines.pop() ?? '';
    for (const line of lines) take(line);
  });
}

/** Asks for metrics, on a connection that is closed after it. */
async function readMetrics(url: string): Promise<(name: string) => number> {
  const [answer] = (await once(get(url, { agent: false }), 'response')) as [IncomingMessage];
  const all = await text(answer);
  return (name) => Number(new RegExp(`^${name}(?:{[^}]*})? (\\S+)$`, 'm').exec(all)?.[1]);
}
