// Import: files and folders are uploaded and checked, then imported if the reader wants it.

import { useRef } from 'preact/hooks';

import { EXPORTS_FILE } from '../../../samples.ts';
import { FactList } from '../../parts/facts.tsx';
import { Link } from '../../parts/link.tsx';
import { Awaited, FailureNotice } from '../../parts/notice.tsx';
import { useResource } from '../../state/resource.ts';
import { loadFile, me } from '../../state/session.ts';
import { AccountPage, ReadOnlyScreen } from '../settings/settings.tsx';
import { bringIn, current, importFailure, leaveImport, runImport, uploaded } from './bring-in.ts';
import { filesOf, readDropped } from './chosen-files.ts';
import { ImportReport } from './report.tsx';

/** The screen. */
export function ImportScreen() {
  return me.value?.can_import === true ? <OwnImport /> : <ReadOnlyScreen title="Import" />;
}

function OwnImport() {
  const now = current.value;
  return (
    <AccountPage title="Import">
      <FailureNotice failure={importFailure.value} />
      {now === undefined ? <Choose /> : <Current />}
    </AccountPage>
  );
}

async function loadExports(): Promise<Record<string, string>> {
  return (await loadFile(EXPORTS_FILE)).json();
}

function Choose() {
  const exports = useResource('exports', loadExports, true);
  const input = useRef<HTMLInputElement>(null);
  const choose = (isFolder: boolean) => {
    if (input.current === null) return;
    input.current.webkitdirectory = isFolder;
    input.current.click();
  };
  return (
    <>
      <section class="drop" onDragOver={(event) => event.preventDefault()} onDrop={drop}>
        <h2>Drop your export here</h2>
        <p class="note">
          Files, folders or zip archives. You see what is in them before anything is imported.
        </p>
        <p class="actions">
          <button type="button" class="primary" onClick={() => choose(false)}>
            Choose files
          </button>
          <button type="button" onClick={() => choose(true)}>
            Choose a folder
          </button>
        </p>
        <input
          ref={input}
          type="file"
          tabIndex={-1}
          aria-label="Files to import"
          multiple
          onChange={(event) => void bringIn(filesOf(event.currentTarget.files))}
        />
      </section>
      <section>
        <h2>How to get an export</h2>
        <Awaited {...exports} />
        {exports.data !== undefined && <FactList facts={exports.data} />}
      </section>
    </>
  );
}

function Current() {
  const { state, progress, problem, report } = current.value!;
  const isRunning = state.endsWith('ing');
  const share = state === 'uploading' ? uploaded.value : progress;
  return (
    <section>
      <div role="status">
        <h2>{TITLES[state]}</h2>
      </div>
      {isRunning && <progress aria-label={TITLES[state]} value={share ?? undefined} />}
      {problem !== null && <p class="notice failure">{problem}</p>}
      {report !== null && <ImportReport report={report} isDone={state !== 'checked'} />}
      <p class="actions">
        {state === 'checked' && (
          <button type="button" class="primary" onClick={() => void runImport()}>
            Import
          </button>
        )}
        {state === 'done' && <Link to="">See your memories</Link>}
        <button type="button" onClick={() => void leaveImport()}>
          {state === 'importing'
            ? 'Stop'
            : isRunning || state === 'checked'
              ? 'Cancel'
              : 'Import more'}
        </button>
      </p>
    </section>
  );
}

const TITLES = {
  uploading: 'Uploading',
  checking: 'Reading the files',
  checked: 'What is in the files',
  importing: 'Importing',
  done: 'Imported',
  stopped: 'Stopped. What was imported stays.',
  failed: 'Not imported',
} as const;

async function drop(event: DragEvent): Promise<void> {
  event.preventDefault();
  if (event.dataTransfer !== null) await bringIn(await readDropped(event.dataTransfer));
}
