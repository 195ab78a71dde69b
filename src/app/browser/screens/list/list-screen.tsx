// The list: all memories newest first, with what leads back into them.

import type { ComponentChildren } from 'preact';

import { Link } from '../../parts/link.tsx';
import { DemoNote } from '../../parts/notice.tsx';
import { Options } from '../../parts/options.tsx';
import { NO_FILTER } from '../../state/list/filter.ts';
import { keyOf, list } from '../../state/list/list.ts';
import { may } from '../../state/session.ts';
import { Home } from './home.tsx';
import { MemoryList } from './memory-list.tsx';
import { SamplesNote } from './samples.tsx';
import { WeekLine } from './week-line.tsx';

interface ListScreenProps {
  /** What an account without memories begins with. */
  readonly beginnings: () => ComponentChildren;
}

/** The screen of all memories. */
export function ListScreen({ beginnings }: ListScreenProps) {
  const { key, opened } = list.value;
  const isEmpty = opened?.source.layout.rows === 0 && key === keyOf(NO_FILTER);
  return (
    <div class="list">
      <div class="heading">
        <h1 tabIndex={-1}>{isEmpty && may('import') ? 'Welcome' : 'Memories'}</h1>
        {!isEmpty && (
          <>
            <Link to="search#limits" class="plain">
              Filter
            </Link>
            <Options hasRows path="/memories" />
          </>
        )}
      </div>
      <MemoryList
        filter={NO_FILTER}
        none={beginnings()}
        above={(days) => (
          <>
            <DemoNote />
            <SamplesNote />
            <WeekLine days={days} />
            <Home days={days} />
          </>
        )}
      />
    </div>
  );
}
