// Measurements on PostgreSQL, against a bare handler that runs the same statements.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { withSeedDatabase, writeMemories } from '../../src/cli/commands/database/seed.ts';
import { hashApiKey } from '../../src/store/accounts/api-key.ts';
import { BATCH_BYTES } from '../../src/store/bytes.ts';
import { listOf } from '../../src/store/postgres/list-queries.ts';
import * as reads from '../../src/store/postgres/reads.ts';
import { NOTHING } from '../../src/store/postgres/search/search.ts';
import { prepare } from '../../src/store/postgres/statements.ts';
import { boundsOf, boundValues } from '../../src/store/sql/lists.ts';
import type { NamedQuery } from '../../src/store/sql/query.ts';
import { apiKey } from '../../src/store/sql/reads.ts';
import { hasPostgres, startPrimary } from '../../test/support/engines/postgres-cluster.ts';
import { generate } from '../generate.ts';
import { asking, pathTo, sentBy, targetOf, uncached, type Wanted } from './contestants.ts';
import type { Data } from './data.ts';
import { askOnce } from './load-measurements.ts';
import type { Samples, Scene, Work } from './measurement.ts';
import type { Answer } from './request.ts';
import { runRounds } from './rounds.ts';
import type { Program } from './server.ts';

const LOADED_BY = 16;
const PAGE = 50;

/** The default number of connections of the gateway. */
const POOL = 10;

const MEMORIES = 1000;
const SIZE = 4000;

/** The measurements. */
export const onPostgres: readonly Work[] = [
  {
    name: 'postgres',
    title: 'one memory out of PostgreSQL',
    targets: [{ count: 'cpuUs', least: 0.85 }],
    lack: lackOfPostgres,
    measure: (scene) =>
      withPostgres((distant) => measure(scene, distant, { memory_id: distant.id })),
  },
  {
    name: 'postgres-page',
    title: 'page of 50 whole memories out of PostgreSQL',
    targets: [{ count: 'cpuUs', least: 0.85 }],
    lack: lackOfPostgres,
    measure: (scene) => withPostgres((distant) => measure(scene, distant, { limit: PAGE })),
  },
];

/** What is requested: one memory, or a page. */
type OfMemories = Exclude<Wanted, { readonly best: number }>;

async function measure(scene: Scene, distant: Distant, wanted: OfMemories): Promise<Samples> {
  const request = asking(distant, targetOf(wanted));
  // A cached response takes one statement instead of two, so the statements that both servers run
  // are compared.
  const program = uncached({ path: distant.primary });
  const expected = await askOnce(program, request);
  const note = join(scene.folder, 'bare.json');
  const programs = [bareOn(distant, wanted, { expected, note }), program];
  const contestants = programs.map((each) => ({ ...each, request }));
  return runRounds(contestants, { pace: scene.pace, connections: LOADED_BY, expected });
}

/** The bare handler that runs the gateway's statements: for the key, and for the request. */
function bareOn(
  { primary, account, key }: Distant,
  wanted: OfMemories,
  { expected, note }: { readonly expected: Answer; readonly note: string },
): Program {
  const isPage = 'limit' in wanted;
  const sent = {
    address: primary,
    connections: POOL,
    statements: [
      statement(apiKey, { key_sha256: hashApiKey(key) }),
      isPage
        ? pageOf(account, wanted.limit)
        : statement(reads.memory.body, { account_id: account, id: wanted.memory_id, known: '' }),
    ],
    isPage,
    most: isPage ? wanted.limit : 1,
    head: sentBy(expected),
  };
  writeFileSync(note, JSON.stringify(sent));
  return {
    name: 'bare node:http and pg',
    args: (port) => [pathTo('barepg.cjs'), String(port), note],
  };
}

/** A page, and one memory more, which shows whether another page follows. */
function pageOf(account_id: string, most: number) {
  const range = { account_id, order: 'desc', projection: 'body', limit: most + 1 } as const;
  const shape = { ...range, byState: false, bySearch: false };
  const values = {
    ...boundValues(boundsOf(range)),
    account_id,
    is_processing: 0,
    limit: range.limit,
  };
  return statement(listOf(shape), { ...values, maxBytes: BATCH_BYTES, ...NOTHING });
}

/** A statement in the format of pg. */
function statement<Values, Row>(query: NamedQuery<Values, Row>, values: Values) {
  const { name, text, parameters } = prepare(query)();
  return { name, text, values: parameters(values) };
}

/** The address of a server, and the values for requests. */
interface Distant extends Pick<Data, 'key' | 'account'> {
  readonly primary: string;
  /** The id of a memory. */
  readonly id: string;
}

/** The reason why PostgreSQL cannot be measured here, if any. */
function lackOfPostgres(): string | undefined {
  if (hasPostgres) return undefined;
  return 'PostgreSQL 15 is not on this machine. On Debian: apt-get install postgresql-15';
}

/** Runs a function with a new server, and always stops it. */
async function withPostgres<T>(work: (distant: Distant) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'memory-gateway-bench-'));
  try {
    const server = await startPrimary(join(folder, 'primary'));
    try {
      const primary = server.address('postgres');
      return await work({ ...(await fill(primary)), primary });
    } finally {
      await server.stop('immediate');
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function fill(address: string): Promise<Omit<Distant, 'primary'>> {
  const [made] = generate({ accounts: 1, memories: MEMORIES, size: SIZE, random: 1 });
  const account = {
    id: '',
    name: '',
    count: MEMORIES,
    ...made,
    memories: [...(made?.memories ?? [])],
  };
  return withSeedDatabase(address, [account], async (writer) => {
    await writeMemories(writer, [account]);
    const given = { account_id: account.id, label: 'bench', expires_at: null };
    const { key } = await writer.keys.create(given);
    return { account: account.id, key, id: account.memories[0]?.id ?? '' };
  });
}
