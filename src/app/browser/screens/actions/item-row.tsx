// A row with an action item that a source found: a box to tick, its text, its owner and when it is due.

import type { Details } from '../../../../contract/schemas/details.ts';
import { isDate } from '../../dates.ts';
import { useAction } from '../../parts/controls/action.ts';
import { Link } from '../../parts/link.tsx';
import { shortDate } from '../../parts/short-date.ts';
import { personOf, titleOf } from '../../parts/title.ts';
import { tellFailure } from '../../state/changes/undo.ts';
import { isDone, tick } from '../../state/list/done-items.ts';
import { dates, formats, today } from '../../time-formats.ts';

/** An action item. */
export type ActionItem = Details['action_items'][number];

/** What a row needs. */
export interface ItemRowProps {
  readonly item: ActionItem;
  /** The memory that has it. */
  readonly memory_id: string;
  /** The memory, if it is not the one that is shown. */
  readonly of?: { readonly name: string; readonly started_at: string };
  /** All memories that have the item, if others do as well. */
  readonly ids?: readonly string[];
  /** Called before it is ticked or unticked. */
  readonly onTick?: () => void;
}

/**
 * An item. It leads to its line, if that is known, otherwise to its memory. The box ticks it, as the space bar does on the
 * link. What its source calls done stays done.
 */
export function ItemRow({ item, memory_id, of, ids = [memory_id], onTick }: ItemRowProps) {
  const ticking = useAction(tellFailure);
  const { text, owner, due, done, line } = item;
  const isTicked = isDone(item, memory_id);
  const toggle = () =>
    void ticking.run(() => {
      onTick?.();
      return tick(text, ids, !isTicked);
    });
  const isLate = done === false && !isTicked && (dueDay(item) ?? today()) < today();
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
    <li class={isTicked ? 'done' : ''}>
      {done ? (
        <span class="tick" role="img" aria-label="Done" title="Its source says that it is done">
          ✓
        </span>
      ) : (
        <label class="tick" title={isTicked ? 'Marked as done here' : 'Mark as done'}>
          <input
            type="checkbox"
            aria-label={`Done: ${text}`}
            checked={isTicked !== ticking.isBusy}
            onChange={toggle}
          />
        </label>
      )}
      <Link
        to={`m/${memory_id}${line ? `#L${line}` : ''}`}
        class="action-item"
        onKeyDown={(event) => {
          if (event.key !== ' ' || done) return;
          event.preventDefault();
          toggle();
        }}
      >
        <span class="what" dir="auto">
          {text}
        </span>
        {notes.length > 0 && (
          <span class="note">
            {notes.flatMap((note, at) => (at === 0 ? [note] : [' · ', note]))}
          </span>
        )}
      </Link>
    </li>
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
