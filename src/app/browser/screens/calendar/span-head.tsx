// The head of a day, a week and a month: its name, the way to what is around it, how much there was and who took part.

import { isSpeakerLabel } from '../../../../text/speaker.ts';
import { addDays, dayBounds, monthOf, yearOf } from '../../dates.ts';
import { useShortcuts } from '../../keyboard/keyboard.ts';
import { Options } from '../../parts/as-curl.tsx';
import { ZoneChoice } from '../../parts/controls/zone-choice.tsx';
import { Link } from '../../parts/link.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { useDays } from '../../state/day-totals.ts';
import { zone } from '../../state/reading.ts';
import { useResource } from '../../state/resource.ts';
import { go, place } from '../../state/router.ts';
import { api } from '../../state/session.ts';
import { totalsOf } from '../../state/totals.ts';
import { dates, today, weekOf } from '../../time-formats.ts';
import { NameLinks } from '../people/name-links.tsx';
import { neighboursOf } from './year.ts';

/** What a head needs. */
export interface SpanHeadProps {
  /** The first day. */
  readonly from: string;
  /** The last day. */
  readonly to: string;
  readonly title: string;
  readonly unit: 'day' | 'week' | 'month';
}

const UNITS = { day: 'Day', week: 'Week', month: 'Month', year: 'Year' } as const;

/** Returns the pages that show a day. */
const pathsOf = (day: string) => ({
  day: `days/${day}`,
  week: `weeks/${weekOf(day)}`,
  month: `months/${monthOf(day)}`,
  year: `calendar/${yearOf(day)}`,
});

/** Returns the names of the day, week and month that a day is in. */
export const namesOf = (day: string) => ({
  day: dates.value.date(day),
  week: dates.value.spanOfYear(weekOf(day), addDays(weekOf(day), 6)),
  month: `${dates.value.month(day)} ${yearOf(day)}`,
});

/** The most people that are named. */
const MOST = 100;

/** The head of some days. */
export function SpanHead({ from, to, title, unit }: SpanHeadProps) {
  const { data: days } = useDays();
  const bounds = { timezone: zone.value, ...dayBounds(from, to) };
  const { data: people } = useResource(`with ${from} ${to} ${zone.value}`, () =>
    api.people.page({ ...bounds, limit: MOST }),
  );
  const own = days?.filter(({ date }) => date >= from && date <= to);
  // The newest one that has memories, so that a day is not an empty one.
  const day = own?.at(-1)?.date ?? from;
  const now = today();
  return (
    <>
      <div class="heading">
        <h1 tabIndex={-1}>{title}</h1>
        <Options path="/memories" query={bounds}>
          <ZoneChoice />
        </Options>
      </div>
      <div class="actions">
        <Tabs label="Days" choices={UNITS} choice={unit} pathOf={(each) => pathsOf(day)[each]} />
        <Sides
          {...{ from, unit }}
          before={neighboursOf(from, days ?? []).before}
          after={neighboursOf(to, days ?? []).after ?? (to < now ? now : undefined)}
        />
      </div>
      {own?.length !== 0 && (
        <>
          <p>{own ? totalsOf(own) : '\u00a0'}</p>
          <NameLinks
            key={from}
            label="With"
            names={people?.items.flatMap(({ name }) => (isSpeakerLabel(name) ? [] : { name }))}
          />
        </>
      )}
    </>
  );
}

interface SidesProps extends Pick<SpanHeadProps, 'from' | 'unit'> {
  /** The nearest day before with memories. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** The way to the nearest days, weeks or months that have memories, and to those of today, which may have none. */
function Sides({ from, unit, before, after }: SidesProps) {
  const sides = [
    { key: 'p', text: `Previous ${unit}`, day: before },
    { key: 't', text: 'Today', day: today() },
    { key: 'n', text: `Next ${unit}`, day: after },
  ].map((side) => {
    const to = side.day && pathsOf(side.day)[unit];
    return { ...side, to: to === place.value.path ? undefined : to };
  });
  useShortcuts(
    sides.flatMap(({ key, text, to }) =>
      to === undefined ? [] : { keys: [key], text, run: () => go(to) },
    ),
  );
  return (
    <span class="sides">
      {sides.map(({ key, text, day, to }) => {
        const name = day && key !== 't' ? namesOf(day)[unit] : text;
        // The heading has the year, and a phone has one line.
        const shown = day && yearOf(day) === yearOf(from) ? name.replace(/,? \d{4}$/, '') : name;
        return (
          <Link key={key} to={to} aria-label={name === text ? text : `${text}: ${name}`}>
            {key === 'p' && '← '}
            {shown}
            {key === 'n' && ' →'}
          </Link>
        );
      })}
    </span>
  );
}
