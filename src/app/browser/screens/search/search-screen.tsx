// Search: the passages of what is typed in the search box, best first, under their memories.

import { useLayoutEffect, useState } from 'preact/hooks';

import { useShortcuts } from '../../keyboard/keyboard.ts';
import { focusNext, useRowKeys } from '../../keyboard/row-keys.ts';
import { AsCurl } from '../../parts/as-curl.tsx';
import { FailureNotice, Loading } from '../../parts/notice.tsx';
import { comebacks } from '../../state/connection.ts';
import { back, place, useArrival } from '../../state/router.ts';
import {
  currentInput,
  forgetFound,
  isFound,
  moreFound,
  opensBest,
  RESULTS,
  search,
  startSearch,
} from '../../state/search/search.ts';
import { Filters } from './filters.tsx';
import { Results } from './results.tsx';

/** The screen of a search. */
export function SearchScreen() {
  const { found, failure, isLoading } = search.value;
  const input = currentInput();
  const isCurrent = isFound(input);
  const [turn, setTurn] = useState(0);
  const again = () => setTurn(turn + 1);
  // Not a frame later, as other effects are.
  useLayoutEffect(() => startSearch(input), [JSON.stringify(input), comebacks.value, turn]);
  useArrival(place.value.kept === undefined || isCurrent, input?.q ?? 'Search');
  useLayoutEffect(() => {
    if (!isCurrent || !opensBest.value) return;
    opensBest.value = false;
    focusNext(RESULTS, 1)?.click();
  }, [isCurrent, opensBest.value]);
  useRowKeys(RESULTS, {
    next: 'Next result',
    previous: 'Previous result',
    open: 'Open the result',
  });
  useShortcuts([{ keys: ['u', 'Escape'], text: 'Back to where you were', run: back }]);
  return (
    <div class="list" aria-busy={isLoading}>
      <h1 tabIndex={-1}>Search</h1>
      <Filters />
      {input === undefined && (
        <p class="note">
          Type words to find passages with any of them. A "phrase" in quotes or a prefix* must
          occur.
        </p>
      )}
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
      {input !== undefined && (
        <AsCurl path="/search" query={isCurrent ? { ...input, q: found?.q } : { ...input }} />
      )}
    </div>
  );
}
