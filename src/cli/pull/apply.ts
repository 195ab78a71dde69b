// Writes a page of a source: notes whose memories they are, writes the memories, deletes, and stores the state.

import { NO_TRANSCRIPT_YET } from '../../formats/outcome.ts';
import type { PulledItem } from '../../sources/items.ts';
import type { PulledPage } from '../../sources/page.ts';
import type { Source } from '../../sources/source.ts';
import type { Engine, Import, Writer } from '../../store/engine.ts';
import type { RunCounts, SourceKey, SourceRun } from '../../store/sources/runs.ts';
import { runImport, type ImportRun } from '../import/run-import.ts';
import type { SourceFile } from '../import/sources.ts';
import { countRejected, countSkipped, type RejectedItem, type Tally } from '../import/tally.ts';

/** A pull in progress. */
export interface Pulling {
  readonly engine: Engine;
  readonly source: Source;
  readonly key: SourceKey;
  readonly isDry: boolean;
  /** Whether what was deleted at the source is deleted here. */
  readonly deletes: boolean;
  readonly tally: Tally;
  /** How many memories were deleted. */
  deleted: number;
  /** Memories whose items were deleted at the source, if this run does not delete them. */
  gone: readonly string[];
  /** How far back a list is read so far, in milliseconds since 1970. */
  backTo: number | undefined;
  /** The run, which changes with each page; undefined in a dry run. */
  run: SourceRun | undefined;
  readonly reading: Pick<ImportRun['reading'], 'local' | 'keepsEmails' | 'createPacker'>;
  readonly say: (line: string) => void;
  readonly onReject: (reject: RejectedItem) => void;
}

/**
 * Writes a page. The memories come first and the state last, so that a kill in between repeats the
 * page and loses nothing. `gone` are the items that were deleted at the source.
 */
export async function applyPage(
  pulling: Pulling,
  page: PulledPage,
  gone: readonly string[],
): Promise<void> {
  const { engine, isDry, key, deletes } = pulling;
  pulling.backTo = page.backTo ?? pulling.backTo;
  pulling.tally.unchanged += page.unchanged;
  for (let i = 0; i < page.unready; i++) countSkipped(pulling.tally, NO_TRANSCRIPT_YET, undefined);
  for (const { id, reason } of page.failed) {
    const reject = { file: id, reason };
    countRejected(pulling.tally, reject);
    pulling.onReject(reject);
  }
  await engine.withWriter(async (writer) => {
    if (pulling.run !== undefined) pulling.run = await writer.sources.step(pulling.run);
    await engine.withImport({ isDry, isAtomic: false }, async (into) => {
      await importItems(pulling, page, { writer, into });
      await into.commit();
    });
    const present = await writer.sourceMemories.present(key, gone);
    if (deletes) pulling.deleted += present.length;
    else pulling.gone = present;
    if (pulling.run === undefined) return;
    if (deletes && present.length > 0)
      await writer.erase({ account_id: key.account_id, ids: present });
    if (deletes) await writer.sourceMemories.untrack(key, gone);
    const state = JSON.stringify({ ...page.state, seen: Object.fromEntries(page.seen) });
    await writer.sources.keep(pulling.run, { ...countsOf(pulling), state });
  });
}

/** Returns what a pull has done so far. */
export function countsOf({ tally, deleted }: Pick<Pulling, 'tally' | 'deleted'>): RunCounts {
  const { added, updated, unchanged, rejected } = tally;
  return { added, updated, unchanged, deleted, rejected };
}

interface Connected {
  readonly writer: Writer;
  readonly into: Import;
}

async function importItems(
  pulling: Pulling,
  { items, seen }: PulledPage,
  { writer, into }: Connected,
): Promise<void> {
  const { key, source, tally, reading, isDry, say, onReject } = pulling;
  const itemOf = new Map<string, string>();
  let current = '';
  async function* files(): AsyncGenerator<SourceFile> {
    for (const item of items) {
      current = item.id;
      yield toFile(item, key.name);
    }
    current = ''; // memories of joined parts come after all items, with the ids of their items
  }
  const put: Import['put'] = async (arrivals) => {
    if (isDry) return into.put(arrivals);
    const notes = arrivals.map(({ memory: { id } }) => ({
      memory_id: id,
      item_id: itemOf.get(id) ?? id,
    }));
    const own = await writer.sourceMemories.track(key, notes);
    // The source may change what it added, also its start and its text.
    return into.put(
      arrivals.map((each) => (own.has(each.memory.id) ? { ...each, isNumbered: undefined } : each)),
    );
  };
  await runImport(files(), {
    into: { ...into, put },
    tally,
    reading: { ...reading, items: [source.format], texts: [], isRepeated: true },
    progress: { to: () => {}, say },
    ownerOf: ({ id }) => {
      if (current !== '') itemOf.set(id, current);
      return key.account_id;
    },
    onReject: (reject) => {
      seen.delete(reject.file); // so that the next run tries again
      onReject(reject);
    },
    onSkip: ({ file }, reason) => {
      if (reason === NO_TRANSCRIPT_YET) seen.delete(file);
    },
  });
}

function toFile({ id, text }: PulledItem, name: string): SourceFile {
  const bytes = new TextEncoder().encode(text);
  return {
    name: '',
    place: id || name,
    size: bytes.length,
    fullName: '',
    started_at: undefined,
    async *open() {
      yield bytes;
    },
  };
}
