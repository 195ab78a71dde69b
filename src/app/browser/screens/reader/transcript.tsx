// The transcript on the page: its text, the marked lines, and what can be copied of it.

import { useLayoutEffect, useRef } from 'preact/hooks';

import type { Memory } from '../../../../contract/schemas/memory.ts';
import type { Hues } from '../../../../text/hues.ts';
import type { TranscriptLine } from '../../../../text/turns.ts';
import { useShortcuts } from '../../keyboard/keyboard.ts';
import { Notice } from '../../parts/notice.tsx';
import { setHash } from '../../state/router.ts';
import { focusedLine } from './line-element.ts';
import { fragmentOf, type ShownLines, type LineTarget } from './lines.ts';
import { turnOf } from './listen/cues.ts';
import { Quotes } from './quotes.tsx';
import type { ReaderState } from './reader-state.ts';
import { linesOf, turnFrom } from './speakers.ts';
import { createView, type ViewEvents } from './view.ts';

/** What the transcript needs. */
export interface TranscriptProps {
  readonly memory: Memory;
  readonly title: string;
  readonly lines: readonly TranscriptLine[];
  readonly hues: Hues;
  /** What the address names, and the lines that it is. */
  readonly target: LineTarget | undefined;
  readonly marked: ShownLines | undefined;
  readonly state: ReaderState;
  /** Whether all lines are there. */
  readonly isWhole: boolean;
}

/** The transcript. */
export function Transcript(props: TranscriptProps) {
  const { isWhole, lines, hues, target, marked, state, memory, title } = props;
  const root = useRef<HTMLDivElement>(null);
  const onNumber = useRef<ViewEvents['onNumber']>(undefined);
  const { view, only, turn } = state;
  useLayoutEffect(() => {
    if (root.current === null) return undefined;
    const made = createView(root.current, {
      onFill: () => {
        state.filled.value += 1;
      },
      onMove: (position) => {
        state.position.value = position;
      },
      onFollow: (speaker) => {
        only.value = speaker;
      },
      onNumber: (...args) => onNumber.current?.(...args),
    });
    view.current = made;
    return () => {
      made.close();
      view.current = null;
    };
  }, []);
  useLayoutEffect(() => {
    view.current?.mark('marked', marked);
    view.current?.show(lines, { around: marked?.first ?? 1, hues, isWhole });
  }, [lines, isWhole, hues]);
  useLayoutEffect(() => view.current?.mark('marked', marked), [marked?.first, marked?.last]);
  useLayoutEffect(() => {
    turn.value = view.current?.follow(only.value);
    // A line that is hidden is not marked: its quote would be that of somebody who is not seen.
    if (only.value !== undefined && marked && lines[marked.first - 1]?.speaker !== only.value)
      setHash('');
  }, [only.value]);
  useLayoutEffect(() => {
    view.current?.mark('here', turn.value === undefined ? undefined : turnOf(lines, turn.value));
  }, [turn.value, lines]);

  onNumber.current = (number, isExtending) => {
    const from = isExtending ? (marked?.first ?? number) : number;
    const [first, last] = from < number ? [from, number] : [number, from];
    state.picked.value = fragmentOf(lines, { first, last });
    setHash(state.picked.value);
  };
  const step = (by: 1 | -1) => () =>
    goToTurn(lines, state, { step: by, from: marked?.first })?.focus({ preventScroll: true });
  useShortcuts([
    { keys: [']'], text: 'Next turn of this speaker', run: step(1) },
    { keys: ['['], text: 'Previous turn of this speaker', run: step(-1) },
    // The browser goes where the end was before the blocks near it were filled, and stops before it.
    {
      keys: ['End'],
      text: 'Last line',
      run: () =>
        view.current?.toLine((only.value && linesOf(lines, only.value).at(-1)) || lines.length),
    },
  ]);
  const isLost = target !== undefined && marked === undefined;
  useLayoutEffect(() => {
    // On a phone, the summary fills the screen above it.
    if (isLost) document.querySelector('.reader > .notice')?.scrollIntoView({ block: 'center' });
  }, [isLost]);
  return (
    <>
      <h2>Transcript</h2>
      {lines.length === 0 && (
        <p class="note">{memory.is_processing ? 'No transcript yet.' : 'No transcript.'}</p>
      )}
      {isLost && <Notice>{lostText(target)}</Notice>}
      <div class="lines" ref={root} />
      <Quotes {...{ memory, title, lines, marked, hues, state }} />
    </>
  );
}

/** Returns the line that is looked at while one speaker is shown: that of the turn, or the first one on the screen. */
export function lookedAt({ turn, position }: ReaderState): number {
  const { first = 1, last = 1 } = position.value ?? {};
  const looked = turn.value ?? 0;
  return first <= looked && looked <= last ? looked : first;
}

/**
 * Goes to the next turn, or with -1 to the one before, of the speaker who is read. Returns the link of its number, if there is
 * such a turn. `from` is the line that is read, if none has the focus. Default: the first one on the screen.
 */
export function goToTurn(
  lines: readonly TranscriptLine[],
  state: ReaderState,
  { step, from }: { readonly step: 1 | -1; readonly from?: number | undefined },
): HTMLElement | null | undefined {
  const { view, only, turn, position } = state;
  const here =
    only.value === undefined
      ? (focusedLine() ?? from ?? position.value?.first ?? 1)
      : lookedAt(state);
  const next = turnFrom(lines, here, step);
  if (next === undefined) return undefined;
  if (only.value !== undefined) turn.value = next;
  return view.current?.toTurn(next);
}

/** What to say about a target that is not there. */
function lostText({ first, last, hash }: LineTarget): string {
  if (hash === undefined) return `This transcript has no line ${first}.`;
  const lines = first === last ? 'line of this link is' : 'lines of this link are';
  return `The ${lines} gone: the transcript has changed since.`;
}
