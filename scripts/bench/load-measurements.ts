// Measurements under load: the servers in each, their requests, and the baseline.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import {
  asking,
  bare,
  cached,
  ours,
  peer,
  PEERS,
  type PeerName,
  targetOf,
  uncached,
  VARIANTS,
  type Contestant,
  type Variant,
  type Wanted,
} from './contestants.ts';
import type { Data } from './data.ts';
import type { Pace, Samples, Scene } from './measurement.ts';
import { askUntilAnswered, type Answer, type Request } from './request.ts';
import { runRounds } from './rounds.ts';
import { withServer, type Program } from './server.ts';
import { spreadOf } from './stats.ts';

const CONNECTIONS = 16;

/**
 * A cache far smaller than the requested data, and the number of memories of 4 kB that are 100
 * times its size.
 */
export const SMALL_CACHE = { size: '1MB', memories: 26_000 };

/** The differences between measurements under load. */
interface Loaded {
  readonly request: (data: Data) => Request;
  /** Whether the gateway answers from its response cache. */
  readonly isCached?: boolean;
  /** Whether the gateway takes part without its response cache as well. */
  readonly isUncached?: boolean;
  /** The requests for peers, if they take part. */
  readonly peers?: (data: Data) => Wanted;
  /** Default: all. */
  readonly only?: readonly PeerName[];
  /** False if each server responds in its own way, so that only costs are compared. */
  readonly areSame?: boolean;
  readonly connections?: number;
  /** Requests this many memories in turn, with a cache that is too small for them. */
  readonly walks?: number;
  /** Default: the first file. */
  readonly file?: (files: Scene['files']) => Data;
}

/** Loads the baseline, the gateway and, if wanted, the peers. */
export async function measureLoaded(scene: Scene, how: Loaded): Promise<Samples> {
  const { pace, files } = scene;
  const { isCached = false, isUncached = false, areSame = true, walks } = how;
  const { peers, only = PEERS, connections = CONNECTIONS } = how;
  const data = how.file?.(files) ?? files[0];
  const request = how.request(data);
  const expected = await askOnce(ours(data), request);
  const contestants: Contestant[] = [
    { ...bare(expected, noteIn(scene, expected)), request },
    walks === undefined
      ? { ...(isCached ? cached(data) : ours(data)), request }
      : walk(scene, { data, program: ours(data, SMALL_CACHE.size), count: walks }),
    ...(isUncached ? [{ ...uncached(data), request }] : []),
    ...(peers ? only.map((name) => peer(name, data, peers(data))) : []),
  ];
  return runRounds(contestants, { pace, connections, ...(areSame && { expected }) });
}

/** Loads the gateway with files of several sizes. The smallest is the baseline. */
export function measureBySize(
  { pace, files }: Scene,
  contestantOf: (data: Data) => Contestant,
  connections = CONNECTIONS,
): Promise<Samples> {
  const contestants = files.map((data) => ({
    ...contestantOf(data),
    name: `${data.memories.toLocaleString('en')} memories`,
  }));
  return runRounds(contestants, { pace, connections });
}

/** A walk through the memories of a file. */
interface Walking {
  readonly data: Data;
  readonly program: Program;
  readonly count: number;
}

/** A program, and requests for this many memories in turn. */
export function walk({ folder }: Scene, { data, program, count }: Walking): Contestant {
  const paths = join(folder, `${data.memories}-${count}.paths`);
  const targets = data.ids(count).map((memory_id) => targetOf({ memory_id }));
  writeFileSync(paths, `${targets.join('\n')}\n`);
  return { ...program, request: asking(data, targets[0] ?? ''), paths };
}

/** Sends one request to a program in a process of its own. */
export function askOnce(program: Program, request: Request): Promise<Answer> {
  return withServer(program, (server) => askUntilAnswered(server, request));
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

/** Finds the way of sending the same bytes that costs a bare server least, with one memory. It is the baseline. */
export async function findFloor(data: Data, pace: Pace, folder: string): Promise<Variant> {
  const request = asking(data, targetOf({ memory_id: data.ids(1)[0] ?? '' }));
  const expected = await askOnce(ours(data), request);
  const rounds = Math.ceil(pace.rounds / 2);
  const contestants = VARIANTS.map((variant, i) => ({
    ...bare(expected, { note: join(folder, `floor-${i}.json`), variant }),
    request,
  }));
  const measured = await runRounds(contestants, {
    pace: { ...pace, rounds },
    connections: CONNECTIONS,
    expected,
  });
  const costs = measured.map(
    ({ samples }) => spreadOf(samples.map(({ cpuUs = Number.NaN }) => cpuUs)).median,
  );
  return VARIANTS[costs.indexOf(Math.min(...costs))] ?? VARIANTS[0];
}
