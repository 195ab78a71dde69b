// Settings → Sources: what the gateway imports by itself, how the last run went, and the key of each product.

import { useEffect, useState } from 'preact/hooks';
import type { InferOutput } from 'valibot';

import type { SourceEntry, SourceRun } from '../../../../contract/source-records.ts';
import { counted } from '../../../format.ts';
import { CopyText } from '../../../parts/controls/copy.tsx';
import { Link } from '../../../parts/link.tsx';
import { Notice } from '../../../parts/notice.tsx';
import { useResource } from '../../../state/resource.ts';
import { app, me } from '../../../state/session.ts';
import { formats } from '../../../time-formats.ts';
import { type ActionsOf, Items } from '../rows.tsx';
import { ReadOnlyScreen, SettingsScreen } from '../settings.tsx';
import {
  intervalText,
  productOf,
  SourceForm,
  titleOf,
  type SourceFormProps,
} from './source-form.tsx';

type Entry = InferOutput<typeof SourceEntry>;
type Run = InferOutput<typeof SourceRun>;
type Product = SourceFormProps['product'];

/** How often the page looks at a run, and after how long without a sign of life it counts as killed. */
const [LOOK_EVERY_MS, ALIVE_MS] = [2000, 120_000];

/** How long a run may take to start: meanwhile it is no longer due, and nothing of it is recorded. */
const START_MS = 30_000;

/** The screen of the sources. */
export function SourcesScreen() {
  return me.value?.can_import ? <OwnSources /> : <ReadOnlyScreen title="Sources" />;
}

function OwnSources() {
  const loaded = useResource('sources', app.sources.list);
  const { data: list, reload } = loaded;
  const [open, setOpen] = useState<Pick<SourceFormProps, 'product' | 'source'>>();
  const [unsure, setUnsure] = useState<string | null>(null);
  const [changedAt, setChangedAt] = useState(Date.now);
  const change = () => {
    setChangedAt(Date.now());
    reload();
  };
  const close = () => {
    setOpen(undefined);
    change();
  };
  const { products = [] } = list ?? {};
  const actionsOf: ActionsOf<Entry> = (source) => {
    const { id, run } = source;
    if (id === null) return {};
    const product = productOf(products, source);
    return {
      'Sync now': isSyncing(source) ? undefined : () => app.sources.run({ id }),
      ...(product && { Change: () => setOpen({ product, source }) }),
      Remove: {
        title: `Remove “${titleOf(products, source)}”?`,
        text: `Its key is deleted here. ${counted(run?.added ?? 0, 'memory', 'memories')} of its last run and all earlier ones stay.`,
        run: () => app.sources.remove({ id }),
      },
    };
  };
  const isBusy =
    Date.now() - changedAt < START_MS ||
    list?.sources.some((source) => isDue(source) || isSyncing(source)) === true;
  useEffect(() => {
    if (!isBusy) return undefined;
    const timer = setInterval(reload, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [isBusy]);
  return (
    <SettingsScreen title="Sources" loaded={[loaded]}>
      <p>
        This gateway looks for new recordings of these by itself. To bring in files,{' '}
        <Link to="import">import</Link> them.
      </p>
      {unsure !== null && <Notice>{unsure}</Notice>}
      <Items
        loaded={{ ...loaded, data: list?.sources, reload: change }}
        none="No sources yet. Add one, and what is new in it comes by itself."
        tell={(source) => ({
          title: titleOf(products, source),
          facts: factsOf(source),
          problem: source.run?.problem,
          more: source.kind === 'watch' && (
            <>
              <CopyText label="Put exports here" text={source.name} isLong />
              {source.unread.length > 0 && (
                <details>
                  <summary>What was not read</summary>
                  <ul class="plain-list">
                    {source.unread.map((file) => (
                      <li key={file}>{file}</li>
                    ))}
                  </ul>
                </details>
              )}
            </>
          ),
        })}
        actionsOf={actionsOf}
      />
      {list !== undefined && (
        <section>
          <h2>Add a source</h2>
          <ul class="tiles">
            {products.toSorted(ownLast).map((product) => (
              <li key={product.name}>
                <button
                  type="button"
                  disabled={me.value?.can_write === false}
                  onClick={() => setOpen({ product })}
                >
                  {product.title}
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      {open !== undefined && <SourceForm {...open} onSaved={setUnsure} onClose={close} />}
    </SettingsScreen>
  );
}

/** Those that people host themselves are the rarest. */
function ownLast(a: Product, b: Product): number {
  return Number(a.needs_url) - Number(b.needs_url);
}

/** Returns what is known about a source, in parts of a sentence. */
function factsOf(source: Entry): string[] {
  const { id, kind, every_minutes, due_at, run } = source;
  const now = Date.now();
  const isWatched = kind === 'watch';
  const facts = isWatched || id !== null ? [] : ['not set up here'];
  if (!isWatched && every_minutes !== null) facts.push(intervalText(every_minutes));
  if (isSyncing(source)) facts.push('syncing now');
  else if (run === null) facts.push('not synced yet');
  else if (run.active_at !== null)
    facts.push(
      `${isWatched ? 'looked' : run.ended_at === null ? 'last at work' : 'last run'} ${formats.value.fromNow(run.active_at, now)}`,
    );
  if (run !== null) facts.push(...resultOf(run));
  if (due_at !== null && !isSyncing(source))
    facts.push(isDue(source) ? 'starts in a moment' : `next ${formats.value.fromNow(due_at, now)}`);
  return facts;
}

function resultOf(run: Run): string[] {
  const counts = [
    [run.added, 'new'],
    [run.updated, 'changed'],
    [run.deleted, 'deleted'],
    [run.rejected, 'not imported'],
  ] as const;
  const told = counts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${count.toLocaleString('en')} ${what}`);
  if (told.length === 0 && run.result === 'ok') told.push('nothing new');
  return [
    ...(told.length === 0 ? [] : [told.join(', ')]),
    ...(run.back_to === null ? [] : [`read back to ${formats.value.date(run.back_to)} so far`]),
    ...(run.result === 'failed' && run.succeeded_at !== null
      ? [`last worked ${formats.value.fromNow(run.succeeded_at, Date.now())}`]
      : []),
  ];
}

function isDue({ due_at }: Entry): boolean {
  return due_at !== null && Date.parse(due_at) <= Date.now();
}

/** Whether a pull is at work. One that was killed shows no sign of life. */
function isSyncing({ kind, run }: Entry): boolean {
  if (kind === 'watch' || run === null || run.ended_at !== null) return false;
  return Date.now() - Date.parse(run.active_at ?? '') < ALIVE_MS;
}
