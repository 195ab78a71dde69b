// The find bar: counts the hits of words in a transcript and steps through them. The browser's own search works beside it.

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

import type { TranscriptLine } from '../../../../text/turns.ts';
import { useShortcuts } from '../../keyboard/keyboard.ts';
import { place } from '../../state/router.ts';
import type { Span } from './lines.ts';
import { findHits, findTyped } from './memory.ts';
import type { ReaderState } from './reader-state.ts';
import type { View } from './view.ts';

/** What the find bar needs. */
export interface FindProps {
  readonly id: string;
  readonly lines: readonly TranscriptLine[];
  readonly state: ReaderState;
  /** The words of the address. With them, the bar opens without the focus. */
  readonly words: string;
  /** The line that is marked: the first hit is not before it. */
  readonly from: number | undefined;
}

const PAUSE_MS = 150;
/** The most hits that are coloured before the current one, and after it. All of them would take seconds. */
const PAINTED = 5000;

/** The find bar. */
export function FindBar({ id, lines, state, words, from }: FindProps) {
  const { view, filled } = state;
  const hits = state.hits.value;
  const [q, setQ] = useState(words);
  const [at, setAt] = useState(0);
  /** Whether nothing has the words in their order, so that each is found alone. */
  const [isApart, setApart] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  /** The line on which the bar was opened. Words that are typed are found from this line on. */
  const start = useRef(from ?? state.position.peek()?.first ?? 1);
  /** The words whose first hit was shown. Back, and a memory that has changed, must not move the reader. */
  const shownFor = useRef(place.value.kept === undefined ? undefined : words);

  useLayoutEffect(() => {
    const opener = document.activeElement as HTMLElement;
    // At once, not after the next frame: the next keys are its first letters.
    if (words === '') field.current?.focus();
    return () => opener.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    const isTyped = q !== words;
    if (q.trim() === '') {
      state.hits.value = undefined;
      return undefined;
    }
    const control = new AbortController();
    const find = async () => {
      try {
        const text = { id, lines };
        let found = await (isTyped ? findTyped : findHits)(text, q, control.signal);
        const isNone = isTyped && found.length === 0 && /\s/.test(q.trim());
        if (isNone) found = await findHits(text, q, control.signal);
        if (control.signal.aborted) return;
        setApart(isNone);
        const first = Math.max(
          0,
          found.findIndex(({ line }) => line >= (isTyped ? start.current : (from ?? 1))),
        );
        state.hits.value = found;
        setAt(first);
        const isNew = shownFor.current !== q;
        shownFor.current = q;
        if (isNew && (isTyped || needsScroll(view.current, found[first], from)))
          show(view.current, found[first]);
      } catch {
        // The next letter has replaced it.
      }
    };
    const timer = setTimeout(() => void find(), isTyped ? PAUSE_MS : 0);
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [id, lines, q]);
  useEffect(() => paint(view.current, hits ?? [], at), [hits, at, filled.value]);
  useEffect(
    () => () => {
      paint(null, [], 0);
      state.hits.value = undefined;
    },
    [],
  );

  const count = hits?.length ?? 0;
  const step = (by: 1 | -1) => () => {
    if (count === 0) return;
    const next = (at + by + count) % count;
    setAt(next);
    show(view.current, hits?.[next]);
  };
  useShortcuts([
    { keys: ['n'], text: 'Next hit', run: step(1) },
    { keys: ['p'], text: 'Previous hit', run: step(-1) },
  ]);
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.isComposing) return;
    event.preventDefault();
    step(event.shiftKey ? -1 : 1)();
  };
  return (
    <search class="find">
      <input
        ref={field}
        type="text"
        aria-label="Find in transcript"
        value={q}
        maxLength={1024}
        autocomplete="off"
        onInput={(event) => setQ(event.currentTarget.value)}
        onKeyDown={onKey}
      />
      <span role="status">
        {hits === undefined
          ? ''
          : count === 0
            ? 'not in the transcript'
            : `${(at + 1).toLocaleString('en')} of ${count.toLocaleString('en')}${isApart ? ', apart' : ''}`}
      </span>
      <button type="button" aria-label="Previous hit" onClick={step(-1)}>
        ↑
      </button>
      <button type="button" aria-label="Next hit" onClick={step(1)}>
        ↓
      </button>
      <button
        type="button"
        aria-label="Close"
        onClick={() => {
          state.isFinding.value = false;
        }}
      >
        ×
      </button>
    </search>
  );
}

/** Whether a hit is not on the screen yet, although it is in the line of the link, or the link has none. */
function needsScroll(view: View | null, hit: Span | undefined, from: number | undefined): boolean {
  if (hit === undefined || hit.line !== (from ?? hit.line)) return false;
  const { top, bottom } = view?.range(hit)?.getBoundingClientRect() ?? { top: -1, bottom: 0 };
  return top < 0 || bottom > innerHeight;
}

/** Scrolls to a hit. Browsers without highlights show it as the selection. */
function show(view: View | null, hit: Span | undefined): void {
  const range = hit && view?.toSpan(hit);
  if (range === undefined || 'highlights' in CSS) return;
  const selection = getSelection();
  selection?.removeAllRanges();
  selection?.addRange(range);
}

/** Colours hits by the CSS Custom Highlight API, which leaves the text as it is. */
function paint(view: View | null, hits: readonly Span[], at: number): void {
  if (!('highlights' in CSS)) return;
  const near = hits.slice(Math.max(0, at - PAINTED), at + PAINTED);
  const ranges = near.map((hit) => view?.range(hit));
  CSS.highlights.set('hit', new Highlight(...ranges.filter((range) => range !== undefined)));
  const current = ranges[Math.min(at, PAINTED)];
  CSS.highlights.set('hit-now', new Highlight(...(current === undefined ? [] : [current])));
}
