// The full list of an account, compared with piping a file of the same bytes, and slim lists compared with whole ones.

import { once } from 'node:events';
import { createWriteStream, statSync } from 'node:fs';

import { Refusal } from '../../src/store/refusal.ts';
import { bare } from './contestants.ts';
import { inTurn, type Samples } from './measurement.ts';
import { ask, askUntilAnswered, drain, READY, type Request } from './request.ts';
import { withServer, type Program, type Running } from './server.ts';
import type { Sample } from './stats.ts';

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
