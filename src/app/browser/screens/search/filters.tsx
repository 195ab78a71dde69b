// The filters of a search, folded away: days in the reader's time zone, and the state.

import { go, place } from '../../state/router.ts';
import { searchPath } from '../../state/search/request.ts';
import { SEARCH } from '../../texts.ts';

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
      <summary>{SEARCH.filters}</summary>
      <div class="actions">
        <label>
          {SEARCH.from} <input type="date" {...field('from')} />
        </label>
        <label>
          {SEARCH.to} <input type="date" {...field('to')} />
        </label>
        <label>
          {SEARCH.state}{' '}
          <select {...field('state')}>
            {Object.entries(SEARCH.states).map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        </label>
      </div>
    </details>
  );
}
