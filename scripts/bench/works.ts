// The works that are measured, each with what it must reach.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { createApiKey } from '../../src/store/apikey.ts';
import { askUntilAnswered, type Answer, type Request } from './ask.ts';
import {
  asking,
  bare,
  FLOOR,
  OURS,
  ours,
  peer,
  PEERS,
  targetOf,
  type Contestant,
  type Variant,
  type Wanted,
} from './contestants.ts';
import type { Data } from './data.ts';
import { runLists } from './lists.ts';
import { runRounds, type Pace } from './rounds.ts';
import { withServers, type Program, type Running } from './server.ts';
import { runStarts } from './starts.ts';
import type { Count, Sample } from './stats.ts';

/** What there is to measure on. */
export interface Scene {
  readonly pace: Pace;
  /** Files with more and more memories: the first is for all that has nothing to do with size. */
  readonly files: readonly [Data, ...Data[]];
  /** How the floor sends. */
  readonly variant: Variant;
  /** For notes, and gone afterwards. */
  readonly folder: string;
}

/** The samples of servers; the first of them is the floor. */
export type Samples = readonly { readonly name: string; readonly samples: readonly Sample[] }[];

/** What is to be reached: a ratio to the floor, or an amount. */
export type Target =
  | { readonly count: Count; readonly least: number }
  | { readonly count: Count; readonly mostBytes: number };

/** Something to measure. */
export interface Work {
  /** What --only takes. */
  readonly name: string;
  readonly title: string;
  readonly targets: readonly Target[];
  readonly measure: (scene: Scene) => Promise<Samples>;
}

const CONNECTIONS = 16;

/** A cache that is far smaller than what is asked for, and how many memories of 4 kB are 100 times as much. */
const SMALL_CACHE = { size: '1MB', memories: 26_000 };

/** What differs between works under load. */
interface Loaded {
  readonly request: (data: Data) => Request;
  /** What peers are asked for, where they take part. */
  readonly peers?: (data: Data) => Wanted;
  readonly connections?: number;
  /** Asks for so many memories in turn, with a cache that does not hold them. */
  readonly walks?: number;
  /** In the largest file. */
  readonly isLarge?: boolean;
}

const one = (data: Data): Wanted => ({ memory_id: data.ids(1)[0] ?? '' });
const oneOf = (data: Data): Request => asking(data, targetOf(one(data)));
const pageOf = (data: Data): Request => asking(data, targetOf({ limit: 50 }));

