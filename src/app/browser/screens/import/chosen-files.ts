// The files that somebody has chosen or dropped, with their paths in folders.

import type { ChosenFile } from './upload.ts';

/** Returns the files of an input. Those of a folder have its path. */
export function filesOf(list: FileList | null): ChosenFile[] {
  return Array.from(list ?? [], (file) => ({ file, name: file.webkitRelativePath || file.name }));
}

/** Reads what was dropped: files, and all files in folders. */
export async function readDropped({ items, files }: DataTransfer): Promise<ChosenFile[]> {
  // At once, because the list is empty after the event.
  const entries = Array.from(items, (item) => item.webkitGetAsEntry()).filter(
    (each) => each !== null,
  );
  if (entries.length === 0) return filesOf(files);
  return (await Promise.all(entries.map(readEntry))).flat();
}

async function readEntry(entry: FileSystemEntry): Promise<ChosenFile[]> {
  const name = entry.fullPath.replace(/^\//, '');
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    return [{ file, name }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: ChosenFile[] = [];
  for (;;) {
    // A call returns a hundred of them.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return found;
    for (const each of some) found.push(...(await readEntry(each)));
  }
}
