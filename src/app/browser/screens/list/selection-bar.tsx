// The bar below the list while memories are selected: it stars them, saves them as a file, and deletes them.

import { countedMemories } from '../../format.ts';
import { useShortcuts } from '../../keyboard/keyboard.ts';
import { useAction } from '../../parts/controls/action.ts';
import { canChange, useDeleting } from '../../parts/deleting.tsx';
import { PassingButton } from '../../parts/notice.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { offer, tellFailure } from '../../state/changes/undo.ts';
import { bookmark, bookmarkOf } from '../../state/list/bookmarks.ts';
import { list } from '../../state/list/list.ts';
import { select, selected, tick } from '../../state/list/selection.ts';
import { app, me } from '../../state/session.ts';
import { formats } from '../../time-formats.ts';

const end = () => select();

const all = () => void tick(0, (list.peek().opened?.source.layout.rows ?? 0) - 1);

/** The bar. */
export function SelectionBar() {
  const ids = [...(selected.value ?? [])];
  const deleting = useDeleting(end);
  const acting = useAction(tellFailure);
  const isIdle = ids.length === 0 || deleting.isBusy || acting.isBusy;
  const remove = () => {
    if (!isIdle && canChange()) deleting.start(ids);
  };
  const isStarred = ids.length > 0 && ids.every((id) => bookmarkOf(id).is_starred);
  useShortcuts([
    { keys: ['mod+a'], text: 'Select all', run: all },
    { keys: ['Delete'], text: 'Delete the selection', run: remove },
    { keys: ['Escape'], text: 'End the selection', run: end },
  ]);
  const button = (text: string, run: () => void) => (
    <button type="button" disabled={isIdle} onClick={run}>
      {text}
    </button>
  );
  return (
    <section class="undo selection" aria-label="Selection">
      <span role="status">{ids.length > 0 && `${ids.length} selected`}</span>
      {ids.length === 0 && (
        <button type="button" onClick={all}>
          Select all
        </button>
      )}
      {me.value?.can_write &&
        button(isStarred ? 'Unstar' : 'Star', () => void acting.run(() => star(ids, !isStarred)))}
      {button('Save', () => void acting.run(() => save(ids)))}
      {canChange() && button('Delete', remove)}
      <PassingButton onClick={end}>Cancel</PassingButton>
      {deleting.shown}
    </section>
  );
}

/** Stars memories, or takes their stars away. Rejects with `Failure`. */
async function star(ids: readonly string[], isOn: boolean): Promise<void> {
  const others = ids.filter((id) => bookmarkOf(id).is_starred !== isOn);
  const set = async (is_starred: boolean) => {
    for (const id of others) await bookmark(id, { is_starred });
  };
  await set(isOn);
  const said = `${countedMemories(others.length)} ${isOn ? 'starred' : 'unstarred'}.`;
  offer({ said, undo: () => set(!isOn) });
  end();
}

/** The front matter of a note, the time in it, and the title below. Only at the start of a file it is front matter. */
const HEAD = /^---.*?started_at: "(.+?)".*?\n---\n\n(.+?\n)/s;

/** Saves memories as one file, oldest first. Rejects with `Failure`. */
async function save(ids: readonly string[]): Promise<void> {
  const notes: Awaited<ReturnType<typeof app.notes.get>>[] = [];
  for (const id of ids) notes.push(await app.notes.get({ id }));
  notes.sort((a, b) => (a.name < b.name ? -1 : 1));
  const texts = notes.map(({ text }) =>
    text.replace(HEAD, (_, at: string, title: string) => `${title}\n${formats.value.moment(at)}\n`),
  );
  const [one, other] = notes;
  if (one && !other) saveFile(one.name, new Blob([one.text]));
  else saveFile(`${countedMemories(ids.length)}.md`, new Blob([texts.join('\n')]));
  end();
}
