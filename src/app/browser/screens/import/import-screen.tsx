// Import: files and folders are uploaded and checked, then imported if the reader wants it.

import { useEffect } from 'preact/hooks';

import { counted, countedMemories } from '../../format.ts';
import { useAction } from '../../parts/controls/action.ts';
import { Link } from '../../parts/link.tsx';
import { Awaited, FailureNotice } from '../../parts/notice.tsx';
import { namedOrCounted } from '../../state/changes/deletions.ts';
import { tellFailure } from '../../state/changes/undo.ts';
import { loadProducts } from '../../state/products.ts';
import { useResource } from '../../state/resource.ts';
import { go } from '../../state/router.ts';
import { me } from '../../state/session.ts';
import { formats } from '../../time-formats.ts';
import { bringBack } from '../settings/bin.tsx';
import { AccountPage, ReadOnlyScreen } from '../settings/settings.tsx';
import {
  clearShown,
  current,
  importFailure,
  leaveImport,
  noteLeft,
  forgetImport,
  resumeImport,
  runImport,
  uploaded,
} from './bring-in.ts';
import { DropZone } from './drop-zone.tsx';
import { ImportReport } from './report.tsx';

/** The screen. */
export function ImportScreen() {
  return me.value?.can_import ? <OwnImport /> : <ReadOnlyScreen title="Import" />;
}

function OwnImport() {
  const now = current.value;
  useEffect(() => {
    clearShown();
    void resumeImport();
    return () => {
      if (isOver(current.value)) noteLeft(current.value);
    };
  }, []);
  const hasEnded = isOver(now);
  useEffect(() => {
    if (hasEnded) forgetImport();
  }, [hasEnded]);
  // What came to nothing makes way for other files.
  const isOpen = now === undefined || !(isRunning(now) || offers(now) || isThere(now));
  return (
    <AccountPage title="Import">
      <FailureNotice failure={importFailure.value} />
      {now && <Import {...now} />}
      {isOpen && <DropZone />}
      {isOpen && <Exports />}
    </AccountPage>
  );
}

type State = NonNullable<typeof current.value>;
type Report = NonNullable<State['report']>;

function isRunning({ state }: State): boolean {
  return state.endsWith('ing');
}

/** Whether nothing is left to wait for or to decide. */
function isOver(now: State | undefined): now is State {
  return now !== undefined && !isRunning(now) && !offers(now);
}

/** Whether files were checked, and can be imported. */
function offers({ state, report }: State): boolean {
  return state === 'checked' && countOf(report) > 0;
}

/** Whether what the files have is imported, now or before. */
function isThere({ state, report }: State): boolean {
  const isKnown = state === 'checked' && countOf(report) === 0 && (report?.unchanged ?? 0) > 0;
  return state === 'done' || isKnown;
}

function countOf(report: State['report']): number {
  return report === null ? 0 : report.added + report.updated;
}

function Exports() {
  const exports = useResource('products', loadProducts, true);
  return (
    <section>
      <h2>How to get an export</h2>
      <Awaited {...exports} />
      <div class="exports">
        {Object.entries(exports.data?.exports ?? {}).map(([product, how]) => (
          <details key={product} name="export">
            <summary>{product}</summary>
            <p>{how}</p>
          </details>
        ))}
      </div>
    </section>
  );
}

