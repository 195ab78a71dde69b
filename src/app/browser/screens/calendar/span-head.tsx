// The head of a day, a week and a month: its name, the way to what is around it, how much there was and who took part.

import { dayBounds, monthOf, yearOf } from '../../dates.ts';
import { totalsOf } from '../../format.ts';
import { useShortcuts } from '../../keyboard/keyboard.ts';
import type { Shortcut } from '../../keyboard/shortcuts.ts';
import { Options } from '../../parts/as-curl.tsx';
import { ZoneChoice } from '../../parts/controls/zone-choice.tsx';
import { Link } from '../../parts/link.tsx';
import { useDays } from '../../state/day-totals.ts';
import { sumOf } from '../../state/list/layout.ts';
import { zone } from '../../state/reading.ts';
import { useResource } from '../../state/resource.ts';
import { go } from '../../state/router.ts';
import { api } from '../../state/session.ts';
import { dates, today, weekOf } from '../../time-formats.ts';
import { NameLinks } from '../people/name-links.tsx';
import { neighboursOf } from './year.ts';

/** The key that leads to today. */
export const todayKey: Shortcut = {
  keys: ['t'],
  text: 'Today',
  run: () => go(`days/${today()}`),
};

/** What a head needs. */
export interface SpanHeadProps {
  /** The first day. */
  readonly from: string;
  /** The last day. */
  readonly to: string;
  readonly title: string;
  readonly unit: 'day' | 'week' | 'month';
  /** Returns the address of the span with a day. */
  readonly pathOf: (day: string) => string;
}

/** The most people that are named. */
const MOST = 100;

/** The head of some days. */
export function SpanHead({ from, to, title, unit, pathOf }: SpanHeadProps) {
  const { data: days } = useDays();
  const bounds = { timezone: zone.value, ...dayBounds(from, to) };
  const { data: people } = useResource(`with ${from} ${to} ${zone.value}`, () =>
    api.people.page({ ...bounds, limit: MOST }),
  );
  const own = days?.filter(({ date }) => date >= from && date <= to);
  const { memories, seconds } = sumOf(own ?? []);
  return (
    <>
      <div class="heading">
        <h1 tabIndex={-1}>{title}</h1>
        <Options path="/memories" query={{ ...bounds, ...(unit === 'day' && { order: 'asc' }) }}>
          <ZoneChoice />
        </Options>
      </div>
      <nav aria-label="Days">
        <Link to={`calendar/${yearOf(from)}`}>{`Calendar ${yearOf(from)}`}</Link>
        {unit === 'day' && <Link to={`weeks/${weekOf(from)}`}>Week</Link>}
        {unit === 'week' && <Link to={`months/${monthOf(from)}`}>Month</Link>}
        <Sides
          {...{ unit, pathOf }}
          before={neighboursOf(from, days ?? []).before}
          after={neighboursOf(to, days ?? []).after}
        />
      </nav>
      {own?.length !== 0 && (
        <>
          <p>{own ? totalsOf(memories, seconds) : '\u00a0'}</p>
          <NameLinks key={from} label="With" names={people?.items.map(({ name }) => ({ name }))} />
        </>
      )}
    </>
  );
}

interface SidesProps extends Pick<SpanHeadProps, 'unit' | 'pathOf'> {
  /** The nearest day before with memories. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** The way to the nearest days, weeks or months that have memories. */
function Sides({ unit, pathOf, before, after }: SidesProps) {
  const sides = [
    { key: 'p', text: `Previous ${unit}`, day: before },
    { key: 'n', text: `Next ${unit}`, day: after },
  ].flatMap(({ day, ...side }) => (day === undefined ? [] : { ...side, day, to: pathOf(day) }));
  useShortcuts([
    todayKey,
    ...sides.map(({ key, text, to }) => ({ keys: [key], text, run: () => go(to) })),
  ]);
  return (
    <span class="sides">
      {sides.map(({ key, text, day, to }) => {
        const name = unit === 'day' ? dates.value.date(day) : text;
        return (
          <Link key={key} to={to} aria-label={unit === 'day' ? `${text}: ${name}` : text}>
            {key === 'p' ? `← ${name}` : `${name} →`}
          </Link>
        );
      })}
    </span>
  );
}
