// Import: files and folders are uploaded and checked, then imported if the reader wants it.

import { useEffect } from 'preact/hooks';

import { PRODUCTS_FILE, type Products } from '../../../samples.ts';
import { countedMemories } from '../../format.ts';
import { FactList } from '../../parts/facts.tsx';
import { Link } from '../../parts/link.tsx';
import { Awaited, FailureNotice } from '../../parts/notice.tsx';
import { useResource } from '../../state/resource.ts';
import { loadFile, me } from '../../state/session.ts';
import { formats, today } from '../../time-formats.ts';
import { AccountPage, ReadOnlyScreen } from '../settings/settings.tsx';
import {
  current,
  importFailure,
  leaveImport,
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
  useEffect(() => void resumeImport(), []);
  // What has ended makes way for files.
  const isOver = now === undefined || !(isRunning(now) || offers(now));
  return (
    <AccountPage title="Import">
      <FailureNotice failure={importFailure.value} />
      {isOver && <DropZone />}
      {now && <Import {...now} />}
      {isOver && <Exports />}
    </AccountPage>
  );
}

type State = NonNullable<typeof current.value>;
type Report = NonNullable<State['report']>;

function isRunning({ state }: State): boolean {
  return state.endsWith('ing');
}

/** Whether files were checked, and can be imported. */
function offers({ state, report }: State): boolean {
  return state === 'checked' && countOf(report) > 0;
}

function countOf(report: State['report']): number {
  return report === null ? 0 : report.added + report.updated;
}

/** Loads the texts about products. Rejects with `Failure`. */
export async function loadProducts(): Promise<Products> {
  return (await loadFile(PRODUCTS_FILE)).json();
}

function Exports() {
  const exports = useResource('products', loadProducts, true);
  return (
    <section class="exports">
      <h2>How to get an export</h2>
      <Awaited {...exports} />
      {exports.data !== undefined && <FactList facts={exports.data.exports} />}
    </section>
  );
}

function Import(now: State) {
  const { state, progress, problem, report, ended_at } = now;
  const share = state === 'uploading' ? uploaded.value : progress;
  const isOffered = offers(now);
  const title =
    isOffered || state !== 'checked'
      ? TITLES[state].replace('#', countedMemories(countOf(report)))
      : report?.unchanged
        ? 'You have it already'
        : 'Nothing to import';
  const leftOut = report?.left_out ?? 0;
  const without = [
    [(report?.rejected ?? 0) - leftOut, 'cannot be read'],
    [leftOut, 'left out'],
  ] as const;
  return (
    <section>
      <div role="status">
        <h2>
          {title.replace('@', whenOf(ended_at))}
          {without.map(([count, what]) => count > 0 && `, ${count.toLocaleString('en')} ${what}`)}
        </h2>
      </div>
      {isRunning(now) && <progress aria-label={title} value={share ?? undefined} />}
      {problem !== null && <p class="notice failure">{problem}</p>}
      {report !== null && <ImportReport report={report} isDone={state === 'done'} />}
      <p class="actions">
        {isOffered && (
          <button type="button" class="primary" onClick={() => void runImport()}>
            Import
          </button>
        )}
        {state === 'done' && report !== null && <Imported {...report} />}
        <button type="button" onClick={() => void leaveImport()}>
          {state === 'importing' ? 'Stop' : isRunning(now) || isOffered ? 'Cancel' : 'Close'}
        </button>
      </p>
    </section>
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

/** Returns when an import has ended. It is known for a day. */
function whenOf(time: string | null): string {
  if (time === null) return '';
  const { dayOf, moment, time: clock } = formats.value;
  return dayOf(time) === today() ? ` today at ${clock(time)}` : ` on ${moment(time)}`;
}

/** With the number of memories and the end in place of the signs. */
const TITLES = {
  uploading: 'Uploading',
  checking: 'Reading the files',
  checked: '# to import',
  importing: 'Importing #',
  done: '# imported@',
  stopped: 'Stopped@. What was imported stays.',
  failed: 'Not imported@',
} as const;
