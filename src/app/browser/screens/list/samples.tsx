// Sample memories: a note above the list says what they are, and removes them with one click.

import { SAMPLE_FILE } from '../../../samples.ts';
import { useAction } from '../../parts/controls/action.ts';
import { canChange, useDeleting } from '../../parts/deleting.tsx';
import { offer, tellFailure, undoable } from '../../state/changes/undo.ts';
import { readRow } from '../../state/list/list.ts';
import { loadFile, loadMe, me } from '../../state/session.ts';

/** The note. Nothing, if there are no samples. */
export function SamplesNote() {
  const finding = useAction(tellFailure);
  const deleting = useDeleting(() => {
    void loadMe();
    offer({ ...undoable.peek(), said: 'Samples removed.' });
  });
  if (me.value?.has_samples !== true || !canChange()) return null;
  const remove = async () => {
    const all = (await (await loadFile(SAMPLE_FILE)).json()) as readonly { id: string }[];
    const found = await Promise.all(all.map(({ id }) => readRow(id)));
    const ids = all.filter((_, at) => found[at] !== undefined).map(({ id }) => id);
    if (ids.length > 0) deleting.start(ids);
    else await loadMe(); // another browser was faster
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
