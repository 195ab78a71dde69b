// Handlers about files of a memory: as Markdown and as captions, byte for byte as `memory-gateway export` writes them, and as a page.

import { Failure } from '../../../contract/failure.ts';
import type { AppContext } from '../app-parts.ts';
import type { AppHandlers } from '../call.ts';
import { readHues } from '../hues.ts';
import { onePageOf, type PageContent } from '../one-page.ts';
import { findAccount } from './account.ts';
import { contentOf, type Chosen } from './page-content.ts';

/** The handlers about files. They are made here and not in the page, because few readers need their code. */
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
  async captions({ app, reader, input }) {
    const { memories } = app.gateway.as(reader.account_id);
    const of = { memory_id: input.id };
    const [memory, { line_starts_ms }, { captionFile }] = await Promise.all([
      memories.get(of),
      memories.details(of),
      import('../../../formats/captions/file.ts'),
    ]);
    const file = captionFile(
      { ...memory, line_starts_ms },
      { format: 'vtt', isTaken: () => false },
    );
    if (file === undefined)
      throw new Failure(404, 'No line of this memory has a time, so it has no captions.');
    return { output: { name: fileOf(file.name), text: file.text } };
  },
  async page(call) {
    const { id: memory_id, saved, ...chosen } = call.input;
    const content = await readContent(call.app, await findAccount(call), { memory_id, ...chosen });
    return { output: { text: onePageOf(content, `Saved from Memory Gateway on ${saved}.`) } };
  },
};

interface ChosenMemory extends Chosen {
  readonly memory_id: string;
}

/** Reads what a page shows of a memory, in the colours that the account has now. */
export async function readContent(
  app: AppContext,
  { id, name }: { readonly id: string; readonly name: string },
  { memory_id, ...chosen }: ChosenMemory,
): Promise<PageContent> {
  const { memories } = app.gateway.as(id);
  const memory = await memories.get({ memory_id });
  const details = await memories.details({ memory_id });
  const hues = await readHues(app, id);
  return { ...contentOf({ memory, details }, chosen, name), hues };
}

/**
 * Returns the name of a note without its folder. `export` files notes by year and day in UTC unless it is
 * told another time zone, and adds the id if two of a day have the same name. A single note needs neither.
 * The name is legal on every system, whatever the memory is called.
 */
function fileOf(path: string): string {
  const folder = path.lastIndexOf('/');
  return path.slice(folder + 1);
}
