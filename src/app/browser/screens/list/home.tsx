// The cards above all memories: those to continue reading, and the memories of this day in an earlier year.

import { percentOf } from '../../../../text/percent.ts';
import { addMonths, dayBounds } from '../../dates.ts';
import { counted } from '../../format.ts';
import { Link } from '../../parts/link.tsx';
import { shortDate } from '../../parts/short-date.ts';
import { titleOf } from '../../parts/title.ts';
import type { DayCount } from '../../state/list/layout.ts';
import { readRow } from '../../state/list/list.ts';
import { FIELDS } from '../../state/list/row.ts';
import { CONTINUE, placesInside, type NamedPlace } from '../../state/places.ts';
import { zone } from '../../state/reading.ts';
import { useResource } from '../../state/resource.ts';
import { api, shownAccountId } from '../../state/session.ts';
import { today } from '../../time-formats.ts';

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
  const ids = places.map(({ id }) => id).join(' ');
  const reads = [
    ...places.map((each) => () => readPlace(each)),
    ...(past ? [() => readDay(past)] : []),
  ];
  const { data, failure } = useResource(
    `home ${ids} ${past?.date} ${zone.value}`,
    () => Promise.all(reads.map((read) => read())),
    true,
  );
  // As many as are read now, so that rows stay when another one comes.
  const cards = (data?.length === reads.length ? data : undefined)?.filter(
    (card) => card !== undefined,
  );
  if (failure || (cards ?? reads).length === 0) return null;
  const waiting = reads.map((_, at) => <li key={at} class="card waiting" />);
  return (
    <ul class="cards" aria-label="Go back to">
      {cards?.map(({ to, title, label, note, share }, at) => (
        <li key={to} class="card">
          <p class="gist note">
            <Link to={to} aria-describedby={`card-${at}`}>
              {label}
            </Link>
            {note && ` · ${note}`}
          </p>
          <span class="title" id={`card-${at}`} dir="auto">
            {title}
          </span>
          {share !== undefined && (
            <i aria-hidden="true" style={{ width: `${Math.round(share * 100)}%` }} />
          )}
        </li>
      )) ?? waiting}
    </ul>
  );
}

/** A way back into memories. */
interface Card {
  readonly to: string;
  readonly title: string;
  readonly label: string;
  readonly note: string;
  readonly share?: number;
}

/** Reads the memory of a place. One that is gone has no card. */
async function readPlace({ id, share }: NamedPlace): Promise<Card | undefined> {
  const row = await readRow(id).catch(() => undefined);
  if (!row) return undefined;
  const note = shortDate(row.started_at);
  const label = `Continue at ${percentOf(share)}`;
  return { to: `m/${id}#${CONTINUE}`, title: titleOf(row.name), label, note, share };
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
  const note = memories > 1 ? counted(memories - 1, 'more', 'more') : '';
  const to = memories > 1 ? `days/${date}` : `m/${row.id}`;
  return { to, title: titleOf(row.name), label, note };
}
