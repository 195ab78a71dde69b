// Measurements of whole lists.

import { join } from 'node:path';

import { asking, ours } from './contestants.ts';
import { readInTurn, runLists } from './full-lists.ts';
import { largest, type Work } from './measurement.ts';

/** The measurements. */
export const lists: readonly Work[] = [
  {
    name: 'list',
    title: 'full list of the largest account',
    targets: [
      { count: 'cpuUs', least: 0.7 },
      { count: 'grownBytes', mostBytes: 64e6 },
    ],
    measure: ({ pace, files, folder }) => {
      const data = largest(files);
      return runLists({
        program: ours(data),
        request: asking(data, '/v1/memories'),
        file: `${data.path}.list`,
        note: join(folder, 'list.json'),
        times: pace.lists,
      });
    },
  },
  {
    name: 'slim-list',
    title: 'slim list of a whole account, beside its whole memories',
    targets: [{ count: 'cpuUs', least: 10 }],
    measure: ({ pace, files }) => {
      const data = files.findLast(({ accounts }) => accounts === 1) ?? files[0];
      const reading = (name: string, path: string) => ({
        ...ours(data),
        name,
        request: asking(data, path),
      });
      const all = [
        reading('whole memories', '/v1/memories'),
        reading('slim memories', '/v1/memories?fields=id,name,started_at'),
      ];
      return readInTurn(all, pace.lists);
    },
  },
];
