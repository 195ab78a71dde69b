// Import: files and folders are uploaded and checked, then imported if the reader wants it.

import { useEffect } from 'preact/hooks';

import { PRODUCTS_FILE, type Products } from '../../../samples.ts';
import { countedMemories } from '../../format.ts';
import { FactList } from '../../parts/facts.tsx';
import { Link } from '../../parts/link.tsx';
import { Awaited, FailureNotice } from '../../parts/notice.tsx';
import { useResource } from '../../state/resource.ts';
import { loadFile, me } from '../../state/session.ts';
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
  return (
    <AccountPage title="Import">
      <FailureNotice failure={importFailure.value} />
      {now === undefined ? (
        <>
          <DropZone />
          <Exports />
        </>
      ) : (
        <Current />
      )}
    </AccountPage>
  );
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

function Current() {
  const { state, progress, problem, report } = current.value!;
  const isRunning = state.endsWith('ing');
  const share = state === 'uploading' ? uploaded.value : progress;
  const count = report === null ? 0 : report.added + report.updated;
  const offers = state === 'checked' && count > 0;
  const title =
    count > 0 || state !== 'checked'
      ? TITLES[state].replace('#', countedMemories(count))
      : 'Nothing to import';
  const unread = report?.rejected ?? 0;
  return (
    <section>
      <div role="status">
        <h2>
          {title}
          {unread > 0 && `, ${unread.toLocaleString('en')} cannot be read`}
        </h2>
      </div>
      {isRunning && <progress aria-label={title} value={share ?? undefined} />}
      {problem !== null && <p class="notice failure">{problem}</p>}
      {report !== null && <ImportReport report={report} isDone={state === 'done'} />}
      <p class="actions">
        {offers && (
          <button type="button" class="primary" onClick={() => void runImport()}>
            Import
          </button>
        )}
        {state === 'done' && (
          <Link to="" class="primary">
            See your memories
          </Link>
        )}
        <button type="button" onClick={() => void leaveImport()}>
          {state === 'importing' ? 'Stop' : isRunning || offers ? 'Cancel' : 'Choose other files'}
        </button>
      </p>
      {state === 'checked' && !offers && <Exports />}
    </section>
  );
}

/** With the number of memories in place of the sign. */
const TITLES = {
  uploading: 'Uploading',
  checking: 'Reading the files',
  checked: '# to import',
  importing: 'Importing #',
  done: '# imported',
  stopped: 'Stopped. What was imported stays.',
  failed: 'Not imported',
} as const;
