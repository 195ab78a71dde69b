// Where files and folders are dropped or chosen, to be imported: a field for them, and every page of the app.

import { useRef } from 'preact/hooks';

import { go, place } from '../../state/router.ts';
import { me } from '../../state/session.ts';
import { bringIn, current, leaveImport, type Chosen } from './bring-in.ts';
import { filesOf, readDropped } from './chosen-files.ts';

/** The field, and buttons for those who do not drop. The import page shows what becomes of the files. */
export function DropZone() {
  const input = useRef<HTMLInputElement>(null);
  const choose = (isFolder: boolean) => {
    if (input.current === null) return;
    input.current.webkitdirectory = isFolder;
    input.current.click();
  };
  return (
    <section class="drop">
      <h2>
        {matchMedia('(hover: none)').matches ? 'Choose your export' : 'Drop your export here'}
      </h2>
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

function bring(chosen: Chosen): void {
  if (place.value.path !== 'import') go('import');
  // What was checked or is done is replaced. What is under way stays, and the page shows it.
  if (current.value?.state.endsWith('ing') !== true) void leaveImport();
  void bringIn(chosen);
}

/** Takes files that are held over any page and dropped there. Otherwise the browser would open them in place of the app. */
export function takeDrops(): void {
  const { dataset } = document.documentElement;
  const take = (event: DragEvent) => {
    const { dataTransfer, type } = event;
    if (!me.value?.can_import || !dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    // The page below a dialog waits for an answer.
    const isOpen = document.querySelector('dialog[open]') !== null;
    dataTransfer.dropEffect = isOpen ? 'none' : 'copy';
    const isHeld = type === 'dragover' && !isOpen;
    if (isHeld) dataset['drop'] = '';
    else delete dataset['drop'];
    if (type === 'drop' && !isOpen) bring(readDropped(dataTransfer));
  };
  addEventListener('dragover', take);
  addEventListener('drop', take);
  // From one element to the next it is followed by another dragover.
  addEventListener('dragleave', () => delete dataset['drop']);
}
