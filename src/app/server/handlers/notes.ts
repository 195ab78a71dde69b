// Handlers about files of a memory: as Markdown and as captions, as `memory-gateway export` writes them, and as a page, plain text or JSON.

import { Failure } from '../../../contract/failure.ts';
import type { Details } from '../../../contract/schemas/details.ts';
import type { Memory } from '../../../contract/schemas/memory.ts';
import { doneItems } from '../../../store/app/bookmarks.ts';
import { exportedDetails } from '../../../store/details/reads.ts';
import { itemKey } from '../../../text/item-key.ts';
import { itemLine } from '../../../text/item-text.ts';
import type { AppCall, AppHandlers } from '../call.ts';
import { readHues } from '../hues.ts';
import { onePageOf, type PageContent } from '../one-page.ts';
import { findAccount } from './account.ts';
import { contentOf, type Chosen } from './page-content.ts';

/** The handlers about files. They are made here and not in the page, because few readers need their code. */
export const notes: AppHandlers['notes'] = {
  async get({ app, store, reader, input }) {
    // Imported when somebody wants a note, because serving memories loads no formats.
    const [{ memory, details }, { toMarkdown }] = await Promise.all([
      readTicked({ app, store }, reader.account_id, input.id),
      import('../../../formats/markdown/markdown.ts'),
    ]);
    // No other note is in the folder, so no name is taken.
    const { name, text } = toMarkdown({ ...memory, ...details }, () => false);
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
    const { id: memory_id, saved, form, ...chosen } = call.input;
    if (form !== 'html') {
      const kept = await readTicked(call, call.reader.account_id, memory_id);
      return { output: { text: form === 'txt' ? plainTextOf(kept, chosen.when) : jsonOf(kept) } };
    }
    const content = await readContent(call, await findAccount(call), { memory_id, ...chosen });
    return { output: { text: onePageOf(content, `Saved from Memory Gateway on ${saved}.`) } };
  },
};

interface ChosenMemory extends Chosen {
  readonly memory_id: string;
}

/** Reads what a page shows of a memory, in the colours that the account has now. */
export async function readContent(
  from: Stores,
  { id, name }: { readonly id: string; readonly name: string },
  { memory_id, ...chosen }: ChosenMemory,
): Promise<PageContent> {
  const kept = await readTicked(from, id, memory_id);
  const hues = await readHues(from.app, id);
  return { ...contentOf(kept, chosen, name), hues };
}

/** Where the memory is, and where it is told which of its action items the owner has ticked. */
type Stores = Pick<AppCall<unknown, unknown>, 'app' | 'store'>;

/** A memory with its details. */
interface Kept {
  readonly memory: Memory;
  readonly details: Details;
}

/** Reads a memory with its details. The action items that its owner has ticked are done, as on the screen. */
async function readTicked({ app, store }: Stores, account_id: string, id: string): Promise<Kept> {
  const { memories } = app.gateway.as(account_id);
  const memory = await memories.get({ memory_id: id });
  const details = await memories.details({ memory_id: id });
  if (details.action_items.length === 0) return { memory, details };
  const found = await store.bookmarks.get({ account_id, memory_id: id });
  const ticked = new Set(found && doneItems(found.done_items));
  const action_items = details.action_items.map((item) =>
    ticked.has(itemKey(item.text)) ? { ...item, done: true } : item,
  );
  return { memory, details: { ...details, action_items } };
}

/** Returns a memory as plain text, with the time as its owner reads it. */
function plainTextOf({ memory, details }: Kept, when: string): string {
  const { name, summary, transcript } = memory;
  const about = [
    summary.quick_summary,
    ...summary.key_takeaways.map((text) => `- ${text}`),
    ...details.action_items.map((item) => `- ${itemLine(item)}`),
  ];
  return `${name || 'Untitled'}\n${when}\n\n${about.join('\n')}\n\n${transcript}\n`;
}

/** Returns a memory with its details as JSON that can be imported. */
function jsonOf({ memory, details }: Kept): string {
  return JSON.stringify({ ...memory, details: exportedDetails(details) }, null, 2);
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
