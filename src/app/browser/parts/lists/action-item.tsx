// An action item that a source found: its state, text, owner and due date.

import type { Details } from '../../../../contract/schemas/details.ts';
import { isDate } from '../../dates.ts';
import { dates, formats, today } from '../../time-formats.ts';
import { Link } from '../link.tsx';
import { personOf } from '../title.ts';

/** An action item. */
export type ActionItem = Details['action_items'][number];

/** What an item needs. */
export interface ActionItemProps {
  readonly item: ActionItem;
  /** The memory that has it. */
  readonly memory_id: string;
}

const STATES = { open: 'Open', done: 'Done', unknown: 'Not known whether done' } as const;

/** An item. It leads to its line, if that is known, otherwise to its memory. */
export function ActionItemLink({ item, memory_id }: ActionItemProps) {
  const { text, owner, due, done, line } = item;
  const state = done === null ? 'unknown' : done ? 'done' : 'open';
  const isLate = done === false && due !== null && isDate(due) && due < today();
  return (
    <Link to={`m/${memory_id}${line === null ? '' : `#L${line}`}`} class={`action-item ${state}`}>
      <i role="img" aria-label={STATES[state]} title={STATES[state]} />
      <span class="what" dir="auto">
        {text}
      </span>
      <span class="note">
        {owner !== null && <bdi>{personOf(owner)}</bdi>}
        {owner !== null && due !== null && ' · '}
        {due !== null && <span class={isLate ? 'late' : undefined}>due {dueText(due)}</span>}
      </span>
    </Link>
  );
}

/** When an item is due: a date as people read it, or the words of the source. */
function dueText(due: string): string {
  if (isDate(due)) return dates.value.date(due);
  return /^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:\d\d)$/.test(due) && !Number.isNaN(Date.parse(due))
    ? formats.value.date(due)
    : due;
}
