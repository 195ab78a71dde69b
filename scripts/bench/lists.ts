// The full list of an account, against piping a file of the same bytes.

import { once } from 'node:events';
import { createWriteStream, existsSync, renameSync, statSync } from 'node:fs';

import { Refusal } from '../../src/store/refusal.ts';
import { ask, askUntilAnswered, drain, type Request } from './ask.ts';
import { bare, OURS, type Variant } from './contestants.ts';
import { withServers, type Program, type Running } from './server.ts';
import type { Sample } from './stats.ts';

const READY: Request = { path: '/healthz', headers: {} };

/** What is read, and what it is compared with. */
export interface Listing {
  readonly program: Program;
  readonly request: Request;
  /** Where the same bytes are, or are put. */
  readonly file: string;
  /** What tells the bare server: see contestants.ts. */
  readonly note: string;
  readonly times: number;
}

/** Reads the whole list from fresh servers in turn; returns the samples of the floor and of ours. */
export async function runLists(listing: Listing): Promise<Sample[][]> {
  const { program, request, file, times } = listing;
  if (!existsSync(file)) await keepList(listing);
  const programs = [await piping(listing), program];
  const samples: Sample[][] = programs.map(() => []);
  for (let i = 0; i < times; i++) {
    for (const [who, each] of programs.entries())
      samples[who]?.push(
        await withServers([each], ([server]) => readOnce(server as Running, request, file)),
      );
  }
  return samples;
}

async function readOnce(server: Running, request: Request, file: string): Promise<Sample> {
  await askUntilAnswered(server, READY);
  const before = await server.meter();
  const start = performance.now();
  const bytes = await drain(server.port, request);
  const ms = performance.now() - start;
  const after = await server.meter();
  if (bytes !== statSync(file).size)
    throw new Refusal(`${file} is not what ${OURS} sends any more; remove it and start again.`);
  return {
    cpuUs: after.cpuUs - before.cpuUs,
    megabytesPerSecond: bytes / 1000 / ms,
    grownBytes: after.peakBytes - before.residentBytes,
  };
}

/** Keeps the bytes of the list in a file, whole or not at all. */
async function keepList({ program, request, file }: Listing): Promise<void> {
  const draft = `${file}.new`;
  await withServers([program], async ([server]) => {
    await askUntilAnswered(server as Running, READY);
    const out = createWriteStream(draft);
    await drain((server as Running).port, request, (part) => out.write(part) || once(out, 'drain'));
    out.end();
    await once(out, 'close');
  });
  renameSync(draft, file);
}

/** The bare server with the headers of our list. */
async function piping({ program, request, file, note }: Listing): Promise<Program> {
  const variant: Variant = 'Buffer, flat headers';
  return withServers([program], async ([server]) => {
    await askUntilAnswered(server as Running, READY);
    const { path, headers } = request;
    const head = await ask((server as Running).port, { path, headers, method: 'HEAD' });
    return bare(head, { note, variant, file });
  });
}
