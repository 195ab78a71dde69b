// The reader: one memory with its summary, and its transcript as lines that have numbers and addresses.

import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';

import type { Memory } from '../../../../contract/schemas/memory.ts';
import { findScreen, type ScreenName } from '../../../screens.ts';
import { useShortcuts } from '../../keyboard/keyboard.ts';
import { useAction } from '../../parts/action.ts';
import { AsCurl } from '../../parts/as-curl.tsx';
import { Link } from '../../parts/link.tsx';
import { FailureNotice, Loading, Notice } from '../../parts/notice.tsx';
import { dates } from '../../parts/time-formats.ts';
import { titleOf } from '../../parts/title.ts';
import { news } from '../../state/change-list.ts';
import { knownRow } from '../../state/list/list.ts';
import { useResource } from '../../state/resource.ts';
import { back, holdRead, place, useArrival, type LineSpot } from '../../state/router.ts';
import { searchPath } from '../../state/search/search-request.ts';
import { app } from '../../state/session.ts';
import { AboutMemory, Neighbours, Shares } from './about-memory.tsx';
import { isLong } from './blocks.ts';
import { FindBar } from './find.tsx';
import { findLines, readFragment, splitTranscript } from './lines.ts';
import { keptMemory, readMemory } from './memory.ts';
import { huesOf, sharesOf } from './speakers.ts';
import { Transcript, type TranscriptProps } from './transcript.tsx';
import type { View } from './view.ts';

/** The screen of one memory. */
export function ReaderScreen({ id }: { readonly id: string }) {
  const view = useRef<View>(null);
  const seen = useRef<LineSpot>(undefined);
  const [start, setStart] = useState<Memory>();
  const { data, failure, reload } = useResource(`memory ${id}`, async () => {
    const read = await readMemory(id, setStart);
    seen.current = readSpot(view.current);
    return read;
  });
  const change = news.value.find(({ memory_id }) => memory_id === id);
  useEffect(() => {
    if (change !== undefined) reload();
  }, [change]);

  const { kept, hash, query } = place.value;
  // The first lines are enough for a reader who begins at the top.
  const isAtTop = kept === undefined && hash === '' && query === '';
  const whole = data ?? keptMemory(id);
  const memory = whole ?? (isAtTop && start?.id === id ? start : undefined);
  const isGone = failure?.status === 404;
  const hasText = memory !== undefined;
  const name = (memory ?? knownRow(id))?.name;
  const unknown = isGone ? 'This memory does not exist, or it was deleted.' : 'Memory';
  const title = name === undefined || (isGone && !hasText) ? unknown : titleOf(name);
  const lines = useMemo(() => splitTranscript(memory?.transcript ?? ''), [memory?.transcript]);
  const target = readFragment(hash);
  const marked = useMemo(() => target && findLines(lines, target), [lines, hash]);
  useLayoutEffect(() => holdRead(() => ({ line: readSpot(view.current) })), []);
  const toSpot = (spot: LineSpot | undefined) => {
    const found = spot && findLines(lines, spot);
    if (found) view.current?.toLine(found.first, spot.top);
    return found !== undefined;
  };
  useArrival(hasText || isGone, title, () => {
    if (kept !== undefined) return toSpot(kept.line);
    // A line that is gone was near this number.
    return (target && view.current?.toLine((marked ?? target).first)) ?? false;
  });
  // What is being read stays where it is on the screen when the memory has changed.
  useLayoutEffect(() => {
    toSpot(seen.current);
    seen.current = undefined;
  }, [memory]);

  return (
    <article class="reader">
      <p class="up">
        <UpLink />
      </p>
      <h1 tabIndex={-1} dir="auto">
        {title}
      </h1>
      {isGone && hasText && (
        <Notice>
          This memory was deleted. Its text stays on the screen until you leave this page.
        </Notice>
      )}
      {!isGone && <FailureNotice failure={failure} onRetry={reload} />}
      {!hasText && failure === undefined && <Loading rows={10} />}
      {hasText && (
        <MemoryText {...{ memory, title, lines, marked, view, isWhole: whole !== undefined }} />
      )}
      <AsCurl path={`/memories/${id}`} />
    </article>
  );
}

/** The way back to the screen that led here, as it was left, or to the list. */
function UpLink() {
  const { from, query } = place.value;
  const words = new URLSearchParams(query).get('q');
  const path = from ?? (words === null ? '' : searchPath('', { q: words }));
  const [screen = '', asked] = path.split('?');
  const found = findScreen(screen);
  const names: Partial<Record<ScreenName, string>> = {
    search: `Search: ${new URLSearchParams(asked).get('q') ?? ''}`,
    day: found?.name === 'day' ? dates.value.date(found.about) : '',
    calendar: 'Calendar',
    changes: 'Changes',
    list: 'Memories',
  };
  const name = found && names[found.name];
  return (
    <Link to={name === undefined ? '' : path} isBack={name !== undefined && path === from}>
      ← <bdi>{name ?? names.list}</bdi>
    </Link>
  );
}

/** Returns the line that is read, unless the reader is at the top. */
function readSpot(view: View | null): LineSpot | undefined {
  return scrollY > 0 ? view?.spot() : undefined;
}

interface TextProps extends Omit<TranscriptProps, 'onFill'> {
  /** Whether all lines are there. */
  readonly isWhole: boolean;
}

function MemoryText({ memory, lines, marked, view, title, isWhole }: TextProps) {
  const words = new URLSearchParams(place.value.query).get('q') ?? '';
  const [isFinding, setFinding] = useState(words !== '');
  const filled = useSignal(0);
  const isPart = useMemo(() => isLong(lines), [lines]);
  const saving = useAction();
  const shares = useMemo(() => sharesOf(lines), [lines]);
  const hues = useMemo(() => huesOf(lines), [lines]);
  useEffect(() => setFinding(words !== ''), [words]);
  const find = () => {
    setFinding(true);
    document.querySelector<HTMLInputElement>('.find input')?.select();
  };
  const save = () => saving.run(async () => download(await app.notes.get({ id: memory.id })));
  const leave = () => {
    if (isFinding && words === '') setFinding(false);
    else back();
  };
  useShortcuts([
    // A browser finds only what is in the page.
    { keys: isPart ? ['f', 'mod+f'] : ['f'], text: 'Find', run: find },
    { keys: ['e'], text: 'Markdown', run: save },
    { keys: ['u'], text: 'Back', run: leave },
    { keys: ['Escape'], text: 'Back', run: leave, inFields: isFinding },
  ]);
  return (
    <>
      <AboutMemory memory={memory} />
      <p class="actions tools">
        <button type="button" onClick={find}>
          Find
        </button>
        <button type="button" onClick={save} disabled={saving.isBusy}>
          Markdown
        </button>
        <button type="button" onClick={() => print()}>
          Print
        </button>
      </p>
      <FailureNotice failure={saving.failure} />
      {shares.length > 0 && <Shares {...{ shares, hues, isWhole }} />}
      {isFinding && (
        <FindBar
          key={words}
          {...{ id: memory.id, lines, view, words, filled, from: marked?.first }}
          onClose={() => setFinding(false)}
        />
      )}
      <Transcript
        {...{ memory, title, lines, marked, view }}
        onFill={() => {
          filled.value += 1;
        }}
      />
      <Neighbours memory={memory} hasKeys={!isFinding} />
    </>
  );
}

/** Saves a text as a file. */
function download({ name, text }: { readonly name: string; readonly text: string }): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/markdown' }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
