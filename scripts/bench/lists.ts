// Whole lists, compared with piping a file of the same bytes, and slim lists compared with whole ones.

import { once } from 'node:events';
import { createWriteStream, statSync } from 'node:fs';
import { join } from 'node:path';

import { Refusal } from '../../src/store/refusal.ts';
import { asking, bare, ours } from './contestants.ts';
import { inTurn, largest, type Samples, type Work } from './measurement.ts';
import { ask, askUntilAnswered, drain, READY, type Request } from './request.ts';
import { withServer, type Program, type Running } from './server.ts';
import type { Sample } from './stats.ts';

/** The measurements. */
export const lists: readonly Work[] = [
  {
    name: 'list',
    title: 'full list of the largest account',
    targets: [
      { count: 'cpuUs', least: 0.7 },
      { count: 'grownBytes', mostBytes: 64e6 },
    ],
    measure: ({ pace, files, folder }) => {
      const data = largest(files);
      return runLists({
        program: ours(data),
        request: asking(data, '/v1/memories'),
        file: `${data.path}.list`,
        note: join(folder, 'list.json'),
        times: pace.lists,
      });
    },
  },
  {
    name: 'slim-list',
    title: 'slim list of a whole account, beside its whole memories',
    targets: [{ count: 'cpuUs', least: 10 }],
    measure: ({ pace, files }) => {
      const data = files.findLast(({ accounts }) => accounts === 1) ?? files[0];
      const reading = (name: string, path: string) => ({
        ...ours(data),
        name,
        request: asking(data, path),
      });
      const all = [
        reading('whole memories', '/v1/memories'),
        reading('slim memories', '/v1/memories?fields=id,name,started_at'),
      ];
      return readInTurn(all, pace.lists);
    },
  },
];

/** The list to read, and the server to compare with. */
interface Listing {
  readonly program: Program;
  readonly request: Request;
  /** The file with the same bytes for the bare server. */
  readonly file: string;
  /** The instructions for the bare server: see contestants.ts. */
  readonly note: string;
  readonly times: number;
}

/**
 * Reads the whole list from new servers in turn: from the baseline, from the gateway, and once more from a
 * gateway.
 */
export async function runLists(listing: Listing): Promise<Samples> {
  const { program, request, file, times } = listing;
  const baseline = await keepList(listing);
  const { size: bytes } = statSync(file);
  const again = { name: `${program.name}, a second time`, isSecond: true };
  const all: Reading[] = [baseline, program, { ...program, ...again }].map((each) => ({
    ...each,
    request,
    bytes,
  }));
  return readInTurn(all, times);
}

/** A list to read from a program. */
interface Reading extends Program {
  readonly request: Request;
  /** The number of bytes that must come. Default: any. */
  readonly bytes?: number;
  /** Measures the second list of the process instead of the first. */
  readonly isSecond?: boolean;
}

/** Reads lists in turn, each time from a new process. */
export function readInTurn(all: readonly Reading[], times: number): Promise<Samples> {
  return inTurn(all, times, (each) => withServer(each, (server) => readOnce(server, each)));
}

async function readOnce(
  server: Running,
  { request, bytes: due, isSecond = false }: Reading,
): Promise<Sample> {
  await askUntilAnswered(server, READY);
  if (isSecond) await drain(server.port, request);
  const before = await server.meter();
  const start = performance.now();
  const bytes = await drain(server.port, request);
  const ms = performance.now() - start;
  const after = await server.meter();
  if (due !== undefined && bytes !== due)
    throw new Refusal('A list came with fewer or more bytes than before.');
  return {
    cpuUs: after.cpuUs - before.cpuUs,
    megabytesPerSecond: bytes / 1000 / ms,
    grownBytes: after.peakBytes - before.residentBytes,
  };
}

/**
 * Writes the gateway's list to a file. Returns the bare server that pipes it with the same headers.
 */
function keepList({ program, request, file, note }: Listing): Promise<Program> {
  return withServer(program, async ({ port, ended }) => {
    await askUntilAnswered({ port, ended }, READY);
    const out = createWriteStream(file);
    await drain(port, request, (part) => out.write(part) || once(out, 'drain'));
    out.end();
    await once(out, 'close');
    const { path, headers } = request;
    const head = await ask(port, { path, headers, method: 'HEAD' });
    return bare(head, { note, variant: 'Buffer, flat headers', file });
  });
}
