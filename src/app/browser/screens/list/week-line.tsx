// This week in one line above all memories, or the week before: how many there were, and with whom.

import { addDays } from '../../dates.ts';
import { countedMemories } from '../../format.ts';
import { Link } from '../../parts/link.tsx';
import { isolated } from '../../parts/title.ts';
import { sumOf, type DayCount } from '../../state/list/layout.ts';
import { zone } from '../../state/reading.ts';
import { useResource } from '../../state/resource.ts';
import { isOwnName } from '../../state/session.ts';
import { readTakingPart } from '../../state/taking-part.ts';
import { today, weekOf } from '../../time-formats.ts';

/** How many people are named. */
const NAMED = 3;

interface WeekLineProps {
  /** The days of the list, the newest first. */
  readonly days: readonly DayCount[];
}

/** The line. Nothing, if the newest memory is of an older week, or of the future. */
export function WeekLine({ days }: WeekLineProps) {
  const now = weekOf(today());
  const from = days[0] ? weekOf(days[0].date) : '';
  const isOther = from !== now && from !== addDays(now, -7);
  const { data: people } = useResource(
    `week ${from} ${zone.value}`,
    async () => (isOther ? [] : readTakingPart(from, addDays(from, 6))),
    true,
  );
  if (isOther) return null;
  const { memories } = sumOf(days.filter(({ date }) => date >= from));
  // The name of the reader may be known later than the others.
  const others = people?.filter((name) => !isOwnName(name)).map(isolated) ?? [];
  const more = others.splice(NAMED).length;
  return (
    <p class="week note">
      <Link to={`weeks/${from}`}>
        {from === now ? 'This' : 'Last'} week: {countedMemories(memories)}
      </Link>
      {others[0] && ` with ${others.join(', ')}`}
      {more > 0 && ` and ${more} more`}
    </p>
  );
}
