// A database with every kind of content, and all responses that two servers give from it.

import type { TestContext } from 'node:test';

import { toStored } from '../../../src/embeddings/numbers.ts';
import { prepareMemory } from '../../../src/store/import/memory-row.ts';
import { NO_SCOPE, type Scope } from '../../../src/store/scope.ts';
import type { WatchedFile } from '../../../src/store/sources/watched-files.ts';
import type { FileWriter } from '../../../src/store/sqlite/writer.ts';
import type { Engine } from '../engines/engine.ts';
import { issued, newFolder } from './artifacts.ts';
import { fullDetails } from './details.ts';
import { createServerOn } from './server-in-process.ts';
import { memories, memory } from './world.ts';

/** A database to copy. */
export interface Original {
  readonly database: string;
  readonly writer: FileWriter;
  /** Keys in every state, of all accounts. */
  readonly keys: readonly string[];
}

/**
 * Creates a database with accounts, keys and memories of all kinds, including replaced and deleted
 * ones.
 */
export function createOriginal(t: TestContext, engine: Engine, count = 30): Original {
  const database = engine.create(t, newFolder());
  const writer = engine.write(t, database);
  const key = (account_id: string, expires_at: number | null = null, scope?: Scope) => {
    const label = `for ${account_id}`;
    const made = writer.keys.create({ account_id, label, expires_at, scope });
    return { ...made, key: issued(made.key) };
  };
  for (const id of ['ana', 'ben', 'cleo'])
    writer.accounts.create({ id, name: `Account ${id}`, created_by: 'command line' });
  writer.memories.putAll('ana', [...memories(count, 3000), ...ODD]);
  writer.memories.putAll('ben', memories(3));
  writer.memories.put('ana', memory({ id: 'm002', transcript: 'Mira: Said again, of milk.' }));
  writer.memories.delete('ana', 'm001');
  const detailed = memories(6, 3000).slice(4);
  writer.memories.putReady(detailed.map((each) => prepareMemory('ana', each, fullDetails())));
  writer.accounts.setDisabled('ben', true);
  const ofAna = { account_id: 'ana', name: 'limitless' };
  const { run } = writer.sources.start({ ...ofAna, kind: 'pull', settings: '{}' });
  writer.sourceMemories.track(ofAna, [{ memory_id: 'later', item_id: 'item 1' }]);
  writer.sources.keep(run, { ...NO_COUNTS, added: 1, state: '{"since":"2026-11-18"}' });
  writer.sources.end(run, { ...NO_COUNTS, added: 1, result: 'failed', error: 'It was late.' });
  const folder = { account_id: 'ana', name: 'folder:/srv/ana' };
  writer.sources.start({ ...folder, kind: 'watch', settings: '{"folder":"/srv/ana"}' });
  for (let i = 0; i < FILES; i++) writer.watchedFiles.put(folder, watchedFile(`${i}.vtt`));
  const kind = { account_id: 'ana', model: 'test', cut: 1 };
  for (const { id, body_sha256 } of writer.vectors.pending({ ...kind, after: 'm', limit: 3 }))
    writer.vectors.put({ ...kind, memory_id: id, body_sha256, ...toStored([VECTOR]) });
  engine.edit(
    database,
    `INSERT INTO searches VALUES ('ana', 'Milk “at home” 🐦', 'q=milk&person=Ben', 1763000000000)`,
  );
  engine.edit(
    database,
    `INSERT INTO bookmarks VALUES ('ana', 'm002', 0, 'Ask “Ben” 🐦', 1763000000000, '["Buy milk 🐦"]')`,
  );
  const revoked = key('ana');
  writer.keys.revoke(revoked.id);
  const keys = [key('ana'), key('ana', Date.now() - 1), revoked, key('ben'), key('cleo')];
  const scoped = SCOPES.map((scope) => key('ana', null, scope));
  return { database, writer, keys: [...keys, ...scoped].map((each) => each.key) };
}

/** For the summaries of odd memories, for the memories before them, and for those of a product with two tags. */
const SCOPES: readonly Scope[] = [
  {
    reads: 'summaries',
    started_after: Date.parse('2026-11-16T09:00:00.000Z'),
    started_before: null,
    source: null,
    tags: [],
  },
  {
    ...NO_SCOPE,
    started_after: Date.parse('0001-01-01T00:00:00.000Z'),
    started_before: Date.parse('2026-11-16T09:00:00.000Z'),
  },
  { ...NO_SCOPE, source: 'limitless', tags: ['work', 'Straße "9", 東京'] },
];

const VECTOR = [1, -2, 3, -4, 5, -6, 7, -8];

const NO_COUNTS = { added: 0, updated: 0, unchanged: 0, deleted: 0, rejected: 0 };

/** More files than a page of a copy has would take long. */
const FILES = 3;

function watchedFile(path: string): WatchedFile {
  const facts = {
    size: 42,
    modified_at: 1_763_000_000_000,
    marker: '1:2',
    read_at: 1_763_000_001_000,
  };
  return { path, ...facts, result: 'rejected', reason: 'it is empty' };
}

/** Memories whose text an engine might store differently from the other. */
const ODD = [
  memory({ id: 'nul', name: 'a\0b', transcript: 'Mira: \0 milk.' }),
  memory({ id: 'half', name: 'half \ud83d of one', transcript: 'Mira: \udc00' }),
  memory({
    id: 'emoji',
    name: '👩‍🚀 मिलन',
    transcript: 'Mira: 牛乳 und Milch.',
  }),
  memory({
    id: 'now',
    is_processing: true,
    summary: { quick_summary: '', key_takeaways: [] },
  }),
  memory({ id: '~', name: '', summary: { quick_summary: '\n', key_takeaways: [] } }),
  memory({ id: 'A', started_at: '0001-01-01T00:00:00.000Z', ended_at: '9999-12-31T23:59:59.999Z' }),
];

/** Removes the values that differ in every response. */
const OWN = new Set(['date', 'x-request-id']);

/** The number of pages to follow. */
const PAGES = 8;

const PATHS = [
  '/v1/memories',
  '/v1/memories?limit=7',
  '/v1/memories?limit=7&order=asc',
  '/v1/memories?limit=2&q=milk',
  '/v1/memories?fields=id,name&is_processing=true',
  '/v1/memories/m000',
  '/v1/memories/m001',
  '/v1/memories/m005/details',
  '/v1/memories/m005/original',
  '/v1/memories/nul',
  '/v1/memories/half?fields=transcript',
  '/v1/changes',
  '/v1/changes?limit=5',
];

/**
 * Sends every request with every key, and follows all links as the first server gave them. Returns
 * the responses.
 */
export async function answersOf(
  t: TestContext,
  { database, keys }: Pick<Original, 'database' | 'keys'>,
  links: ReadonlyMap<string, string> = new Map(),
) {
  const { port } = await createServerOn(t, database);
  const answers = new Map<string, { headers: [string, string][]; status: number; text: string }>();
  const next = new Map<string, string>();
  for (const key of keys)
    for (const first of PATHS)
      for (
        let [path, pages]: [string | undefined, number] = [first, 0];
        path && pages < PAGES;
        pages++
      ) {
        const name: string = `${key.slice(-4)} ${path}`;
        const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
          headers: { authorization: `Bearer ${key}`, 'accept-encoding': 'identity' },
        });
        const headers = [...answer.headers].filter(([header]) => !OWN.has(header));
        answers.set(name, { headers, status: answer.status, text: await answer.text() });
        const link = /<([^>]*)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
        path = links.get(name) ?? link;
        if (path !== undefined) next.set(name, path);
      }
  return { answers, links: next };
}
