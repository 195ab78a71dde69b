// Handlers about notes: a memory as Markdown, byte for byte as `memory-gateway export` writes it.

import type { AppHandlers } from '../call.ts';

/**
 * The handlers about notes. The Markdown is made here and not in the page: the code would be 1.9 kB of
 * the page's 45, and few readers need it.
 */
export const notes: AppHandlers['notes'] = {
  async get({ app, reader, input }) {
    // Imported when somebody wants a note, because serving memories loads no formats.
    const [memory, { toMarkdown }] = await Promise.all([
      app.gateway.as(reader.account_id).memories.get({ memory_id: input.id }),
      import('../../../formats/markdown/markdown.ts'),
    ]);
    // No other note is in the folder, so no name is taken.
    const { name, text } = toMarkdown(memory, () => false);
    return { output: { name: fileOf(name), text } };
  },
};

/**
 * Returns the name of a note without its folder. `export` files notes by year and day in UTC unless it is
 * told another time zone, and adds the id if two of a day have the same name. A single note needs neither.
 * The name is legal on every system, whatever the memory is called.
 */
function fileOf(path: string): string {
  const folder = path.lastIndexOf('/');
  return path.slice(folder + 1);
}