/** All works, in the order in which they are measured. */
export const works: readonly Work[] = [
  {
    name: 'hot',
    title: 'one memory, hot',
    targets: [{ count: 'cpuUs', least: 0.8 }],
    measure: (scene) => loaded(scene, { request: oneOf, peers: one }),
  },
  {
    name: 'single',
    title: 'one memory, hot, one connection',
    targets: [],
    measure: (scene) => loaded(scene, { request: oneOf, connections: 1 }),
  },
  {
    name: 'cold',
    title: 'one memory of 100 times the cache',
    targets: [{ count: 'cpuUs', least: 0.45 }],
    measure: (scene) =>
      loaded(scene, { request: oneOf, walks: SMALL_CACHE.memories, isLarge: true }),
  },
  {
    name: '304',
    title: '304',
    targets: [{ count: 'cpuUs', least: 0.85 }],
    measure: async (scene) => {
      const [data] = scene.files;
      const answer = await askOnce(ours(data), oneOf(data));
      const etag = answer.head[answer.head.indexOf('etag') + 1] ?? '';
      const target = targetOf(one(data));
      return loaded(scene, { request: () => asking(data, target, { 'if-none-match': etag }) });
    },
  },
  {
    name: '401',
    title: '401, wrong key',
    targets: [{ count: 'cpuUs', least: 0.8 }],
    measure: (scene) => {
      const key = createApiKey(); // well-formed, and nobody's
      return loaded(scene, { request: (data) => asking({ key }, targetOf(one(data))) });
    },
  },
  {
    name: 'page',
    title: 'page of 50 whole memories',
    targets: [{ count: 'cpuUs', least: 0.7 }],
    measure: (scene) => loaded(scene, { request: pageOf, peers: () => ({ limit: 50 }) }),
  },
  {
    name: 'slim',
    title: 'page of 50 slim memories',
    targets: [],
    measure: (scene) =>
      loaded(scene, {
        request: (data) => asking(data, '/v1/memories?limit=50&fields=id,name,started_at'),
      }),
  },
  {
    name: 'list',
    title: 'full list of the largest account',
    targets: [
      { count: 'cpuUs', least: 0.7 },
      { count: 'grownBytes', mostBytes: 64e6 },
    ],
    measure: async ({ pace, files, folder }) => {
      const data = largest(files);
      const [floor = [], own = []] = await runLists({
        program: ours(data),
        request: asking(data, '/v1/memories'),
        file: `${data.path}.list`,
        note: join(folder, 'list.json'),
        times: pace.lists,
      });
      return named([FLOOR, OURS], [floor, own]);
    },
  },
  {
    name: 'start',
    title: 'start to first answer, and idle memory',
    targets: [{ count: 'firstAnswerMs', least: 1 / 1.5 }],
    measure: async (scene) => {
      const [data] = scene.files;
      const request = oneOf(data);
      const expected = await askOnce(ours(data), request);
      const programs = [bare(expected, noteIn(scene, expected)), ours(data)];
      const contestants = programs.map((program) => ({ program, request }));
      const times = scene.pace.starts;
      return named([FLOOR, OURS], await runStarts(contestants, { times, expected }));
    },
  },
  {
    name: 'size-one',
    title: 'one memory, by how many there are',
    targets: [{ count: 'cpuUs', least: 1 / 1.25 }],
    // More than the small cache holds, and no more than SQLite does.
    measure: (scene) => bySize(scene, (data) => walk(scene, data, 500)),
  },
  {
    name: 'size-page',
    title: 'first page of 50, by how many there are',
    targets: [{ count: 'cpuUs', least: 1 / 1.25 }],
    measure: (scene) => bySize(scene, (data) => ({ program: ours(data), request: pageOf(data) })),
  },
];

/** The floor, ours and perhaps the peers under load. */
async function loaded(scene: Scene, how: Loaded): Promise<Samples> {
  const { pace, files } = scene;
  const { peers, connections = CONNECTIONS, walks, isLarge = false } = how;
  const data = isLarge ? largest(files) : files[0];
  const request = how.request(data);
  const expected = await askOnce(ours(data), request);
  const contestants: Contestant[] = [
    { program: bare(expected, noteIn(scene, expected)), request },
    walks === undefined ? { program: ours(data), request } : walk(scene, data, walks),
    ...(peers ? PEERS.map((name) => peer(name, data, peers(data))) : []),
  ];
  const samples = await runRounds(contestants, { pace, connections, expected });
  return named(
    contestants.map(({ program }) => program.name),
    samples,
  );
}

/** Ours on files of several sizes, against the smallest. */
async function bySize(
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
function walk({ folder }: Scene, data: Data, count: number): Contestant {
  const paths = join(folder, `${data.memories}-${count}.paths`);
  const targets = data.ids(count).map((memory_id) => targetOf({ memory_id }));
  writeFileSync(paths, `${targets.join('\n')}\n`);
  return { program: ours(data, SMALL_CACHE.size), request: oneOf(data), paths };
}

function askOnce(program: Program, request: Request): Promise<Answer> {
  return withServers([program], ([server]) => askUntilAnswered(server as Running, request));
}

/** A 304 has no bytes to send in several ways. */
function noteIn({ folder, variant }: Scene, { body }: Answer) {
  const note = join(folder, 'bare.json');
  return { note, variant: body.length > 0 ? variant : ('Buffer, flat headers' as const) };
}

function largest(files: Scene['files']): Data {
  return files.at(-1) ?? files[0];
}

function named(names: readonly string[], samples: readonly (readonly Sample[])[]): Samples {
  return names.map((name, i) => ({ name, samples: samples[i] ?? [] }));
}
