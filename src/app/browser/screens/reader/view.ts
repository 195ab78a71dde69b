// The text of a transcript in the page: real text in blocks of lines, made in slices so that nothing freezes.

import { isApple } from '../../keyboard/keyboard.ts';
import { keyName } from '../../keyboard/shortcuts.ts';
import type { LineSpot } from '../../state/router.ts';
import { createHold } from './hold.ts';
import { element, lineElement, rangeIn } from './line-element.ts';
import { hashOf, type ShownLines, type Span, type TranscriptLine } from './lines.ts';
import { huesOf } from './speakers.ts';

/** Longer transcripts are laid out near the screen alone. Safari cannot find text in the other blocks. */
const LONG = 300_000;

/** What a line costs to lay out, in characters: many short lines take as long as a long text. */
const LINE = 200;
const BLOCK = 50;
/** How long a slice takes. The browser handles keys and scrolling between slices. */
const SLICE_MS = 8;

interface Block {
  readonly element: HTMLElement;
  readonly lines: readonly TranscriptLine[];
  isFilled: boolean;
}

/** The text in the page. */
export type View = ReturnType<typeof createView>;

/** What the text calls. */
export interface ViewEvents {
  /** Every line is there. */
  readonly onComplete: () => void;
  /** The number of a line was clicked, maybe with Shift. */
  readonly onNumber: (number: number, isExtending: boolean) => void;
}

