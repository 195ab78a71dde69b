// The cards above all memories: memories to continue reading, and the memories of this day in an earlier year.

import { addMonths, dayBounds } from '../../dates.ts';
import { counted, percentOf } from '../../format.ts';
import { Link } from '../../parts/link.tsx';
import { formats, today } from '../../parts/time-formats.ts';
import { titleOf } from '../../parts/title.ts';
import type { DayCount } from '../../state/list/layout.ts';
import { FIELDS, type Row } from '../../state/list/row.ts';
import { placesInside, type NamedPlace } from '../../state/places.ts';
import { zone } from '../../state/reading.ts';
import { useResource } from '../../state/resource.ts';
import { api, shownAccountId } from '../../state/session.ts';

/** How many memories to continue are shown. */
const MOST = 2;
/** How many years back this day is looked for. */
const YEARS = 10;

interface HomeProps {
  /** The days that have memories. */
  readonly days: readonly DayCount[];
}

/** Cards that lead back into memories. Nothing, if there are none. */
export function Home({ days }: HomeProps) {
  const places = placesInside(shownAccountId(), MOST);
  const past = pastDay(days, today());
  const names = places.map(({ id }) => id).join(' ');
  const { data, failure } = useResource(
    `home ${names} ${past?.date} ${zone.value}`,
    () => Promise.all([...places.map(readPlace), ...(past ? [readDay(past)] : [])]),
    true,
  );
  const isEmpty = places.length === 0 && past === undefined;
  const cards = data?.filter((card) => card !== undefined);
  if (isEmpty || failure !== undefined || cards?.length === 0) return null;
  const waiting = Array.from({ length: places.length + (past ? 1 : 0) }, (_, at) => (
    <li key={at} class="card waiting" />
  ));
  return (
    <ul class="cards" aria-label="Go back to">
      {cards?.map(({ to, row, label, note, share }) => (
        <li key={to} class="card">
          <Link to={to} aria-describedby={`about-${row.id}`}>
            {label}
          </Link>
          <span class="title" id={`about-${row.id}`} dir="auto">
            {titleOf(row.name)}
          </span>
          <span class="note">{note}</span>
          {share !== undefined && (
            <i aria-hidden="true" style={{ width: `${Math.round(share * 100)}%` }} />
          )}
        </li>
      )) ?? waiting}
    </ul>
  );
}

/** A way back into a memory. */
interface Card {
  readonly to: string;
  readonly row: Row;
  readonly label: string;
  readonly note: string;
  readonly share?: number;
}

/** Reads the memory of a place. One that is gone has no card. */
async function readPlace({ id, line, hash, share }: NamedPlace): Promise<Card | undefined> {
  const row = await api.memories.get({ memory_id: id, fields: FIELDS }).catch(() => undefined);
  if (row === undefined) return undefined;
  const note = formats.value.date(row.started_at);
  const label = `Continue at ${percentOf(share)}`;
  return { to: `m/${id}#L${line}~${hash}`, row, label, note, share };
}

/** A day of an earlier year, how many memories it has, and how long ago it was. */
interface PastDay extends DayCount {
  readonly years: number;
}

/** Returns this day in the latest of the earlier years that has memories then. */
function pastDay(days: readonly DayCount[], now: string): PastDay | undefined {
  const counts = new Map(days.map((day) => [day.date, day]));
  for (let years = 1; years <= YEARS; years++) {
    const day = counts.get(addMonths(now, -12 * years));
    if (day !== undefined) return { ...day, years };
  }
  return undefined;
}

async function readDay({ date, memories, years }: PastDay): Promise<Card | undefined> {
  const query = { timezone: zone.value, ...dayBounds(date, date), order: 'asc' } as const;
  const { items } = await api.memories.page({ ...query, limit: 1, fields: FIELDS });
  const [row] = items;
  if (row === undefined) return undefined;
  const label = years === 1 ? 'A year ago today' : `${years} years ago today`;
  const { date: dateOf } = formats.value;
  const note = [
    dateOf(row.started_at),
    ...(memories > 1 ? [counted(memories - 1, 'more', 'more')] : []),
  ];
  return { to: memories > 1 ? `days/${date}` : `m/${row.id}`, row, label, note: note.join(' · ') };
}
