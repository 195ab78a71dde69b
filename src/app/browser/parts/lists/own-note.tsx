// The owner's note to a memory.

import { bookmarkOf } from '../../state/list/bookmarks.ts';

/** The note of a memory, if it has one. */
export function OwnNote({ id }: { readonly id: string }) {
  const { note } = bookmarkOf(id);
  return note === '' ? null : (
    <p class="own-note" dir="auto">
      {note}
    </p>
  );
}
