// Settings → Sources: what the gateway imports by itself, how the last run went, and the key of each product.

import { useEffect, useState } from 'preact/hooks';
import type { InferOutput } from 'valibot';

import type { SourceEntry, SourceList, SourceRun } from '../../../../contract/source-records.ts';
import { counted } from '../../../format.ts';
import { useAction } from '../../../parts/controls/action.ts';
import { Question } from '../../../parts/controls/dialog.tsx';
import { Awaited, FailureNotice } from '../../../parts/notice.tsx';
import { useResource } from '../../../state/resource.ts';
import { app, me } from '../../../state/session.ts';
import { formats } from '../../../time-formats.ts';
import { ReadOnlyScreen, SettingsScreen } from '../settings.tsx';
import { intervalText, productOf, SourceForm, titleOf } from './source-form.tsx';

type Entry = InferOutput<typeof SourceEntry>;
type Run = InferOutput<typeof SourceRun>;

/** How often the page looks at a run, and after how long without a sign of life it counts as killed. */
const [LOOK_EVERY_MS, ALIVE_MS] = [2000, 120_000];

/** How long a run may take to start: meanwhile it is no longer due, and nothing of it is recorded. */
const START_MS = 30_000;

/** What is open over the screen: the form of a source or of a new one, or the question whether to remove one. */
type Open =
  | { readonly what: 'form'; readonly source?: Entry }
  | { readonly what: 'remove'; readonly source: Entry };

/** The screen of the sources. */
export function SourcesScreen() {
  return me.value?.can_import === true ? <OwnSources /> : <ReadOnlyScreen title="Sources" />;
}

function OwnSources() {
  const loaded = useResource('sources', app.sources.list);
  const { data: list, reload } = loaded;
  const [open, setOpen] = useState<Open>();
  const [changedAt, setChangedAt] = useState(Date.now);
  const change = () => {
    setChangedAt(Date.now());
    reload();
  };
  const close = () => {
    setOpen(undefined);
    change();
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
    <SettingsScreen title="Sources" isReady={list !== undefined}>
      <p class="note">
        Products and folders that this gateway imports from by itself. A product's key is stored
        encrypted and never shown again.
      </p>
      <p class="actions">
        <button
          type="button"
          class="primary"
          disabled={list === undefined || me.value?.can_write === false}
          onClick={() => setOpen({ what: 'form' })}
        >
          Add a source
        </button>
      </p>
      <Awaited {...loaded} rows={3} />
      {list?.sources.length === 0 && <p>No sources yet.</p>}
      {list !== undefined && <Sources list={list} onOpen={setOpen} onChange={change} />}
      {list !== undefined && open?.what === 'form' && (
        <SourceForm products={list.products} source={open.source} onClose={close} />
      )}
      {list !== undefined && open?.what === 'remove' && (
        <Remove source={open.source} title={titleOf(list.products, open.source)} onClose={close} />
      )}
    </SettingsScreen>
  );
}

interface SourcesProps {
  readonly list: InferOutput<typeof SourceList>;
  readonly onOpen: (open: Open) => void;
  readonly onChange: () => void;
}

function Sources({ list: { products, sources }, onOpen, onChange }: SourcesProps) {
  const syncing = useAction();
  const sync = (id: string) =>
    syncing.run(async () => {
      await app.sources.run({ id });
      onChange();
    });
  return (
    <>
      <FailureNotice failure={syncing.failure} />
      <ul class="items">
        {sources.map((source) => {
          const { id, name, run } = source;
          const button = (text: string, press: () => void, isOff = false) => (
            <button
              type="button"
              disabled={isOff || me.value?.can_write === false}
              aria-describedby={`source-${name}`}
              onClick={press}
            >
              {text}
            </button>
          );
          return (
            <li key={name}>
              <div>
                <b id={`source-${name}`}>{titleOf(products, source)}</b>
                <p class="note">{factsOf(source).join(' · ')}</p>
                {run?.problem != null && <p class="notice failure">{run.problem}</p>}
              </div>
              {id !== null && (
                <p class="actions">
                  {button('Sync now', () => void sync(id), isSyncing(source))}
                  {productOf(products, source) &&
                    button('Change', () => onOpen({ what: 'form', source }))}
                  {button('Remove', () => onOpen({ what: 'remove', source }))}
                </p>
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}

/** Returns what is known about a source, in parts of a sentence. */
function factsOf(source: Entry): string[] {
  const { id, kind, every_minutes, due_at, run } = source;
  const now = Date.now();
  const isWatched = kind === 'watch';
  const facts = isWatched ? ['watched folder'] : id === null ? ['not set up here'] : [];
  if (!isWatched && every_minutes !== null) facts.push(intervalText(every_minutes));
  if (isSyncing(source)) facts.push('syncing now');
  else if (run === null) facts.push('not synced yet');
  else if (run.ended_at !== null)
    facts.push(`last run ${formats.value.fromNow(run.ended_at, now)}`);
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
    [run.rejected, 'not readable'],
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

interface RemoveProps {
  readonly source: Entry;
  readonly title: string;
  readonly onClose: () => void;
}

function Remove({ source: { id, run }, title, onClose }: RemoveProps) {
  const remove = async () => {
    if (id !== null) await app.sources.remove({ id });
  };
  return (
    <Question
      title={`Remove “${title}”?`}
      action="Remove"
      isDangerous
      onAction={remove}
      onClose={onClose}
    >
      <p>
        Its key is deleted here. {counted(run?.added ?? 0, 'memory', 'memories')} of its last run
        and all earlier ones stay.
      </p>
    </Question>
  );
}
