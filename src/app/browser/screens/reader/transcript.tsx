// The transcript on the page: its text, the marked lines, and what can be copied of it.

import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

import type { Memory } from '../../../../contract/schemas/memory.ts';
import { useShortcuts } from '../../keyboard/keyboard.ts';
import { CopyText, copyText } from '../../parts/copy.tsx';
import { Notice } from '../../parts/notice.tsx';
import { formats } from '../../parts/time-formats.ts';
import { place, setHash } from '../../state/router.ts';
import {
  fragmentOf,
  readFragment,
  type ShownLines,
  type LineTarget,
  type TranscriptLine,
} from './lines.ts';
import { turnFrom } from './speakers.ts';
import { createView, type View, type ViewEvents } from './view.ts';

/** What the transcript needs. */
export interface TranscriptProps {
  readonly memory: Memory;
  readonly title: string;
  readonly lines: readonly TranscriptLine[];
  readonly marked: ShownLines | undefined;
  /** Set while the text is in the page. */
  readonly view: RefObject<View | null>;
  readonly onComplete: () => void;
}

/** The transcript. */
export function Transcript({ lines, marked, view, onComplete, memory, title }: TranscriptProps) {
  const root = useRef<HTMLDivElement>(null);
  const latest = useRef<ViewEvents['onNumber']>(undefined);
  useLayoutEffect(() => {
    if (root.current === null) return undefined;
    const onNumber: ViewEvents['onNumber'] = (...args) => latest.current?.(...args);
    const made = createView(root.current, { onComplete, onNumber });
    view.current = made;
    return () => {
      made.close();
      view.current = null;
    };
  }, []);
  useLayoutEffect(() => {
    view.current?.mark(marked);
    view.current?.show(lines, marked?.first ?? 1);
  }, [lines]);
  useLayoutEffect(() => view.current?.mark(marked), [marked?.first, marked?.last]);

  latest.current = (number, isExtending) => {
    const from = isExtending ? (marked?.first ?? number) : number;
    const [first, last] = from < number ? [from, number] : [number, from];
    setHash(fragmentOf(lines, { first, last }));
  };
  const turn = (step: 1 | -1) => () => {
    const id = document.activeElement?.closest('.line')?.id;
    const here =
      id === undefined ? (marked?.first ?? view.current?.spot()?.first) : Number(id.slice(1));
    const next = turnFrom(lines, here ?? 1, step);
    if (next !== undefined) view.current?.toLine(next)?.focus({ preventScroll: true });
  };
  useShortcuts([
    { keys: [']'], text: 'Next turn of this speaker', run: turn(1) },
    { keys: ['['], text: 'Previous turn of this speaker', run: turn(-1) },
  ]);
  const target = readFragment(place.value.hash);
  const isLost = target !== undefined && marked === undefined;
  useLayoutEffect(() => {
    // On a phone, the summary fills the screen above it.
    if (isLost) document.querySelector('.reader > .notice')?.scrollIntoView({ block: 'center' });
  }, [isLost]);
  return (
    <>
      <h2>Transcript</h2>
      {lines.length === 0 && <p class="note">No transcript yet.</p>}
      {target !== undefined && marked === undefined && <Notice>{lostText(target)}</Notice>}
      <div class="lines" ref={root} />
      <Quotes memory={memory} title={title} lines={lines} marked={marked} />
    </>
  );
}

/** What to say about a target that is not there. */
function lostText({ first, last, hash }: LineTarget): string {
  if (hash === undefined) return `This transcript has no line ${first}.`;
  return first === last
    ? 'The line of this link is gone: the transcript has changed since.'
    : 'The lines of this link are gone: the transcript has changed since.';
}

function rangeText({ first, last }: ShownLines): string {
  return first === last ? `Line ${first}` : `Lines ${first} to ${last}`;
}

interface Selected extends ShownLines {
  readonly text: string;
}

/** The bar with what can be done with the marked lines or the selected text. */
function Quotes({ memory, title, lines, marked }: Omit<TranscriptProps, 'view' | 'onComplete'>) {
  const [selected, setSelected] = useState<Selected>();
  const [said, setSaid] = useState('');
  const [byHand, setByHand] = useState<string>();
  useEffect(() => {
    const look = () => setSelected(selectedLines());
    document.addEventListener('selectionchange', look);
    return () => document.removeEventListener('selectionchange', look);
  }, []);
  useEffect(() => {
    setSaid('');
    setByHand(undefined);
  }, [selected?.text, marked]);
  const range = selected ?? marked;
  const copy = async (text: string, done: string) => {
    const worked = await copyText(text);
    setSaid(worked ? done : '');
    setByHand(worked ? undefined : text);
  };
  const address = () =>
    `${location.origin}${location.pathname}${range === undefined ? '' : `#${fragmentOf(lines, range)}`}`;
  const link = () => copy(address(), 'Link copied');
  const quote = () => {
    if (range === undefined) {
      setSaid('Select text, or click the number of a line first.');
      return;
    }
    const own = lines.slice(range.first - 1, range.last).map(({ text }) => text);
    const text = selected?.text ?? own.join('\n');
    const from = `— ${title}, ${formats.value.date(memory.started_at)}`;
    void copy(`“${text}”\n${from}\n${address()}`, 'Quote copied');
  };
  useShortcuts([
    { keys: ['c'], text: 'Copy quote with link', run: quote },
    { keys: ['y'], text: 'Copy link', run: link },
  ]);
  return (
    // A press must not end the selection that is to be copied.
    <div
      class="quotes"
      onPointerDown={(event) => event.target instanceof HTMLButtonElement && event.preventDefault()}
    >
      {range !== undefined && (
        <p class="actions">
          <span>{rangeText(range)}</span>
          <button type="button" onClick={quote}>
            Copy quote with link
          </button>
          <button type="button" onClick={link}>
            Copy link
          </button>
        </p>
      )}
      <p class="note" role="status">
        {said}
      </p>
      {byHand !== undefined && <CopyText label="Copy this" text={byHand} isLong />}
    </div>
  );
}

/** Returns the lines of the transcript that the selection touches, and its text. */
function selectedLines(): Selected | undefined {
  const selection = getSelection();
  const text = selection?.toString().trim() ?? '';
  const numbers = [selection?.anchorNode, selection?.focusNode].map((node) => {
    const element = node instanceof Element ? node : node?.parentElement;
    return Number(element?.closest('.line')?.id.slice(1));
  });
  if (text === '' || numbers.some(Number.isNaN)) return undefined;
  return { first: Math.min(...numbers), last: Math.max(...numbers), text };
}
