// What stands in place of a page or a memory that does not exist: what may have been meant.

import { place } from '../state/router.ts';
import { searchPath } from '../state/search/search-path.ts';
import { me } from '../state/session.ts';
import { Link } from './link.tsx';

/** Links to what the address may have meant: a search for its words, the bin, and all memories. */
export function MaybeMeant() {
  // Ids of letters and digits have no words, and neither has the ending of a file. `~20` is a space.
  const named = place.value.path.replace(/\.\w+$/, '').replaceAll(/~\w\w/g, ' ');
  const words = named.match(/\b[a-z]{3,}\b/gi)?.join(' ');
  return (
    <ul class="plain-list">
      {words !== undefined && (
        <li>
          <Link to={searchPath('', { q: words })}>Search for “{words}”</Link>
        </li>
      )}
      {(me.value?.bin_days ?? 0) > 0 && (
        <li>
          <Link to="bin">Look in the bin</Link>
        </li>
      )}
      <li>
        <Link to="">See all memories</Link>
      </li>
    </ul>
  );
}
