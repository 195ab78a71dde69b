// The filters of a search, folded away: days in the reader's time zone, and the state.

import { go, place } from '../../state/router.ts';
import { searchPath } from '../../state/search/search-request.ts';

/** Dates and state, which the address has as well. */
export function Filters() {
  const { query } = place.value;
  const asked = new URLSearchParams(query);
  const field = (name: string) => ({
    id: name,
    value: asked.get(name) ?? '',
    onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      go(searchPath(query, { [name]: currentTarget.value }), 'replace'),
  });
  return (
    <details class="filters">
      <summary>Days and state</summary>
      <div class="actions">
        <label>
          From <input type="date" {...field('from')} />
        </label>
        <label>
          To <input type="date" {...field('to')} />
        </label>
        <label>
          State{' '}
          <select {...field('state')}>
            {Object.entries({ '': 'All', ready: 'Ready', processing: 'Processing' }).map(
              ([value, text]) => (
                <option key={value} value={value}>
                  {text}
                </option>
              ),
            )}
          </select>
        </label>
      </div>
    </details>
  );
}
