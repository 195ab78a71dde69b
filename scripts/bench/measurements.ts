// The measurements, each with its targets.

import { join } from 'node:path';

import { createApiKey } from '../../src/store/api-key.ts';
import { ofAgents } from './agents.ts';
import {
  asking,
  bare,
  bareAsModule,
  FLOOR,
  OURS,
  ours,
  targetOf,
  type Wanted,
} from './contestants.ts';
import type { Data } from './data.ts';
import { runLists } from './full-lists.ts';
import { importing } from './imports.ts';
import { listening } from './listen-time.ts';
import {
  askOnce,
  measureBySize,
  measureLoaded,
  noteIn,
  SMALL_CACHE,
  walk,
} from './load-measurements.ts';
import { largest, named } from './measurement-input.ts';
import type { Target, Work } from './measurement.ts';
import { onPostgres } from './postgres-measurements.ts';
import type { Request } from './request.ts';
import { runStarts } from './start-time.ts';

/** The factor for peers. */
const BEHIND: Target = { count: 'cpuUs', timesOurs: 3 };

const one = (data: Data): Wanted => ({ memory_id: data.ids(1)[0] ?? '' });
const oneOf = (data: Data): Request => asking(data, targetOf(one(data)));
const pageOf = (data: Data): Request => asking(data, targetOf({ limit: 50 }));

/** All measurements, in order. */
export const works: readonly Work[] = [
  {
    name: 'hot',
    title: 'one memory, hot',
    targets: [{ count: 'cpuUs', least: 0.8 }, BEHIND],
    measure: (scene) => measureLoaded(scene, { request: oneOf, peers: one }),
  },
  {
    name: 'single',
    title: 'one memory, hot, one connection',
    targets: [],
    measure: (scene) => measureLoaded(scene, { request: oneOf, connections: 1 }),
  },
  {
    name: 'cold',
    title: 'one memory of 100 times the cache',
    targets: [{ count: 'cpuUs', least: 0.45 }],
    measure: (scene) =>
      measureLoaded(scene, { request: oneOf, walks: SMALL_CACHE.memories, isLarge: true }),
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
      return measureLoaded(scene, {
        request: () => asking(data, target, { 'if-none-match': etag }),
      });
    },
  },
  {
    name: '401',
    title: '401, wrong key',
    targets: [{ count: 'cpuUs', least: 0.8 }],
    measure: (scene) => {
      const key = createApiKey(); // well-formed, but never issued
      return measureLoaded(scene, { request: (data) => asking({ key }, targetOf(one(data))) });
    },
  },
  {
    name: 'page',
    title: 'page of 50 whole memories',
    targets: [{ count: 'cpuUs', least: 0.7 }, BEHIND],
    measure: (scene) => measureLoaded(scene, { request: pageOf, peers: () => ({ limit: 50 }) }),
  },
  {
    name: 'slim',
    title: 'page of 50 slim memories',
    targets: [],
    measure: (scene) =>
      measureLoaded(scene, {
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
      const note = noteIn(scene, expected);
      const programs = [bare(expected, note), bareAsModule(note), ours(data)];
      const contestants = programs.map((program) => ({ program, request }));
      const times = scene.pace.starts;
      return named(
        programs.map(({ name }) => name),
        await runStarts(contestants, { times, expected }),
      );
    },
  },
  listening,
  {
    name: 'size-one',
    title: 'one memory, by how many there are',
    targets: [{ count: 'cpuUs', least: 1 / 1.25 }],
    // More than the small cache holds, and no more than SQLite's cache holds.
    measure: (scene) => measureBySize(scene, (data) => walk(scene, data, 500)),
  },
  {
    name: 'size-page',
    title: 'first page of 50, by how many there are',
    targets: [{ count: 'cpuUs', least: 1 / 1.25 }],
    measure: (scene) =>
      measureBySize(scene, (data) => ({ program: ours(data), request: pageOf(data) })),
  },
  importing,
  ...ofAgents,
  ...onPostgres,
];
