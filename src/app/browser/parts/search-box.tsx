// The search box of the frame: what is typed there is searched at once.

import { useRef } from 'preact/hooks';

import { useShortcuts } from '../keyboard/keyboard.ts';
import { focusNext } from '../keyboard/row-keys.ts';
import { back, place, SEARCH_BOX } from '../state/router.ts';
import { endQuery, RESULTS, settles, typeQuery } from '../state/search/typing.ts';

/** The search box. */
export function SearchBox() {
  const box = useRef<HTMLInputElement>(null);
  const before = useRef<HTMLElement | null>(null);
  const { path, query } = place.value;
  const isHere = path === 'search';
  useShortcuts(
    [
      { keys: ['/'], text: 'Search', run: () => box.current?.select() },
      { keys: ['mod+k'], text: 'Search', run: () => box.current?.select(), inFields: true },
    ],
    'everywhere',
  );
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    if (event.key === 'Escape') {
      box.current?.blur();
      if (isHere) back();
      else before.current?.focus();
    } else if (event.key === 'Enter') endQuery();
    else if (event.key === 'ArrowDown' && isHere) focusNext(RESULTS, 1);
    else return;
    event.preventDefault();
  };
  return (
    <search class="search">
      <input
        ref={box}
        id={SEARCH_BOX}
        type="search"
        aria-label="Search"
        placeholder="Search"
        aria-keyshortcuts="/ Control+K Meta+K"
        autocomplete="off"
        spellcheck={false}
        enterkeyhint="search"
        maxLength={4096}
        dir="auto"
        value={isHere ? (new URLSearchParams(query).get('q') ?? '') : ''}
        onInput={(event) => typeQuery(event.currentTarget.value)}
        onFocus={(event) => {
          before.current = event.relatedTarget as HTMLElement | null;
        }}
        onBlur={() => {
          settles.value = false; // the reader is somewhere else
        }}
        onKeyDown={onKeyDown}
      />
    </search>
  );
}
