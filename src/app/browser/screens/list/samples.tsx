// Sample memories: a note above the list says what they are, and removes them with one click.

import { signal } from '@preact/signals';

import { SAMPLE_FILE } from '../../../samples.ts';
import { useAction } from '../../parts/controls/action.ts';
import { canChange, useDeleting } from '../../parts/deleting.tsx';
import { offer, tellFailure, undoable } from '../../state/changes/undo.ts';
import { readRow } from '../../state/list/list.ts';
import { loadFile } from '../../state/session.ts';
import { recall, remember } from '../../state/storage.ts';

/** Whether this browser has imported the sample memories, and not removed them. */
const hasSamples = signal(recall('samples') === 'yes');

/** Notes that this browser has imported the sample memories, or has removed them. */
export function noteSamples(areThere: boolean): void {
  hasSamples.value = areThere;
  remember('samples', areThere ? 'yes' : 'no');
}

/** The note. Nothing, if there are no samples. */
export function SamplesNote() {
  const finding = useAction(tellFailure);
  const deleting = useDeleting(() => {
    noteSamples(false);
    offer({ ...undoable.peek(), said: 'Samples removed.' });
  });
  if (!hasSamples.value || !canChange()) return null;
  const remove = async () => {
    const all = (await (await loadFile(SAMPLE_FILE)).json()) as readonly { id: string }[];
    const found = await Promise.all(all.map(({ id }) => readRow(id)));
    const ids = all.filter((_, at) => found[at] !== undefined).map(({ id }) => id);
    if (ids.length > 0) deleting.start(ids);
    else noteSamples(false);
  };
  return (
    <div class="notice">
      <p>Memories of an invented company.</p>
      <p class="actions">
        <button
          type="button"
          disabled={finding.isBusy || deleting.isBusy}
          onClick={() => void finding.run(remove)}
        >
          Remove the samples
        </button>
      </p>
      {deleting.shown}
    </div>
  );
}
