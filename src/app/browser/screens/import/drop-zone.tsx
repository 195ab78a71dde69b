// Where files and folders are dropped or chosen, to be imported.

import { useRef } from 'preact/hooks';

import { go, place } from '../../state/router.ts';
import { bringIn, type Chosen } from './bring-in.ts';
import { filesOf, readDropped } from './chosen-files.ts';

/** The zone, and buttons for those who do not drop. The import page shows what becomes of the files. */
export function DropZone() {
  const input = useRef<HTMLInputElement>(null);
  const choose = (isFolder: boolean) => {
    if (input.current === null) return;
    input.current.webkitdirectory = isFolder;
    input.current.click();
  };
  return (
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
        onChange={(event) => bring(filesOf(event.currentTarget.files))}
      />
    </section>
  );
}

function drop(event: DragEvent): void {
  event.preventDefault();
  if (event.dataTransfer !== null) bring(readDropped(event.dataTransfer));
}

function bring(chosen: Chosen): void {
  if (place.value.path !== 'import') go('import');
  void bringIn(chosen);
}
