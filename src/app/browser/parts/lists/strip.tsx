// All years as one strip: how many memories each month has, where the reader is, what was found, and the way to any month.

import { useMemo } from 'preact/hooks';

import { monthOf } from '../../dates.ts';
import { countedMemories } from '../../format.ts';
import { yearsOf, type DayCount } from '../../state/list/layout.ts';
import { dates } from '../../time-formats.ts';

/** How many months have room for their letters. */
const LETTERS = 24;

interface StripProps {
  /** The days that have memories, newest first. */
  readonly days: readonly DayCount[];
  /** The date that is shown. */
  readonly current?: string | undefined;
  /** How many memories were found in each year and month that has some. The others lead nowhere. */
  readonly found?: Readonly<Record<string, number>>;
  /** Called with a month: of a year the latest one that leads somewhere. */
  readonly onPick: (month: string) => void;
}

/**
 * The strip, with a button for each year, and a bar in it for each month. Nothing, if there are few months, except above
 * what was found: with a limit fewer are left, and it would come and go.
 */
export function Strip({ days, current = '', found, onPick }: StripProps) {
  const years = useMemo(() => yearsOf(days, !found), [days]);
  const all = years.flatMap(({ months }) => months);
  if (!found && all.filter(({ memories }) => memories).length < 3) return null;
  const countOf = (span: string, count: number, name = span) =>
    `${name}: ${found ? `${found[span] ?? 0} of ` : ''}${countedMemories(count)}`;
  // A root, so that a month of few memories is seen beside one of many.
  const most = Math.sqrt(Math.max(...all.map(({ memories }) => memories)));
  return (
    <nav class={found ? 'timeline across' : 'timeline'} aria-label="Years">
      {years.map(({ year, memories, months }) => {
        const latest = months.find(({ month, memories: count }) => (found ? found[month] : count));
        return (
          <button
            type="button"
            class="plain"
            key={year}
            style={{ flexGrow: months.length }}
            disabled={!latest}
            aria-current={current.startsWith(year) || undefined}
            aria-label={countOf(year, memories)}
            onClick={({ target }) => {
              const { month = latest?.month } = (target as HTMLElement).dataset;
              if (month) onPick(month);
            }}
          >
            <span>{year}</span>
            {months.map(({ month, memories: count }) => {
              const isHere = month === monthOf(current);
              const name = dates.value.monthOfYear(month);
              return (
                <i
                  key={month}
                  data-letter={all.length <= LETTERS ? name[0] : undefined}
                  data-month={found && !found[month] ? '' : month}
                  title={countOf(month, count, name)}
                  class={isHere ? 'here' : ''}
                  style={{
                    '--part': Math.sqrt(count) / most,
                    // A little more, so that one of many is seen. With 0, the edge of the bar would still be lit.
                    '--lit': found?.[month] ? found[month] / count + 0.1 : +isHere || -1,
                  }}
                />
              );
            })}
          </button>
        );
      })}
    </nav>
  );
}
