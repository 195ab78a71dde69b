// This week in one line above all memories, or the week before: how many there were, and with whom.

import { isSpeakerLabel } from '../../../../text/speaker.ts';
import { addDays, dayBounds } from '../../dates.ts';
import { countedMemories } from '../../format.ts';
import { Link } from '../../parts/link.tsx';
import { isolated } from '../../parts/title.ts';
import { sumOf, type DayCount } from '../../state/list/layout.ts';
import { zone } from '../../state/reading.ts';
import { useResource } from '../../state/resource.ts';
import { api, isOwnName } from '../../state/session.ts';
import { today, weekOf } from '../../time-formats.ts';

/** How many people are named. */
const NAMED = 3;

/** The line, from the days of the list, the newest first. Nothing, if the newest memory is older than a week that is over, or in the future. */
export function WeekLine({ days }: { readonly days: readonly DayCount[] }) {
  const [newest] = days;
  if (newest === undefined) return null;
  const from = weekOf(newest.date);
  const label = ['This week', 'Last week'].find(
    (_, ago) => from === addDays(weekOf(today()), -7 * ago),
  );
  const { memories } = sumOf(days.filter(({ date }) => date >= from));
  return label ? <Line {...{ from, label, memories }} /> : null;
}

interface LineProps {
  readonly from: string;
  readonly label: string;
  readonly memories: number;
}

/** Names come into the line when they are known. */
function Line({ from, label, memories }: LineProps) {
  const { data: people } = useResource(`week ${from} ${zone.value}`, () => readPeople(from), true);
  // The name of the reader may be known later than the others.
  const others = people?.filter((name) => !isOwnName(name)).slice(0, NAMED) ?? [];
  return (
    <p class="week note">
      <Link to={`weeks/${from}`}>{label}</Link> {countedMemories(memories)}
      {others[0] && ` with ${others.map(isolated).join(', ')}`}
    </p>
  );
}

async function readPeople(from: string): Promise<string[]> {
  const bounds = dayBounds(from, addDays(from, 6));
  const { items } = await api.people.page({ timezone: zone.value, ...bounds, limit: 20 });
  return items.map(({ name }) => name).filter((name) => !isSpeakerLabel(name));
}
