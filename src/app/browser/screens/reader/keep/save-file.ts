// Saves something that the page has made as a file of the reader.

/** Saves a file under a name. The browser replaces what no name of a file may have. */
export function saveFile(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
