// Works on PostgreSQL: against a bare handler that runs the same statements, and two processes on two servers against one on one.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { BATCH_BYTES } from '../../src/gateway/batches.ts';
import { hashApiKey } from '../../src/store/apikey.ts';
import { boundsOf, valuesOf } from '../../src/store/bounds.ts';
import { prepare } from '../../src/store/postgres/build.ts';
import { listOf } from '../../src/store/postgres/lists.ts';
import * as lookup from '../../src/store/postgres/lookup.ts';
import * as reads from '../../src/store/postgres/reads.ts';
import { NOTHING } from '../../src/store/postgres/search.ts';
import type { Query } from '../../src/store/query.ts';
import type { Answer } from './ask.ts';
import {
  asking,
  ours,
  sentBy,
  targetOf,
  uncached,
  type Contestant,
  type Wanted,
} from './contestants.ts';
import { lackOfPostgres, withPostgres, type Distant } from './distant.ts';
import { askOnce } from './loaded.ts';
import { runRounds } from './rounds.ts';
import { named, type Samples, type Scene } from './scene.ts';
import type { Program } from './server.ts';
import { runTwo } from './two.ts';
import type { Work } from './work.ts';

const LOADED_BY = 16;
const PAGE = 50;

/** As many connections as ours has where nobody says. */
const POOL = 10;

const BARE = fileURLToPath(new URL('barepg.cjs', import.meta.url));

/** The works. */
export const onPostgres: readonly Work[] = [
  {
    name: 'postgres',
    title: 'one memory out of PostgreSQL',
    targets: [{ count: 'cpuUs', least: 0.75 }],
    lack: lackOfPostgres,
    measure: (scene) =>
      withPostgres((distant) => measure(scene, distant, { memory_id: distant.id })),
  },
  {
    name: 'postgres-page',
    title: 'page of 50 whole memories out of PostgreSQL',
    targets: [{ count: 'cpuUs', least: 0.75 }],
    lack: lackOfPostgres,
    measure: (scene) => withPostgres((distant) => measure(scene, distant, { limit: PAGE })),
  },
  {
    name: 'postgres-two',
    title: 'two processes on two servers of PostgreSQL',
    targets: [],
    lack: lackOfPostgres,
    measure: ({ pace }) =>
      withPostgres(({ primary, standby, key, id }) =>
        runTwo([ours({ path: primary }), ours({ path: standby })], {
          pace,
          connections: LOADED_BY,
          request: asking({ key }, targetOf({ memory_id: id })),
        }),
      ),
  },
];

async function measure(scene: Scene, distant: Distant, wanted: Wanted): Promise<Samples> {
  const request = asking(distant, targetOf(wanted));
  // A kept answer asks one statement and not two: what is compared is what both ask.
  const program = uncached({ path: distant.primary });
  const expected = await askOnce(program, request);
  const contestants: Contestant[] = [
    {
      program: bareOn(distant, wanted, { expected, note: join(scene.folder, 'bare.json') }),
      request,
    },
    { program, request },
  ];
  const samples = await runRounds(contestants, {
    pace: scene.pace,
    connections: LOADED_BY,
    expected,
  });
  return named(
    contestants.map(({ program: { name } }) => name),
    samples,
  );
}

/** The bare handler that runs what ours does: the key, and what is asked with it. */
function bareOn(
  { primary, account, key }: Distant,
  wanted: Wanted,
  { expected, note }: { readonly expected: Answer; readonly note: string },
): Program {
  const isPage = 'limit' in wanted;
  const sent = {
    address: primary,
    connections: POOL,
    statements: [
      statement(lookup.apiKey, { key_sha256: hashApiKey(key) }),
      isPage
        ? pageOf(account, wanted.limit)
        : statement(reads.memory.body, { account_id: account, id: wanted.memory_id, known: '' }),
    ],
    isPage,
    most: isPage ? wanted.limit : 1,
    head: sentBy(expected),
  };
  writeFileSync(note, JSON.stringify(sent));
  return { name: 'bare node:http and pg', args: (port) => [BARE, String(port), note] };
}

/** A page, and one memory more, which tells whether another page follows. */
function pageOf(account_id: string, most: number) {
  const range = { account_id, order: 'desc', bytes: 'body', limit: most + 1 } as const;
  const shape = { ...range, byState: false, bySearch: false };
  const values = { ...valuesOf(boundsOf(range)), account_id, is_processing: 0, limit: range.limit };
  return statement(listOf(shape), { ...values, maxBytes: BATCH_BYTES, ...NOTHING });
}

/** A statement as pg takes it. */
function statement<Values, Row>(query: Query<Values, Row>, values: Values) {
  const { name, text, parameters } = prepare(query)();
  return { name, text, values: parameters(values) };
}
