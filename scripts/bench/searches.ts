// Searches of 10,000 memories, compared with SQLite's full-text search behind Fastify.

import { asking, targetOf, type Wanted } from './contestants.ts';
import type { Data } from './data.ts';
import { measureLoaded } from './load-measurements.ts';
import type { Scene, Work } from './measurement.ts';

/** The words of one in a hundred memories. */
const WORDS = 'budget review amina';

const MATCHES = { limit: 50, q: WORDS } as const satisfies Wanted;
const PASSAGES = { best: 10, q: WORDS } as const satisfies Wanted;

/** A search takes milliseconds of one core, so several would only wait. */
const CONNECTIONS = 1;

/** The file with 10,000 memories. It is the second of every run, and has a table for peers. */
const fileOf = ([first, second]: Scene['files']): Data => second ?? first;

/** The measurements. */
export const searches: readonly Work[] = [
  {
    name: 'match',
    title: 'page of 50 that match three words, of 10,000 memories',
    targets: [],
    measure: (scene) =>
      measureLoaded(scene, {
        file: fileOf,
        request: (data) => asking(data, targetOf(MATCHES)),
        isCached: true,
        isUncached: true,
        peers: () => MATCHES,
        only: ['fastify'],
      }),
  },
  {
    name: 'search',
    title: 'best 10 passages for three words, of 10,000 memories',
    targets: [],
    // Each ranks by its own rules, so the responses differ.
    measure: (scene) =>
      measureLoaded(scene, {
        file: fileOf,
        request: (data) => asking(data, targetOf(PASSAGES)),
        peers: () => PASSAGES,
        only: ['fastify'],
        areSame: false,
        connections: CONNECTIONS,
      }),
  },
];
