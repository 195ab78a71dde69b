// The list: all memories newest first, with what leads back into them, and a filter.

import { AsCurl } from '../../parts/as-curl.tsx';
import { CopyText } from '../../parts/controls/copy.tsx';
import { Link } from '../../parts/link.tsx';
import { listOfFilter, pathOfFilter, readFilter } from '../../state/list/filter.ts';
import { zone } from '../../state/reading.ts';
import { place } from '../../state/router.ts';
import { me } from '../../state/session.ts';
import { FilterForm, NonePass } from './filter-form.tsx';
import { Home } from './home.tsx';
import { MemoryList } from './memory-list.tsx';
import { SamplesNote } from './samples.tsx';
import { SelectionBar } from './selection.tsx';

/** The screen of all memories. */
export function ListScreen() {
  const filter = readFilter(place.value.query);
  const isFiltered = pathOfFilter(filter) !== '';
  return (
    <div class="list">
      <h1 tabIndex={-1}>Memories</h1>
      <div class="tools">
        <FilterForm filter={filter} />
        <AsCurl path="/memories" query={{ ...listOfFilter(filter, zone.value), limit: 100 }} />
        <SelectionBar />
      </div>
      <MemoryList
        filter={filter}
        none={isFiltered ? <NonePass key={place.value.query} filter={filter} /> : <Empty />}
        above={
          isFiltered
            ? undefined
            : (days) => (
                <>
                  <SamplesNote />
                  <Home days={days} />
                </>
              )
        }
      />
    </div>
  );
}

function Empty() {
  const account = me.value?.account.id ?? '';
  return (
    <div class="empty">
      <p class="lead">No memories yet</p>
      {me.value?.can_import === true ? (
        <p>
          <Link to="start">Bring in your recordings, or look at samples</Link>
        </p>
      ) : (
        <>
          <p>Import recordings where the gateway runs, for example a folder of transcripts:</p>
          <CopyText label="Command" text={`memory-gateway import --account ${account} FOLDER`} />
        </>
      )}
      <p>
        <Link to="settings/access">Or create an API key for a program</Link>
      </p>
    </div>
  );
}
