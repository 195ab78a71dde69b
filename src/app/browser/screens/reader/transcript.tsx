// The transcript on the page: its text, the marked lines, and what can be copied of it.

import { useLayoutEffect, useRef } from 'preact/hooks';

import type { Memory } from '../../../../contract/schemas/memory.ts';
import type { Hues } from '../../../../text/hues.ts';
import type { TranscriptLine } from '../../../../text/turns.ts';
import { useShortcuts } from '../../keyboard/keyboard.ts';
import { Notice } from '../../parts/notice.tsx';
import { setHash } from '../../state/router.ts';
import { fragmentOf, type ShownLines, type LineTarget } from './lines.ts';
import { Quotes } from './quotes.tsx';
import type { ReaderState } from './reader-state.ts';
import { turnFrom } from './speakers.ts';
import { createView, focusedLine, type ViewEvents } from './view.ts';

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
  const { view, only } = state;
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
    view.current?.mark(marked);
    view.current?.show(lines, { around: marked?.first ?? 1, hues, isWhole });
  }, [lines, isWhole]);
  useLayoutEffect(() => view.current?.mark(marked), [marked?.first, marked?.last]);
  useLayoutEffect(() => view.current?.follow(only.value), [only.value]);

  onNumber.current = (number, isExtending) => {
    const from = isExtending ? (marked?.first ?? number) : number;
    const [first, last] = from < number ? [from, number] : [number, from];
    setHash(fragmentOf(lines, { first, last }));
  };
  const turn = (step: 1 | -1) => () => goToTurn(lines, state, { step, from: marked?.first });
  useShortcuts([
    { keys: [']'], text: 'Next turn of this speaker', run: turn(1) },
    { keys: ['['], text: 'Previous turn of this speaker', run: turn(-1) },
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

/** Goes to the next turn, or with -1 to the one before, of the speaker who is read. */
export function goToTurn(
  lines: readonly TranscriptLine[],
  { view }: ReaderState,
  { step, from }: { readonly step: 1 | -1; readonly from?: number | undefined },
): void {
  const here = focusedLine() ?? from ?? view.current?.spot()?.first;
  const next = turnFrom(lines, here ?? 1, step);
  if (next !== undefined) view.current?.toLine(next)?.focus({ preventScroll: true });
}

/** What to say about a target that is not there. */
function lostText({ first, last, hash }: LineTarget): string {
  if (hash === undefined) return `This transcript has no line ${first}.`;
  return first === last
    ? 'The line of this link is gone: the transcript has changed since.'
    : 'The lines of this link are gone: the transcript has changed since.';
}
