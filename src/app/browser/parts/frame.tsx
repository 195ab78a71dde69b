// The frame around every screen: links, the bar about the connection, the notice with Undo, and the content.

import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

import { hasLetters, toggleSheet, useShortcuts } from '../keyboard/keyboard.ts';
import { unseen } from '../state/changes/change-list.ts';
import { tellFailure, undo, undoable } from '../state/changes/undo.ts';
import { isLost } from '../state/connection.ts';
import { loadBookmarks } from '../state/list/bookmarks.ts';
import { forgetList } from '../state/list/list.ts';
import { back, go, place } from '../state/router.ts';
import { isSaved } from '../state/search/typing.ts';
import { isLeaving, may, me, shownName } from '../state/session.ts';
import { dates, today } from '../time-formats.ts';
import { useAction } from './controls/action.ts';
import { Menu } from './controls/menu.tsx';
import { Link } from './link.tsx';
import { FailureNotice, PassingButton } from './notice.tsx';
import { SearchBox } from './search-box.tsx';

/** The frame of a signed-in reader. */
export function Frame({ children }: { readonly children: ComponentChildren }) {
  const { path, query, hash } = place.value;
  useFrameKeys(path);
  const account = me.value?.account.id;
  useEffect(() => {
    // Without them a screen only lacks its stars.
    if (account !== undefined) loadBookmarks().catch(() => undefined);
  }, [account]);
  // A filter is in the list, and what is found is in none of these places, unless it is saved.
  const isSearch = path.startsWith('search');
  const isOwn = query + hash === '' || isSaved.value;
  const isList = isSearch ? !isOwn && !/\bq=/.test(query) : /^(start)?$/.test(path);
  const link = (to: string, text: ComponentChildren, isCurrent = path === to) => (
    <Link to={to} isCurrent={isCurrent}>
      {text}
    </Link>
  );
  const canSignOut = me.value?.session !== null || me.value?.sign_out_url !== null;
  return (
    // A column for times is as wide as the longest one.
    <div class="frame" style={{ '--at': `${dates.value.time('2000-01-01T22:00Z').length}ch` }}>
      <a class="skip" href="#content" onClick={skip}>
        Skip to the content
      </a>
      <header>
        <SearchBox />
        <nav aria-label="Main">
          <Link to="" isCurrent={isList} onGo={forgetList}>
            Memories
          </Link>
          {link('calendar', 'Calendar', /^(calendar|days|weeks|months)\b/.test(path))}
          {link('people', 'People', /^people\b/.test(path))}
        </nav>
        <Menu
          label="Menu"
          class="rest"
          sign={<>Menu{unseen.value > 0 && <i class="dot" aria-hidden="true" />}</>}
        >
          <nav aria-label="More">
            {link('actions', 'Action items')}
            {link('starred', 'Starred')}
            {link('search', 'Searches', isSearch && isOwn)}
            <hr />
            {may('import') && link('import', 'Import')}
            {link('connect', 'Connect')}
            <hr />
            {link(
              'changes',
              <>
                Changes
                {unseen.value > 0 && (
                  <span class="badge">{` ${unseen.value < 100 ? unseen.value : '99+'} new`}</span>
                )}
              </>,
            )}
            {may('bin') && link('bin', 'Bin')}
            {link('settings/reading', 'Settings', path.startsWith('settings/'))}
          </nav>
          <div class="who">
            <span class="name">{shownName()}</span>
            <button type="button" class="plain for-keyboards" onClick={toggleSheet}>
              Keyboard
            </button>
            {canSignOut && (
              <button type="button" class="plain" onClick={leave}>
                Sign out
              </button>
            )}
          </div>
        </Menu>
      </header>
      {/* A memory. Before the reader is loaded as well, so that nothing moves then. */}
      <main id="content" class={path.startsWith('m/') ? 'wide' : ''} tabIndex={-1}>
        <ConnectionBar />
        <UndoNotice />
        {children}
      </main>
    </div>
  );
}

function useFrameKeys(path: string): void {
  useShortcuts(
    [
      { keys: ['g l'], text: 'Memories', run: () => go('') },
      { keys: ['g c'], text: 'Calendar', run: () => go('calendar') },
      { keys: ['g d'], text: 'Today', run: () => go(`days/${today()}`) },
      { keys: ['g s'], text: 'Settings', run: () => go('settings/reading') },
      ...(path === '' ? [] : [{ keys: ['u', 'Escape'], text: 'Back', run: back }]),
      { keys: ['?'], text: 'These keys', run: toggleSheet },
    ],
    'everywhere',
  );
}

/** A bar that says that there is no connection. What has been read can still be opened. */
export function ConnectionBar() {
  return (
    <div role="status" class="bar" hidden={!isLost.value}>
      {isLost.value && 'No connection. Trying again…'}
    </div>
  );
}

/** Says for a while what was changed, and undoes it, and why an action failed. */
function UndoNotice() {
  const change = undoable.value;
  return (
    <div role="status" class="undo" hidden={!change}>
      {change?.said}
      {change?.undo && <UndoButton />}
      <FailureNotice failure={change?.failure} />
    </div>
  );
}

function UndoButton() {
  const undoing = useAction(tellFailure);
  const run = () => void undoing.run(undo);
  useShortcuts([{ keys: ['z', 'mod+z'], text: 'Undo', run }], 'everywhere');
  return (
    <PassingButton title={hasLetters.value ? 'Undo (z)' : undefined} onClick={run}>
      {undoing.isBusy ? 'Undoing…' : 'Undo'}
    </PassingButton>
  );
}

function leave(): void {
  isLeaving.value = true;
}

// By script, because a fragment would become an entry of the history.
function skip(event: Event): void {
  event.preventDefault();
  document.getElementById('content')?.focus();
}
