// The bar that stays above a memory: the way back, its name, where it is read, and its tools. What is not reading is in its menu.

import { useMemo, useState } from 'preact/hooks';

import { hueClass, type Hues } from '../../../../text/hues.ts';
import { percentOf } from '../../../../text/percent.ts';
import type { Scale } from '../../../../text/score.ts';
import { sharesOf } from '../../../../text/shares.ts';
import { findScreen, type ScreenName } from '../../../screens.ts';
import { useShortcuts } from '../../keyboard/keyboard.ts';
import { AsCurl } from '../../parts/as-curl.tsx';
import { Menu, MenuAction } from '../../parts/controls/menu.tsx';
import { canChange, useDeleting } from '../../parts/deleting.tsx';
import { Link } from '../../parts/link.tsx';
import { isolated, personOf } from '../../parts/title.ts';
import { bookmarkOf, loadBookmarks } from '../../state/list/bookmarks.ts';
import type { ReadPlace } from '../../state/places.ts';
import { back, place } from '../../state/router.ts';
import { searchPath } from '../../state/search/search-path.ts';
import { me } from '../../state/session.ts';
import { dates } from '../../time-formats.ts';
import { isLong } from './blocks.ts';
import { RenameDialog, SpeakerDialog, StartDialog } from './edits/edit-dialogs.tsx';
import { FindBar } from './find.tsx';
import { NoteDialog, StarButton } from './keep/bookmark.tsx';
import { useKeepActions, type KeepProps } from './keep/keep-actions.tsx';
import { shareRead } from './keep/keep-place.ts';
import type { ReaderState } from './reader-state.ts';
import { ShareDialog } from './share.tsx';
import { turnsOf } from './speakers.ts';
import { goToTurn, lookedAt } from './transcript.tsx';

/** The way back to the screen that led here, as it was left, or to the list. */
export function UpLink() {
  const { from, query } = place.value;
  const words = new URLSearchParams(query).get('q');
  const path = from ?? (words === null ? '' : searchPath('', { q: words }));
  const [screen = '', asked] = path.split('?');
  const found = findScreen(screen);
  const { date, monthOfYear } = dates.value;
  const names: Partial<Record<ScreenName, (about: string) => string>> = {
    search: () => `Search: ${new URLSearchParams(asked).get('q') ?? ''}`,
    day: date,
    week: (about) => `Week of ${date(about)}`,
    month: monthOfYear,
    person: (about) => personOf(new URLSearchParams(`name=${about}`).get('name') ?? ''),
    calendar: () => 'Calendar',
    changes: () => 'Changes',
    actions: () => 'Action items',
    starred: () => 'Starred',
    bin: () => 'Bin',
    import: () => 'Import',
    edits: () => 'Edits',
    shares: () => 'Shares',
    list: () => 'Memories',
  };
  const name = found && names[found.name]?.(found.about);
  return (
    <Link to={name === undefined ? '' : path} isBack={name !== undefined && path === from}>
      ← <bdi>{isolated(name ?? 'Memories')}</bdi>
    </Link>
  );
}

/** What the tools of a memory need. */
export interface ToolsProps extends KeepProps {
  readonly scale: Scale;
  readonly hues: Hues;
  /** The words of the address, which the find bar shows until the reader leaves. */
  readonly words: string;
  /** Where the memory was read at the last visit. */
  readonly before: ReadPlace | undefined;
  /** Goes there, and returns the line. */
  readonly goOn: () => HTMLElement | null | undefined;
  readonly state: ReaderState;
  /** Reads the memory again. */
  readonly reload: () => void;
}

