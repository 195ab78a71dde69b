// The measurements, each with its targets.

import { createApiKey } from '../../src/store/accounts/api-key.ts';
import { ofAgents } from './agents.ts';
import { ofApp } from './app-costs.ts';
import { asking, ours, targetOf, UNCACHED, type Wanted } from './contestants.ts';
import type { Data } from './data.ts';
import { bySize } from './growth.ts';
import { importing } from './imports.ts';
import { lists } from './lists.ts';
import { askOnce, measureLoaded, SMALL_CACHE } from './load-measurements.ts';
import { largest, type Work } from './measurement.ts';
import { onPostgres } from './postgres-measurements.ts';
import type { Request } from './request.ts';
import { searches } from './searches.ts';
import { starts } from './starts.ts';

const one = (data: Data): Wanted => ({ memory_id: data.ids(1)[0] ?? '' });
const oneOf = (data: Data): Request => asking(data, targetOf(one(data)));
const pageOf = (data: Data): Request => asking(data, targetOf({ limit: 50 }));

/** All measurements, in order. */
export const works: readonly Work[] = [
  {
    name: 'hot',
    title: 'one memory, hot',
    targets: [
      { count: 'cpuUs', least: 0.8 },
      { count: 'cpuUs', least: 0.55, server: UNCACHED },
      { count: 'cpuUs', timesOurs: 2, than: 'uncached', peers: ['fastify'] },
      { count: 'cpuUs', timesOurs: 3, than: 'cached' },
    ],
    measure: (scene) =>
      measureLoaded(scene, { request: oneOf, isCached: true, isUncached: true, peers: one }),
  },
  {
    name: 'single',
    title: 'one memory, hot, one connection',
    targets: [],
    measure: (scene) => measureLoaded(scene, { request: oneOf, isCached: true, connections: 1 }),
  },
  {
    name: 'cold',
    title: 'one memory of 100 times the cache',
    targets: [{ count: 'cpuUs', least: 0.45 }],
    measure: (scene) =>
      measureLoaded(scene, { request: oneOf, walks: SMALL_CACHE.memories, file: largest }),
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
        isCached: true,
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
    targets: [
      { count: 'cpuUs', least: 0.7 },
      { count: 'cpuUs', least: 0.2, server: UNCACHED },
      { count: 'cpuUs', timesOurs: 3, than: 'uncached' },
      { count: 'cpuUs', timesOurs: 3, than: 'cached' },
    ],
    measure: (scene) =>
      measureLoaded(scene, {
        request: pageOf,
        isCached: true,
        isUncached: true,
        peers: () => ({ limit: 50 }),
      }),
  },
  {
    name: 'slim',
    title: 'page of 50 slim memories',
    targets: [],
    measure: (scene) =>
      measureLoaded(scene, {
        request: (data) => asking(data, '/v1/memories?limit=50&fields=id,name,started_at'),
        isCached: true,
        isUncached: true,
      }),
  },
  ...lists,
  ...searches,
  ...starts,
  ...bySize,
  importing,
  ...ofApp,
  ...ofAgents,
  ...onPostgres,
];
