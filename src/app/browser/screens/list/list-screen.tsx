// The list: all memories newest first, with what leads back into them.

import { Options } from '../../parts/as-curl.tsx';
import { CopyText } from '../../parts/controls/copy.tsx';
import { Link } from '../../parts/link.tsx';
import { DemoNote } from '../../parts/notice.tsx';
import { listOfFilter, NO_FILTER } from '../../state/list/filter.ts';
import { zone } from '../../state/reading.ts';
import { me, ownCommand } from '../../state/session.ts';
import { Home } from './home.tsx';
import { MemoryList } from './memory-list.tsx';
import { SamplesNote } from './samples.tsx';
import { SelectionBar } from './selection.tsx';

/** The screen of all memories. */
export function ListScreen() {
  return (
    <div class="list">
      <div class="heading">
        <h1 tabIndex={-1}>Memories</h1>
        <Link to="search#limits">Filter</Link>
        <SelectionBar />
        <Options path="/memories" query={{ ...listOfFilter(NO_FILTER, zone.value), limit: 100 }} />
      </div>
      <MemoryList
        filter={NO_FILTER}
        none={<Empty />}
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
      {me.value?.can_import ? (
        <p>
          <Link to="start">Bring in your recordings, or look at samples</Link>
        </p>
      ) : (
        <>
          <p>Import recordings where the gateway runs, for example a folder of transcripts:</p>
          <CopyText label="Command" text={ownCommand(`import --account ${account} FOLDER`)} />
        </>
      )}
      <p>
        <Link to="settings/access">Or create an API key for a program</Link>
      </p>
    </div>
  );
}
