// Saves something that the page has made as a file of the reader.

import { offer, undoable } from '../state/changes/undo.ts';

/** Saves a file under a name, and says so. The browser replaces what no name of a file may have. */
export function saveFile(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // What can be undone still can.
  if (!undoable.peek()?.undo) offer({ said: `“${name}” saved.`, lasts: 6000 });
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
