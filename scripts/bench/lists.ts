// Measurements of whole lists.

import { join } from 'node:path';

import { asking, FLOOR, OURS, ours } from './contestants.ts';
import { readInTurn, runLists } from './full-lists.ts';
import { largest, named } from './measurement-input.ts';
import type { Work } from './measurement.ts';

/** The measurements. */
export const lists: readonly Work[] = [
  {
    name: 'list',
    title: 'full list of the largest account',
    targets: [
      { count: 'cpuUs', least: 0.7 },
      { count: 'grownBytes', mostBytes: 64e6 },
    ],
    measure: async ({ pace, files, folder }) => {
      const data = largest(files);
      const [floor = [], own = [], second = []] = await runLists({
        program: ours(data),
        request: asking(data, '/v1/memories'),
        file: `${data.path}.list`,
        note: join(folder, 'list.json'),
        times: pace.lists,
      });
      return named([FLOOR, OURS, `${OURS}, a second time`], [floor, own, second]);
    },
  },
  {
    name: 'slim-list',
    title: 'slim list of a whole account, beside its whole memories',
    targets: [{ count: 'cpuUs', least: 10 }],
    measure: async ({ pace, files }) => {
      const data = files.findLast(({ accounts }) => accounts === 1) ?? files[0];
      const paths = ['/v1/memories', '/v1/memories?fields=id,name,started_at'];
      const all = paths.map((path) => ({ program: ours(data), request: asking(data, path) }));
      return named(['whole memories', 'slim memories'], await readInTurn(all, pace.lists));
    },
  },
];
