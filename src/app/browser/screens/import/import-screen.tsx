// Import: files and folders are uploaded and checked, then imported if the reader wants it.

import { useRef } from 'preact/hooks';

import { Link } from '../../parts/link.tsx';
import { FailureNotice } from '../../parts/notice.tsx';
import { useArrival } from '../../state/router.ts';
import { bringIn, current, importFailure, leaveImport, runImport, uploaded } from './bring-in.ts';
import { filesOf, readDropped } from './chosen-files.ts';
import { ImportReport } from './report.tsx';

/** The screen. */
export function ImportScreen() {
  useArrival(true, 'Import');
  const now = current.value;
  return (
    <div class="settings">
      <h1 tabIndex={-1}>Import</h1>
      <FailureNotice failure={importFailure.value} />
      {now === undefined ? <Choose /> : <Current />}
    </div>
  );
}

function Choose() {
  const input = useRef<HTMLInputElement>(null);
  const chooseFolder = () => {
    if (input.current === null) return;
    input.current.webkitdirectory = true;
    input.current.click();
    input.current.webkitdirectory = false;
  };
  return (
    <section class="drop" onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      <p>
        Drop your export here: files, folders or zip archives. You see what is in it before anything
        is imported.
      </p>
      <p class="actions">
        <label>
          Choose files{' '}
          <input
            ref={input}
            type="file"
            multiple
            onChange={(event) => void bringIn(filesOf(event.currentTarget.files))}
          />
        </label>
        <button type="button" onClick={chooseFolder}>
          Choose a folder
        </button>
      </p>
    </section>
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
          {state === 'importing' ? 'Stop' : isRunning ? 'Cancel' : 'Import more'}
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
