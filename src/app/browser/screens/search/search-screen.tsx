// Search: the passages for the typed words, best first or newest first, or the memories within its limits.

import { useLayoutEffect, useState } from 'preact/hooks';

import { useShortcuts } from '../../keyboard/keyboard.ts';
import { focusNext, useRowKeys } from '../../keyboard/row-keys.ts';
import { Link } from '../../parts/link.tsx';
import { Chips } from '../../parts/lists/chips.tsx';
import { FailureNotice, Loading } from '../../parts/notice.tsx';
import { Options } from '../../parts/options.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { isolated } from '../../parts/title.ts';
import { comebacks } from '../../state/connection.ts';
import { focusHeading } from '../../state/focus.ts';
import { isLimited, listOfFilter, readFilter } from '../../state/list/filter.ts';
import { zone } from '../../state/reading.ts';
import { back, place, useArrival } from '../../state/router.ts';
import { inputOf, type SearchInput } from '../../state/search/search-input.ts';
import { searchPath } from '../../state/search/search-path.ts';
import {
  forgetFound,
  hasDeleted,
  isFound,
  isNewest,
  moreFound,
  search,
  startSearch,
} from '../../state/search/search.ts';
import { isSaved, RESULTS, settles } from '../../state/search/typing.ts';
import { weekOf } from '../../time-formats.ts';
import { MemoryList } from '../list/memory-list.tsx';
import { PersonRow } from '../people/people-screen.tsx';
import { Filters, ListCount } from './filters.tsx';
import { useUnderstood } from './limits.tsx';
import { Results } from './results.tsx';
import { nameOf, SavedSearches, SaveSearch, useSaved } from './saved.tsx';
import { Corrections, FoundCount, NothingFound } from './understood.tsx';

/** The orders by the names that addresses have. */
const ORDERS = { '': 'Best', newest: 'Newest' } as const;

/** The screen of a search. */
export function SearchScreen() {
  const { query: address, hash } = place.value;
  const { query, chips, meant, named = [], offered, isReady } = useUnderstood();
  const input = inputOf(query, zone.value);
  const byTime = isNewest();
  const filter = readFilter(query);
  const words = new URLSearchParams(address).get('q') ?? '';
  const people = filter.person[0] ? [] : named;
  const saved = useSaved();
  // The list leads here to be filtered.
  const isFilter = !input && (hash !== '' || isLimited(filter));
  const title = input || words ? 'Search' : isFilter ? 'Memories' : 'Searches';
  const { found } = search.value;
  // Nothing can be sorted or saved.
  const hasNothing = input !== undefined && found?.memories_found === 0 && !found.passages.length;
  const isThere = input === undefined || isFound(input);
  useLayoutEffect(() => {
    if (!settles.value || !isReady || !isThere) return;
    settles.value = false;
    if (input) focusNext(RESULTS, 1);
    else focusHeading();
  }, [settles.value, isReady, isThere]);
  useLayoutEffect(() => {
    isSaved.value = saved.known !== undefined;
    return () => {
      isSaved.value = false;
    };
  }, [saved.known === undefined]);
  useShortcuts([
    { keys: ['u'], text: 'Back to where you were', run: back },
    // Who has closed a memory by it would leave what was found by one press too many.
    { keys: ['Escape'], text: 'To the top of what was found', run: toTop },
  ]);
  return (
    <div class="list">
      <div class="heading">
        <h1 tabIndex={-1} dir="auto">
          {isolated(saved.known?.name ?? title)}
        </h1>
        {!hasNothing && <SaveSearch key={`${address} ${saved.known?.name}`} {...saved} />}
        {input && <Options path="/search" query={{ ...input, q: input.q.trim() }} />}
        {isFilter && <Options hasRows path="/memories" query={listOfFilter(filter, zone.value)} />}
      </div>
      {!input && !isFilter && (
        <>
          <SavedSearches {...saved} />
          <Hint title={title} />
        </>
      )}
      {people.length > 0 && (
        <ul class="people" aria-label="People">
          {people.map((person) => (
            <li key={person.name}>
              <PersonRow person={person} />
            </li>
          ))}
        </ul>
      )}
      {/* What is found by its meaning alone has one order. */}
      {input && (byTime || found?.memories_found !== 0) && (
        <Tabs
          label="Order"
          choices={ORDERS}
          choice={byTime ? 'newest' : ''}
          pathOf={(sort) => searchPath(address, { sort })}
          isInstead
        />
      )}
      {input && found && !hasNothing && <Corrections found={found} />}
      <div class="actions">
        <Chips chips={chips} />
        {meant && (
          <span>
            Results for <b dir="auto">{isolated(meant)}</b>
          </span>
        )}
        {(!input || meant) && words && (
          <Link to={searchPath(address, { q: words.replaceAll(/[^\s"]+/g, '"$&"') })} isInstead>
            Search as typed
          </Link>
        )}
        {input && found && !hasNothing && <FoundCount found={found} />}
        {offered && (
          <Link to={searchPath(address, offered)} isInstead>
            All {nameOf(`${new URLSearchParams(offered)}`)}
          </Link>
        )}
        {isFilter && <ListCount filter={filter} />}
        {/* Folded again for another order. Last, because the link to it is at the side as well. */}
        {(isFilter || (input && !(hasNothing && chips.length === 0))) && (
          <Filters key={byTime} startsOpen={hash !== ''} />
        )}
      </div>
      {hasNothing && found && (
        <>
          <NothingFound found={found} />
          <HowTo />
        </>
      )}
      {input ? (
        <Found {...{ input, query, isReady }} />
      ) : (
        isFilter && (
          <MemoryList
            filter={filter}
            title={title}
            none={
              <p dir="auto">
                Nothing {isolated(nameOf(query))}.{' '}
                {filter.from !== '' && (
                  <Link to={`weeks/${weekOf(filter.from)}`}>See that week</Link>
                )}
              </p>
            }
          />
        )
      )}
    </div>
  );
}

function toTop(): void {
  scrollTo(0, 0);
  focusHeading();
}

/** Explains the search box while it is empty. */
function Hint({ title }: { readonly title: string }) {
  useArrival(true, title);
  // The results of an earlier search must not appear with the next one.
  useLayoutEffect(() => startSearch(''), []);
  return <HowTo />;
}

function HowTo() {
  return (
    <details>
      <summary>How to search</summary>
      <p>
        Words find passages with any of them. A "phrase" or a prefix* must occur. Write{' '}
        <b>last tuesday</b> or <b>with</b> and a name as limits.
      </p>
    </details>
  );
}

interface FoundProps {
  readonly input: SearchInput;
  readonly query: string;
  readonly isReady: boolean;
}

function Found({ input, query, isReady }: FoundProps) {
  const { found, failure, isLoading } = search.value;
  const isCurrent = isFound(input);
  const [turn, setTurn] = useState(0);
  const again = () => setTurn(turn + 1);
  // Not a frame later, as other effects are.
  useLayoutEffect(
    () => (isReady ? startSearch(query) : undefined),
    [JSON.stringify(input), isNewest(), comebacks.value, turn, isReady, hasDeleted()],
  );
  useArrival(place.value.kept === undefined || isCurrent, input.q);
  useRowKeys(RESULTS, 'result', 'Open the result');
  return (
    <div class="list" aria-busy={isLoading}>
      {found === undefined && isLoading && <Loading />}
      {found !== undefined && (
        <Results
          found={found}
          onAgain={() => {
            forgetFound();
            again();
          }}
        />
      )}
      <FailureNotice failure={failure} onRetry={isCurrent ? moreFound : again} />
    </div>
  );
}
