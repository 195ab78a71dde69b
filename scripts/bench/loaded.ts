// Works under load: who takes part, and what each is asked.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { askUntilAnswered, type Answer, type Request } from './ask.ts';
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
import { runRounds } from './rounds.ts';
import { largest, named, type Samples, type Scene } from './scene.ts';
import { withServers, type Program, type Running } from './server.ts';

const CONNECTIONS = 16;

/** A cache that is far smaller than what is asked for, and how many memories of 4 kB are 100 times as much. */
export const SMALL_CACHE = { size: '1MB', memories: 26_000 };

/** What differs between works under load. */
interface Loaded {
  readonly request: (data: Data) => Request;
  /** What peers are asked for, where they take part; then ours without its cache does, too. */
  readonly peers?: (data: Data) => Wanted;
  readonly connections?: number;
  /** Asks for so many memories in turn, with a cache that does not hold them. */
  readonly walks?: number;
  /** In the largest file. */
  readonly isLarge?: boolean;
}

/** Loads the floor, ours and perhaps the peers. */
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

/** Loads ours on files of several sizes; the smallest is what the others are held against. */
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

/** Ours with the small cache, asked for so many memories in turn. */
export function walk({ folder }: Scene, data: Data, count: number): Contestant {
  const paths = join(folder, `${data.memories}-${count}.paths`);
  const targets = data.ids(count).map((memory_id) => targetOf({ memory_id }));
  writeFileSync(paths, `${targets.join('\n')}\n`);
  return { program: ours(data, SMALL_CACHE.size), request: asking(data, targets[0] ?? ''), paths };
}

/** Asks a program once, in a process of its own. */
export function askOnce(program: Program, request: Request): Promise<Answer> {
  return withServers([program], ([server]) => askUntilAnswered(server as Running, request));
}

/** Longer bodies cost a bare server twice as much as a string than they do as a Buffer: measured with 190 kB. */
const LONGEST_TRIED = 16_384;

/** Where the bare server finds what it sends, and how it does: a 304 has no bytes to send in several ways. */
export function noteIn({ folder, variant }: Scene, { body }: Answer) {
  const note = join(folder, 'bare.json');
  const isTried = body.length > 0 && body.length <= LONGEST_TRIED;
  return { note, variant: isTried ? variant : ('Buffer, flat headers' as const) };
}