/** Creates the text below an element. */
export function createView(root: HTMLElement, { onComplete, onNumber }: ViewEvents) {
  let blocks: Block[] = [];
  let all: readonly TranscriptLine[] = [];
  let hues: ReturnType<typeof huesOf> = new Map();
  let marked: ShownLines | undefined;
  let timer: number | undefined;
  /** The blocks that are to be filled, last first. */
  let queue: number[] = [];
  const hold = createHold();

  function fill(index: number): void {
    const block = blocks[index];
    if (block === undefined || block.isFilled) return;
    block.isFilled = true;
    for (let i = 0; i < block.lines.length; i++) {
      const number = index * BLOCK + i + 1;
      const line = lineElement(all, number, hues);
      line.classList.toggle('marked', isMarked(number));
      block.element.append(line);
    }
  }

  /** Fills the blocks around a line, so that it is among its neighbours at once. */
  function fillAround(number: number): void {
    for (let i = -1; i <= 1; i++) fill(Math.floor((number - 1) / BLOCK) + i);
  }

  /** Returns the line that is read: the one that is held, otherwise the first one on the screen. */
  function spot(): LineSpot | undefined {
    const { found, below = 0 } = hold.read() ?? {};
    const node = found instanceof Range ? found.startContainer.parentElement : found;
    const block = blocks.find(({ element: each }) => isBelowTop(each));
    const line =
      node?.closest('.line') ?? Array.from(block?.element.children ?? []).find(isBelowTop);
    const number = Number(line?.id.slice(1));
    const text = all[number - 1]?.text;
    if (line === undefined || text === undefined) return undefined;
    const { top } = line.getBoundingClientRect();
    return { first: number, last: number, hash: hashOf(text), top: top - below };
  }

  function isMarked(number: number): boolean {
    return marked !== undefined && number >= marked.first && number <= marked.last;
  }

  function fillSome(): void {
    const end = performance.now() + SLICE_MS;
    while (queue.length > 0 && performance.now() < end) fill(queue.pop() ?? 0);
    if (queue.length > 0) timer = setTimeout(fillSome);
    else onComplete();
  }

  function fillAll(): void {
    clearTimeout(timer);
    while (queue.length > 0) fill(queue.pop() ?? 0);
  }

  // The browser is about to lay out a block that the slices have not reached. It also tells of blocks that it skips.
  root.addEventListener('contentvisibilityautostatechange', (event) => {
    if (!(event instanceof ContentVisibilityAutoStateChangeEvent) || event.skipped) return;
    fill(blocks.findIndex((block) => block.element === event.target));
  });
  addEventListener('beforeprint', fillAll);
  root.addEventListener('click', (event) => {
    const { target, shiftKey, ctrlKey, metaKey, altKey } = event;
    const isNumber = target instanceof HTMLAnchorElement && target.parentElement?.id;
    if (isNumber === false || ctrlKey || metaKey || altKey) return;
    event.preventDefault();
    onNumber(Number(isNumber?.slice(1)), shiftKey);
  });

  // One stop of the Tab key for all lines.
  root.tabIndex = 0;
  root.role = 'group';
  root.ariaLabel = 'Lines. Arrow keys go from one to the next.';
  root.addEventListener('keydown', (event) => {
    const key = keyName(event, isApple);
    const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const here = focusedLine();
    const next = here === undefined ? (spot()?.first ?? 1) : here + step;
    fillAround(next);
    lineAt(next)?.querySelector('a')?.focus();
  });

  return {
    /** Shows lines. Blocks that have not changed stay as they are. Those around a line come first. */
    show(lines: readonly TranscriptLine[], around: number): void {
      clearTimeout(timer);
      const old = blocks;
      all = lines;
      hues = huesOf(lines);
      blocks = [];
      for (let start = 0; start < lines.length; start += BLOCK) {
        const own = lines.slice(start, start + BLOCK);
        const before = old[blocks.length];
        if (before !== undefined && isSame(before.lines, own)) blocks.push(before);
        else {
          const block = { element: element('div', 'block'), lines: own, isFilled: false };
          if (before === undefined) root.append(block.element);
          else before.element.replaceWith(block.element);
          blocks.push(block);
        }
      }
      for (const { element: surplus } of old.slice(blocks.length)) surplus.remove();
      const isLong = lines.reduce((sum, { text }) => sum + text.length + LINE, 0) > LONG;
      root.classList.toggle('long', isLong);
      const middle = Math.floor((around - 1) / BLOCK);
      queue = [...blocks.keys()].toSorted((a, b) => Math.abs(b - middle) - Math.abs(a - middle));
      if (!isLong) fillAll();
      fillAround(around);
      fillSome();
    },
    /** Marks lines, and no others. */
    mark(range: ShownLines | undefined): void {
      for (const line of root.querySelectorAll('.marked')) line.classList.remove('marked');
      marked = range;
      for (let number = range?.first ?? 1; number <= (range?.last ?? 0); number++)
        lineAt(number)?.classList.add('marked');
    },
    /**
     * Scrolls to a line, and holds it there until the reader scrolls. `top` is its distance from the upper
     * edge of the window. Default: in the middle. Returns the link of its number, if there is
     * such a line.
     */
    toLine(number: number, top?: number): HTMLAnchorElement | null | undefined {
      fillAround(number);
      const line = lineAt(number);
      if (line !== null) hold.on(() => lineAt(number), top);
      return line?.querySelector('a');
    },
    /** Scrolls to a part of a line, and holds it there. Returns it. */
    toSpan(span: Span): Range | undefined {
      fillAround(span.line);
      hold.on(() => rangeAt(span) ?? lineAt(span.line));
      return rangeAt(span);
    },
    /** Returns a part of a line in the page, or undefined while the line is not there. */
    range: rangeAt,
    spot,
    close(): void {
      clearTimeout(timer);
      hold.close();
      removeEventListener('beforeprint', fillAll);
    },
  };
}

/** Returns the number of the line that has the focus. */
export function focusedLine(): number | undefined {
  const id = document.activeElement?.closest('.line')?.id;
  return id === undefined ? undefined : Number(id.slice(1));
}

function lineAt(number: number): HTMLElement | null {
  return document.getElementById(`L${number}`);
}

function rangeAt({ line, start, end }: Span): Range | undefined {
  const said = lineAt(line)?.lastElementChild;
  return said ? rangeIn(said, start, end) : undefined;
}

function isSame(a: readonly TranscriptLine[], b: readonly TranscriptLine[]): boolean {
  return a.length === b.length && a.every(({ text }, i) => text === b[i]?.text);
}

function isBelowTop(each: Element): boolean {
  return each.getBoundingClientRect().bottom > 0;
}