function Import(now: State) {
  const { state, progress, problem, report } = now;
  const share = state === 'uploading' ? uploaded.value : progress;
  const isOffered = offers(now);
  const isDone = isThere(now);
  const title = titleOf(now);
  const leftOut = report?.left_out ?? 0;
  const skipped = report?.files_skipped ?? 0;
  const without = [
    [countOf(report) > 0 ? (report?.unchanged ?? 0) : 0, 'known already'],
    [isDone || isOffered ? (report?.in_bin.length ?? 0) : 0, 'in the bin'],
    [(report?.rejected ?? 0) - leftOut, 'cannot be read'],
    [leftOut, 'left out'],
    [skipped, skipped === 1 ? 'file skipped' : 'files skipped'],
  ] as const;
  return (
    <section>
      <div role="status">
        <h2>
          {title}
          {without.map(([count, what]) => count > 0 && `, ${count.toLocaleString('en')} ${what}`)}
        </h2>
      </div>
      {isRunning(now) && <progress aria-label={title} value={share ?? undefined} />}
      {problem !== null && <p class="notice failure">{problem}</p>}
      {/* At one place from the check to the end, so that nothing else comes under the pointer. */}
      <p class="actions">
        {(isOffered || state === 'importing') && (
          <button
            type="button"
            class="primary"
            disabled={!isOffered}
            onClick={() => void runImport()}
          >
            Import
          </button>
        )}
        {isDone && report !== null && <Imported {...report} />}
        {(isDone || (state === 'checked' && !isOffered)) && report !== null && (
          <RestoreButton some={report.in_bin} class={isDone ? '' : 'primary'} />
        )}
        <button type="button" onClick={() => void leaveImport()}>
          {state === 'importing'
            ? 'Stop'
            : isDone
              ? 'Import more'
              : isRunning(now) || isOffered
                ? 'Cancel'
                : 'Hide this'}
        </button>
        {isRunning(now) && share !== null && <span class="note">{Math.floor(share * 100)} %</span>}
      </p>
      {report !== null && <ImportReport report={report} isDone={isDone} />}
    </section>
  );
}

/** Returns what is under way or was done, with the numbers of new and changed memories. */
function titleOf(now: State): string {
  const { state, report } = now;
  if (state === 'checking') return `Reading ${counted(now.files, 'file')}`;
  if (state !== 'checked' && state !== 'done')
    return TITLES[state].replace('#', countedMemories(countOf(report)));
  const { added = 0, updated = 0, unchanged = 0, in_bin: inBin = [] } = report ?? {};
  const [imported, changed] =
    state === 'done' ? ['imported', 'updated'] : ['to import', 'to update'];
  if (added + updated === 0)
    return unchanged > 0
      ? `You have ${unchanged > 1 ? `all ${unchanged.toLocaleString('en')}` : 'it'} already`
      : inBin.length > 0
        ? `${namedOrCounted(inBin)} ${inBin.length > 1 ? 'are' : 'is'} in the bin`
        : 'Nothing to import';
  if (updated === 0) return `${countedMemories(added)} ${imported}`;
  if (added === 0) return `${countedMemories(updated)} ${changed}`;
  return `${countedMemories(added)} ${imported}, ${updated.toLocaleString('en')} ${changed}`;
}

interface RestoreProps {
  readonly some: Report['in_bin'];
  readonly class: string;
}

/** Brings back what the files have and the bin has, and shows it. */
function RestoreButton({ some, class: own }: RestoreProps) {
  const restoring = useAction(tellFailure);
  const [one, other] = some;
  const run = async () => {
    await bringBack(some);
    await leaveImport();
    go(one && !other ? `m/${one.id}` : '');
  };
  return (
    one && (
      <button
        type="button"
        class={own}
        disabled={restoring.isBusy}
        onClick={() => void restoring.run(run)}
      >
        Restore {other && `${some.length.toLocaleString('en')} `}from the bin
      </button>
    )
  );
}

/** A link to what was imported: the memory, its day, or all memories. */
function Imported({ memories: [one, other], first_started_at, last_started_at }: Report) {
  const [day, lastDay] = [first_started_at, last_started_at].map(
    (time) => time && formats.value.dayOf(time),
  );
  const [to, text] =
    one && !other
      ? [`m/${one.id}`, 'Open it']
      : day && day === lastDay
        ? [`days/${day}`, 'See this day']
        : ['', 'See your memories'];
  return (
    <Link to={to} class="primary">
      {text}
    </Link>
  );
}

/** With the number of memories in place of the sign. */
const TITLES = {
  uploading: 'Uploading',
  importing: 'Importing #',
  stopped: 'Stopped. What was imported stays.',
  failed: 'Not imported',
} as const;
