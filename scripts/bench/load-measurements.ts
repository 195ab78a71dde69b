// Measurements under load: the servers in each, and their requests.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import {
  asking,
  bare,
  ours,
  peer,
  PEERS,
  targetOf,
  uncached,
  type Contestant,
  type Wanted,
} from './contestants.ts';
import type { Data } from './data.ts';
import { largest, named, type Samples, type Scene } from './measurement-input.ts';
import { askUntilAnswered, type Answer, type Request } from './request.ts';
import { runRounds } from './rounds.ts';
import { withServers, type Program, type Running } from './server.ts';

const CONNECTIONS = 16;

/**
 * A cache far smaller than the requested data, and the number of memories of 4 kB that are 100
 * times its size.
 */
export const SMALL_CACHE = { size: '1MB', memories: 26_000 };

/** The differences between measurements under load. */
interface Loaded {
  readonly request: (data: Data) => Request;
  /**
   * The requests for peers, if they take part. The gateway without its cache then takes part, too.
   */
  readonly peers?: (data: Data) => Wanted;
  readonly connections?: number;
  /** Requests this many memories in turn, with a cache that is too small for them. */
  readonly walks?: number;
  /** In the largest file. */
  readonly isLarge?: boolean;
}

/** Loads the baseline, the gateway and, if wanted, the peers. */
export async function measureLoaded(scene: Scene, how: Loaded): Promise<Samples> {
  const { pace, files } = scene;
  const { peers, connections = CONNECTIONS, walks, isLarge = false } = how;
  const data = isLarge ? largest(files) : files[0];
  const request = how.request(data);
  const expected = await askOnce(ours(data), request);
  const contestants: Contestant[] = [
    { program: bare(expected, noteIn(scene, expected)), request },
    walks === undefined ? { program: ours(data), request } : walk(scene, data, walks),
    ...(peers ? [{ program: uncached(data), request }] : []),
    ...(peers ? PEERS.map((name) => peer(name, data, peers(data))) : []),
  ];
  const samples = await runRounds(contestants, { pace, connections, expected });
  return named(
    contestants.map(({ program }) => program.name),
    samples,
  );
}

/** Loads the gateway with files of several sizes. The smallest is the baseline. */
export async function measureBySize(
  { pace, files }: Scene,
  contestantOf: (data: Data) => Contestant,
): Promise<Samples> {
  const contestants = files.map(contestantOf);
  const samples = await runRounds(contestants, { pace, connections: CONNECTIONS });
  return named(
    files.map(({ memories }) => `${memories.toLocaleString('en')} memories`),
    samples,
  );
}

/** The gateway with the small cache, and requests for this many memories in turn. */
export function walk({ folder }: Scene, data: Data, count: number): Contestant {
  const paths = join(folder, `${data.memories}-${count}.paths`);
  const targets = data.ids(count).map((memory_id) => targetOf({ memory_id }));
  writeFileSync(paths, `${targets.join('\n')}\n`);
  return { program: ours(data, SMALL_CACHE.size), request: asking(data, targets[0] ?? ''), paths };
}

/** Sends one request to a program in a process of its own. */
export function askOnce(program: Program, request: Request): Promise<Answer> {
  return withServers([program], ([server]) => askUntilAnswered(server as Running, request));
}

/** A string costs a bare server twice as much as a Buffer for long bodies: measured with 190 kB. */
const LONGEST_TRIED = 16_384;

/**
 * The response of the bare server, and the way to send it. A 304 has no body, so there is only one
 * way.
 */
export function noteIn({ folder, variant }: Scene, { body }: Answer) {
  const note = join(folder, 'bare.json');
  const isTried = body.length > 0 && body.length <= LONGEST_TRIED;
  return { note, variant: isTried ? variant : ('Buffer, flat headers' as const) };
}
