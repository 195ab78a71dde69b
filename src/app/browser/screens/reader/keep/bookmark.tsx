// The star and the note of a memory: the button in the bar, and the dialog.

import { useId, useState } from 'preact/hooks';

import { useShortcuts } from '../../../keyboard/keyboard.ts';
import { useAction } from '../../../parts/controls/action.ts';
import { Question } from '../../../parts/controls/dialog.tsx';
import { tellFailure } from '../../../state/changes/undo.ts';
import { bookmark, bookmarkOf } from '../../../state/list/bookmarks.ts';

/** A button that gives a memory a star, or takes it away. */
export function StarButton({ id }: { readonly id: string }) {
  const starring = useAction(tellFailure);
  const { is_starred } = bookmarkOf(id);
  const toggle = () => void starring.run(() => bookmark(id, { is_starred: !is_starred }));
  useShortcuts([{ keys: ['s'], text: 'Star', run: toggle }]);
  return (
    <button
      type="button"
      class="plain star"
      aria-label="Star"
      aria-pressed={is_starred}
      onClick={toggle}
    >
      {is_starred ? '★' : '☆'}
    </button>
  );
}

const LABEL = 'Only you see it, and only in this app';

interface NoteProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** Asks for the note of a memory: several lines and up to 2,000 characters. An empty one is removed. */
export function NoteDialog({ id, onClose }: NoteProps) {
  const field = useId();
  const [note, setNote] = useState(bookmarkOf(id).note);
  const save = () => bookmark(id, { note: note.trim() });
  return (
    <Question title="Your note" action="Save" onAction={save} onClose={onClose}>
      <p class="field">
        <label for={field}>{LABEL}</label>
        <textarea
          id={field}
          maxLength={2000}
          value={note}
          onInput={({ currentTarget }) => setNote(currentTarget.value)}
          onKeyDown={({ key, ctrlKey, metaKey, currentTarget }) => {
            // Enter alone is a new line.
            if (key === 'Enter' && (ctrlKey || metaKey)) currentTarget.form?.requestSubmit();
          }}
        />
      </p>
    </Question>
  );
}
