// An action item in the files that are made of a memory: whose it is and when it is due, and the item as a line of text.

/** What is written of an item. */
export interface WrittenItem {
  readonly text: string;
  readonly owner: string | null;
  readonly due: string | null;
  /** Null: the source does not say, so it is written as open. */
  readonly done: boolean | null;
}

/** Returns whose an item is and when it is due, such as `Mira, due 2026-11-20`. Empty if the source says neither. */
export function itemNote({ owner, due }: Pick<WrittenItem, 'owner' | 'due'>): string {
  const when = due?.replace(/^(\d{4}-\d\d-\d\d)T(?:00:00:00(?:\.0+)?Z$)?/, '$1 ').trim();
  return [owner, when && `due ${when}`].filter(Boolean).join(', ');
}

/** Returns an item behind a box that is ticked if it is done: `[x] Buy milk (Mira)`. Markdown has such boxes. */
export function itemLine({ text, done, ...item }: WrittenItem): string {
  const note = itemNote(item);
  return `[${done === true ? 'x' : ' '}] ${text}${note && ` (${note})`}`;
}
