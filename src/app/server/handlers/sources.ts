// Handlers of sources: what an owner pulls from, set up in the app and run by the jobs of the program.

import type * as v from 'valibot';

import { Failure } from '../../../contract/failure.ts';
import { MINUTE_MS, toIsoTime, toJsonRecord, WEEK_MS } from '../../../lib/time.ts';
import type { AppStore } from '../../../store/app/app-store.ts';
import { isKilled, type SourceRecord } from '../../../store/sources/runs.ts';
import type { SourceEntry } from '../../contract/source-records.ts';
import { toTime } from '../app-json.ts';
import { requireWriting, type AppContext } from '../app-parts.ts';
import { DONE, type GroupOf } from '../call.ts';
import type { Sources } from '../imports.ts';
import { forOwner } from '../owner-words.ts';

type Entry = v.InferOutput<typeof SourceEntry>;

const NOT_FOUND = 'There is no source with this id in your account; reload the list.';
const SEVERAL_ACCOUNTS =
  'This gateway has several accounts, so an address in its own network needs its operator; ask for "serve --pull".';

/** The handlers of sources. */
export const sourceHandlers: GroupOf<'sources'> = {
  list: async ({ app, store, reader: { account_id } }) => {
    const sources = sourcesOf(app);
    const [pulls, runs] = [await store.pulls.list(account_id), await store.pulls.runs(account_id)];
    const runOf = new Map(runs.map((run) => [run.name, run]));
    const own = new Set(pulls.map(({ name }) => name));
    const toRun = (run: SourceRecord | undefined) => (run ? runToJson(run, sources) : null);
    const set = pulls.map(({ id, name, interval_ms, due_at }): Entry => ({
      id,
      kind: 'pull',
      name,
      every_minutes: interval_ms / MINUTE_MS,
      due_at: toTime(due_at),
      run: toRun(runOf.get(name)),
      unread: [],
    }));
    const others: Entry[] = [];
    for (const run of runs.filter(({ name }) => !own.has(name)))
      others.push({
        id: null,
        kind: run.kind,
        name: run.kind === 'watch' ? run.name.replace(/^folder:/, '') : run.name,
        every_minutes: run.interval_ms && Math.round(run.interval_ms / MINUTE_MS),
        due_at: null,
        run: toRun(run),
        unread: run.kind === 'watch' ? await unreadOf(store, run) : [],
      });
    return { output: { products: await sources.products(), sources: [...set, ...others] } };
  },

  save: async ({ app, store, reader: { account_id }, agent, input }) => {
    const sources = sourcesOf(app);
    const { every_minutes, ...wanted } = input;
    const { isPublic, needsKey, check, ...pull } = await sources.prepare({ ...wanted, account_id });
    // Accounts of other people must not reach what else runs in the network of the operator.
    if (!isPublic && (await store.accounts.count()).count > 1)
      throw new Failure(422, SEVERAL_ACCOUNTS);
    const known = await store.pulls.list(account_id);
    const isNew = !known.some(({ name }) => name === pull.name);
    if (isNew && needsKey && pull.sealed_key === undefined)
      throw new Failure(422, 'Enter the key of this product.');
    const isTried = isNew || wanted.key !== undefined;
    const unsure = isTried ? await check() : null;
    await store.pulls.save({ ...pull, account_id, agent, interval_ms: every_minutes * MINUTE_MS });
    sources.look();
    return { output: { unsure } };
  },

  run: async ({ app, store, reader: { account_id }, input: { id } }) => {
    const sources = sourcesOf(app);
    if (!(await store.pulls.setDue({ account_id, id }))) throw new Failure(404, NOT_FOUND);
    sources.look();
    return DONE;
  },

  remove: async ({ app, store, reader: { account_id }, agent, input: { id } }) => {
    sourcesOf(app);
    if (await store.pulls.remove({ account_id, id, agent })) return DONE;
    throw new Failure(404, NOT_FOUND);
  },
};

function sourcesOf(app: AppContext): Sources {
  return requireWriting(app, 'sources', 'pull');
}

/** Lists the files that a watch could not read in this run or in the last week, because a watch may start often. */
async function unreadOf(
  store: AppStore,
  { account_id, name, started_at }: SourceRecord,
): Promise<Entry['unread']> {
  const since = Math.min(started_at, Date.now() - WEEK_MS);
  const files = await store.pulls.unread({ account_id, name }, since);
  return files.map(({ path, reason }) =>
    forOwner(reason?.startsWith(path) ? reason : `${path}: ${reason}`),
  );
}

function runToJson(run: SourceRecord, { backTo }: Sources): NonNullable<Entry['run']> {
  return {
    ...toJsonRecord(run),
    problem: problemOf(run),
    back_to: toIsoTime(backTo(run.state) ?? null),
  };
}

/** Says what went wrong with a run, and what to do. A run that goes on has the error of the one before. */
function problemOf(run: SourceRecord): string | null {
  if (isKilled(run)) return run.kind === 'watch' ? WATCH_KILLED : PULL_KILLED;
  return run.result === 'ok' || run.result === null ? null : run.error;
}

const WATCH_KILLED =
  'Nothing has looked at this folder since then; start the gateway or its watcher again.';
const PULL_KILLED = 'This run was broken off; the next one continues where it was.';