/** Where a memory is read, and its tools. */
export function Tools(props: ToolsProps) {
  const { memory, title, lines, words, before, goOn, marked, state, reload } = props;
  const { isFinding, only } = state;
  const [opened, setOpened] = useState<'note' | 'rename' | 'start' | 'speaker'>();
  const close = () => setOpened(undefined);
  // A dialog takes the selection away, so what is shared is what was chosen when it opened.
  const shared = state.shared.value;
  const chosen = shared === undefined ? (state.selected.value ?? marked) : (shared ?? undefined);
  const keeping = useKeepActions({ ...props, chosen });
  // The reader may be elsewhere by then.
  const deleting = useDeleting(() => {
    if (state.view.current !== null) back();
  });
  const speakers = useMemo(
    () => sharesOf(lines, Infinity).flatMap(({ speaker }) => speaker ?? []),
    [lines],
  );
  const isPart = useMemo(() => isLong(lines), [lines]);
  const find = () => {
    isFinding.value = true;
    document.querySelector<HTMLInputElement>('.find input')?.select();
  };
  const leave = () => {
    if (only.value !== undefined) only.value = undefined;
    else if (isFinding.value && words === '') isFinding.value = false;
    else back();
  };
  useShortcuts([
    // A browser finds only what is in the page.
    { keys: isPart ? ['f', 'mod+f'] : ['f'], text: 'Find', run: find },
    { keys: ['u'], text: 'Back', run: leave },
    { keys: ['Escape'], text: 'Back', run: leave, inFields: isFinding.value },
  ]);
  const { first = 1, isNamed = true } = state.position.value ?? {};
  // What another tab has noted must not be lost.
  const openNote = () =>
    void keeping.run(async () => {
      await loadBookmarks();
      setOpened('note');
    });
  return (
    <>
      {isFinding.value ? (
        <FindBar key={words} id={memory.id} {...{ lines, words, state }} from={marked?.first} />
      ) : only.value === undefined ? (
        <span class="bar-title" dir="auto" aria-hidden="true">
          {!isNamed && title}
        </span>
      ) : (
        <OnlyBar {...props} />
      )}
      {!isFinding.value &&
        first === 1 &&
        before !== undefined &&
        before.share > 0 &&
        before.share < 1 && (
          <button
            type="button"
            class="continue"
            onClick={() => goOn()?.focus({ preventScroll: true })}
          >
            Continue at {percentOf(before.share)}
          </button>
        )}
      <span class="bar-tools">
        {first > 1 && only.value === undefined && (
          <span class="progress note">{percentOf(shareRead(props))}</span>
        )}
        {me.value?.can_write && <StarButton id={memory.id} />}
        <button type="button" class="plain" onClick={find}>
          Find
        </button>
        <Menu label="More" sign="⋯">
          {me.value?.can_write && (
            <MenuAction onRun={openNote}>
              {bookmarkOf(memory.id).note === '' ? 'Add a note' : 'Change your note'}
            </MenuAction>
          )}
          {canChange() && (
            <>
              <MenuAction onRun={() => setOpened('rename')}>Rename</MenuAction>
              <MenuAction onRun={() => setOpened('start')}>Change the start</MenuAction>
              {speakers.length > 0 && (
                <MenuAction onRun={() => setOpened('speaker')}>Name a speaker</MenuAction>
              )}
            </>
          )}
          {me.value?.can_write && <hr />}
          {me.value?.can_share && (
            <MenuAction
              onRun={() => {
                state.shared.value = chosen ?? null;
              }}
            >
              {chosen === undefined ? 'Share' : 'Share marked lines'}
            </MenuAction>
          )}
          {keeping.actions}
          <hr />
          <Link to="settings/reading" class="item">
            Text size and font
          </Link>
          <AsCurl path={`/memories/${memory.id}`} />
          {canChange() && (
            <>
              <hr />
              <MenuAction isBusy={deleting.isBusy} onRun={() => deleting.start([memory.id])}>
                Delete
              </MenuAction>
            </>
          )}
        </Menu>
      </span>
      {shared !== undefined && (
        <ShareDialog
          memory={memory}
          marked={chosen}
          onFile={keeping.saveOne}
          onClose={() => {
            state.shared.value = undefined;
          }}
        />
      )}
      {opened === 'note' && <NoteDialog id={memory.id} onClose={close} />}
      {opened === 'rename' && <RenameDialog memory={memory} onChange={reload} onClose={close} />}
      {opened === 'start' && <StartDialog memory={memory} onChange={reload} onClose={close} />}
      {opened === 'speaker' && (
        <SpeakerDialog {...{ memory, speakers }} onChange={reload} onClose={close} />
      )}
      {deleting.shown}
    </>
  );
}

/** About the only speaker who is shown: which turn is looked at, and the way to the others. */
function OnlyBar({ lines, hues, state }: Pick<ToolsProps, 'lines' | 'hues' | 'state'>) {
  const { only } = state;
  const speaker = only.value ?? '';
  const turns = useMemo(() => turnsOf(lines, speaker), [lines, speaker]);
  const here = lookedAt(state);
  // Before the first frame, other lines than those of the speaker may be on the screen.
  const at = Math.max(1, turns.findLastIndex((number) => number <= here) + 1);
  const step = (by: 1 | -1) => () => void goToTurn(lines, state, { step: by });
  return (
    <p class="only">
      <span role="status">
        Only <bdi class={hueClass(hues, speaker)}>{personOf(speaker)}</bdi> ·{' '}
        {`${at.toLocaleString('en')}\u00a0of\u00a0${turns.length.toLocaleString('en')}`}
      </span>
      <button type="button" aria-label="Previous turn" onClick={step(-1)}>
        ↑
      </button>
      <button type="button" aria-label="Next turn" onClick={step(1)}>
        ↓
      </button>
      <button
        type="button"
        aria-label="Show all"
        onClick={() => {
          only.value = undefined;
        }}
      >
        All
      </button>
    </p>
  );
}
