// Requests to files of a thousand to a million memories, each read from the database, and the memory of the process.

import { asking, uncached } from './contestants.ts';
import type { Data } from './data.ts';
import { measureBySize, walk } from './load-measurements.ts';
import type { Target, Work } from './measurement.ts';

/** The ratio to the smallest file. */
const LEVEL: Target = { count: 'cpuUs', least: 0.85 };

/** More connections would only wait. */
const SLOW = { connections: 1 };

/** A month in the middle of all memories. */
const month = 'started_after=2026-07-15T00:00:00.000Z&started_before=2026-08-15T00:00:00.000Z';

/** Words of one in ten memories. */
const words = 'budget%20review';

/** The measurements. */
export const bySize: readonly Work[] = [
  {
    name: 'size-one',
    title: 'one memory, by how many there are',
    targets: [LEVEL],
    measure: (scene) =>
      // As many as SQLite's cache holds.
      measureBySize(scene, (data) => walk(scene, { data, program: uncached(data), count: 500 })),
  },
  workOf('page', 'first page of 50', { path: '/v1/memories?limit=50', targets: [LEVEL] }),
  workOf('slim', 'first page of 50 slim memories', {
    path: '/v1/memories?limit=50&fields=id,name,started_at',
  }),
  workOf('match', 'first page of 50 that match', { path: `/v1/memories?limit=50&q=${words}` }),
  workOf('search', 'search of everything', { path: `/v1/search?q=${words}`, ...SLOW }),
  workOf('search-month', 'search of a month', { path: `/v1/search?q=${words}&${month}`, ...SLOW }),
  workOf('days', 'all days', { path: '/v1/days', ...SLOW }),
  workOf('days-month', 'days of a month', { path: `/v1/days?${month}` }),
  workOf('changes', 'newest 50 changes', { path: '/v1/changes?limit=50&order=desc' }),
];

interface How {
  readonly targets?: Work['targets'];
  readonly connections?: number;
}

function workOf(
  name: string,
  title: string,
  { path, targets = [], connections }: How & { readonly path: string },
): Work {
  const contestant = (data: Data) => ({ ...uncached(data), request: asking(data, path) });
  return {
    name: `size-${name}`,
    title: `${title}, by how many there are`,
    targets,
    measure: (scene) => measureBySize(scene, contestant, connections),
  };
}
