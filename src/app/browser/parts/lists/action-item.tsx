// An action item that a source found: its state, its text, its owner and when it is due.

import type { Details } from '../../../../contract/schemas/details.ts';
import { isDate } from '../../dates.ts';
import { dates, formats, today } from '../../time-formats.ts';
import { Link } from '../link.tsx';
import { shortDate } from '../short-date.ts';
import { personOf, titleOf } from '../title.ts';

/** An action item. */
export type ActionItem = Details['action_items'][number];

/** What an item needs. */
export interface ActionItemProps {
  readonly item: ActionItem;
  /** The memory that has it. */
  readonly memory_id: string;
  /** The memory, if it is not the one that is shown. */
  readonly of?: { readonly name: string; readonly started_at: string };
}

/** An item. It leads to its line, if that is known, otherwise to its memory. */
export function ActionItemLink({ item, memory_id, of }: ActionItemProps) {
  const { text, owner, due, done, line } = item;
  const name = done ? 'Done' : done === null ? 'Maybe done' : 'Open';
  const isLate = done === false && (dueDay(item) ?? today()) < today();
  const notes = [
    owner && <bdi>{personOf(owner)}</bdi>,
    due && <span class={isLate ? 'late' : ''}>due {dueText(due)}</span>,
    of && (
      <>
        <bdi>{titleOf(of.name)}</bdi>, <time class="note">{shortDate(of.started_at)}</time>
      </>
    ),
  ].filter(Boolean);
  return (
    <Link
      to={`m/${memory_id}${line ? `#L${line}` : ''}`}
      class={done ? 'action-item done' : 'action-item'}
    >
      {/* No box to tick: what is done is known by the source alone. */}
      <i role="img" aria-label={name} title={name}>
        {done ? '✓' : '•'}
      </i>
      <span class="what" dir="auto">
        {text}
      </span>
      {notes.length > 0 && (
        <span class="note">{notes.flatMap((note, at) => (at === 0 ? [note] : [' · ', note]))}</span>
      )}
    </Link>
  );
}

/** Returns the day on which an item is due, such as `2026-11-20`, or undefined if the source names none. */
export function dueDay({ due }: Pick<ActionItem, 'due'>): string | undefined {
  if (due === null || isDate(due)) return due ?? undefined;
  return isInstant(due) ? formats.value.dayOf(due) : undefined;
}

function isInstant(due: string): boolean {
  return /^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:\d\d)$/.test(due) && !Number.isNaN(Date.parse(due));
}

/** When an item is due: a date as people read it, or the words of the source. */
function dueText(due: string): string {
  if (isDate(due)) return shortDate(due, dates.value);
  return isInstant(due) ? shortDate(due) : due;
}
