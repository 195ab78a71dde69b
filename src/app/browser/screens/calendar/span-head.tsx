// The head of a day, a week, a month and a year: its name, the way to what is around it, how much there was and who took part.

import { addDays, dayBounds, monthOf, yearOf } from '../../dates.ts';
import { useShortcuts } from '../../keyboard/keyboard.ts';
import { ZoneChoice } from '../../parts/controls/zone-choice.tsx';
import { Link } from '../../parts/link.tsx';
import { Options } from '../../parts/options.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { useDays } from '../../state/day-totals.ts';
import { zone } from '../../state/reading.ts';
import { useResource } from '../../state/resource.ts';
import { go } from '../../state/router.ts';
import { searchPath } from '../../state/search/search-path.ts';
import { readTakingPart } from '../../state/taking-part.ts';
import { totalsOf } from '../../state/totals.ts';
import { dates, today, weekOf } from '../../time-formats.ts';
import { NameLinks } from '../people/name-links.tsx';
import { neighboursOf } from './days.ts';

const UNITS = { day: 'Day', week: 'Week', month: 'Month', year: 'Year' } as const;

/** What a head needs. */
export interface SpanHeadProps {
  /** The first day. */
  readonly from: string;
  /** The last day. */
  readonly to: string;
  readonly title: string;
  readonly unit: keyof typeof UNITS;
  /** Whether the days have rows to select. */
  readonly hasRows?: boolean;
}

/** Returns the pages that show a day. */
export const pathsOf = (day: string) => ({
  day: `days/${day}`,
  week: `weeks/${weekOf(day)}`,
  month: `months/${monthOf(day)}`,
  year: `calendar/${yearOf(day)}`,
});

/** Returns the names of the day, week, month and year that a day is in. */
export const namesOf = (day: string) => ({
  day: dates.value.date(day),
  week: dates.value.spanOfYear(weekOf(day), addDays(weekOf(day), 6)),
  month: `${dates.value.month(day)} ${yearOf(day)}`,
  year: yearOf(day),
});

/** The head of some days. */
export function SpanHead({ from, to, title, unit, hasRows }: SpanHeadProps) {
  const { data: days } = useDays();
  const bounds = { timezone: zone.value, ...dayBounds(from, to) };
  const { data: people } = useResource(`with ${from} ${to} ${zone.value}`, () =>
    readTakingPart(from, to),
  );
  const own = days?.filter(({ date }) => date >= from && date <= to);
  // The newest one that has memories, so that a day is not an empty one.
  const day = own?.at(-1)?.date ?? from;
  const now = today();
  const { before, after } = neighboursOf(from, to, days ?? []);
  const nearest = [before, after].flatMap((date) =>
    date === undefined ? [] : { path: pathsOf(date)[unit], name: namesOf(date)[unit] },
  );
  return (
    <>
      <div class="heading">
        <h1 tabIndex={-1}>{title}</h1>
        <Options hasRows={hasRows} path="/memories" query={bounds}>
          <ZoneChoice />
        </Options>
      </div>
      <div class="actions">
        <Tabs label="Days" choices={UNITS} choice={unit} pathOf={(each) => pathsOf(day)[each]} />
        <Sides {...{ from, unit, before }} after={after ?? (to < now ? now : undefined)} />
      </div>
      {days?.length === 0 ? (
        <p>
          No memories yet. <Link to="">See how to import recordings</Link>
        </p>
      ) : own?.length === 0 ? (
        <p>
          No memories {unit === 'day' ? 'on' : 'in'} this {unit}.
          {nearest.length > 0 && ' Nearest: '}
          {nearest.map(({ path, name }, at) => (
            <>
              {at > 0 && ' and '}
              <Link to={path}>{name}</Link>
            </>
          ))}
        </p>
      ) : (
        <>
          <p>{own ? totalsOf(own) : '\u00a0'}</p>
          <NameLinks
            key={from}
            label="With"
            pathOf={(person) => searchPath('', { person, from, to })}
            names={people?.map((name) => ({ name }))}
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

/** The way to the nearest days, weeks, months or years that have memories, and to those of today, which may have none. */
function Sides({ from, unit, before, after }: SidesProps) {
  const sides = [
    { key: 'p', sign: '‹', text: `Previous ${unit}`, day: before, none: 'No memories before' },
    { key: 't', sign: 'Today', text: 'Today', day: today() },
    { key: 'n', sign: '›', text: `Next ${unit}`, day: after, none: 'No memories after' },
  ].map((side) => {
    const to = side.day && pathsOf(side.day)[unit];
    return { ...side, to: to === pathsOf(from)[unit] ? undefined : to };
  });
  useShortcuts(
    sides.flatMap(({ key, text, to }) =>
      to === undefined ? [] : { keys: [key], text, run: () => go(to) },
    ),
  );
  return (
    <span class="sides">
      {sides.map(({ key, sign, text, day, to, none }) => {
        const name = day && none ? `${text}: ${namesOf(day)[unit]}` : text;
        return (
          <Link key={key} to={to} aria-label={name} title={to ? name : none}>
            {sign}
          </Link>
        );
      })}
    </span>
  );
}
