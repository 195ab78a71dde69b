// Searches of 10,000 memories, compared with SQLite's full-text search behind Fastify.

import { asking, bare, ours, peer, targetOf, type Contestant, type Wanted } from './contestants.ts';
import type { Data } from './data.ts';
import { askOnce, measureLoaded, noteIn } from './load-measurements.ts';
import { named, type Scene } from './measurement-input.ts';
import type { Work } from './measurement.ts';
import { runRounds } from './rounds.ts';

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
    // Each ranks by its own rules, so the responses differ. They are compared by their cost alone.
    measure: async (scene) => {
      const data = fileOf(scene.files);
      const request = asking(data, targetOf(PASSAGES));
      const expected = await askOnce(ours(data), request);
      const contestants: Contestant[] = [
        { program: bare(expected, noteIn(scene, expected)), request },
        { program: ours(data), request },
        peer('fastify', data, PASSAGES),
      ];
      return named(
        contestants.map(({ program }) => program.name),
        await runRounds(contestants, { pace: scene.pace, connections: CONNECTIONS }),
      );
    },
  },
];
