// The list: all memories newest first, with what leads back into them.

import type { ComponentChildren } from 'preact';

import { Options } from '../../parts/as-curl.tsx';
import { CopyText } from '../../parts/controls/copy.tsx';
import { Link } from '../../parts/link.tsx';
import { DemoNote } from '../../parts/notice.tsx';
import { listOfFilter, NO_FILTER } from '../../state/list/filter.ts';
import { keyOf, list } from '../../state/list/list.ts';
import { zone } from '../../state/reading.ts';
import { may, me, ownCommand } from '../../state/session.ts';
import { Home } from './home.tsx';
import { MemoryList } from './memory-list.tsx';
import { SamplesNote } from './samples.tsx';
import { SelectionBar } from './selection.tsx';

interface ListScreenProps {
  /** What an account begins with, if it can import and has no memories. */
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
            <SelectionBar />
            <Options
              path="/memories"
              query={{ ...listOfFilter(NO_FILTER, zone.value), limit: 100 }}
            />
          </>
        )}
      </div>
      <MemoryList
        filter={NO_FILTER}
        none={may('import') ? beginnings() : <Empty />}
        above={(days) => (
          <>
            <DemoNote />
            <SamplesNote />
            <Home days={days} />
          </>
        )}
      />
    </div>
  );
}

function Empty() {
  const account = me.value?.account.id ?? '';
  return (
    <div class="empty">
      <p class="lead">No memories yet</p>
      <p>Import some where the gateway runs:</p>
      <CopyText label="Command" text={ownCommand(`import --account ${account} FOLDER`)} />
    </div>
  );
}
