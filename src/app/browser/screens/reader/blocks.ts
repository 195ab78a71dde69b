// The blocks of a transcript: places of about the right height, each filled with its lines when it comes near the screen.

import { element } from './line-element.ts';
import type { TranscriptLine } from './lines.ts';

/** Of longer transcripts, only what comes near the screen is in the page. */
const LONG = 300_000;

/** What a line costs to lay out, in characters: many short lines take as long as a long text. */
const LINE = 200;
const SIZE = 50;

/** Some lines that are filled in together. */
interface Block {
  readonly element: HTMLElement;
  /** The number of the first line. */
  readonly first: number;
  readonly lines: readonly TranscriptLine[];
  isFilled: boolean;
}

/** Returns whether a transcript is so long that only a part of it is in the page, where a browser can find text. */
export function isLong(lines: readonly TranscriptLine[]): boolean {
  return lines.reduce((sum, { text }) => sum + text.length + LINE, 0) > LONG;
}

/** Makes the element of a line. */
export type MakeLine = (number: number) => HTMLElement;

/** Creates the blocks below an element. `onFill` is called when some have got their lines. */
export function createBlocks(root: HTMLElement, makeLine: MakeLine, onFill: () => void) {
  let blocks: readonly Block[] = [];

  function fill(block: Block | undefined): void {
    if (block === undefined || block.isFilled) return;
    block.isFilled = true;
    block.element.append(...block.lines.map((_, i) => makeLine(block.first + i)));
    block.element.role = null;
    block.element.ariaLabel = null;
    observer.unobserve(block.element);
  }
  /** Fills what passes. Returns whether there was any. */
  function fillThose(pass: (block: Block) => boolean): void {
    const empty = blocks.filter((block) => !block.isFilled && pass(block));
    for (const block of empty) fill(block);
    if (empty.length > 0) onFill();
  }

  const observer = new IntersectionObserver(
    (entries) => {
      const near = new Set(
        entries.filter((each) => each.isIntersecting).map((each) => each.target),
      );
      fillThose(({ element: each }) => near.has(each));
    },
    { rootMargin: '100% 0px' }, // a screen above and below
  );
  const fillAll = () => fillThose(() => true);
  const fillSelected = () => {
    const selection = getSelection();
    if (selection?.type !== 'Range') return;
    const range = selection.getRangeAt(0);
    fillThose(({ element: each }) => range.intersectsNode(each));
  };
  addEventListener('beforeprint', fillAll);
  document.addEventListener('copy', fillSelected);

  return {
    /** Shows lines. Blocks that have not changed stay as they are. */
    show(lines: readonly TranscriptLine[]): void {
      const old = blocks;
      const next: Block[] = [];
      const heightOf = createEstimate(root);
      root.classList.toggle('long', isLong(lines));
      for (let start = 0; start < lines.length; start += SIZE) {
        const own = lines.slice(start, start + SIZE);
        const before = old[next.length];
        if (before !== undefined && isSame(before.lines, own)) next.push(before);
        else {
          const made = element('div', 'block');
          made.style.setProperty('--height', `${heightOf(own)}px`);
          // Its lines are read aloud when a screen reader comes to it, which scrolls there.
          made.role = 'group';
          made.ariaLabel = `Lines ${start + 1} to ${start + own.length}`;
          next.push({ element: made, first: start + 1, lines: own, isFilled: false });
          if (before === undefined) root.append(made);
          else before.element.replaceWith(made);
        }
      }
      for (const { element: surplus } of old.slice(next.length)) surplus.remove();
      blocks = next;
      fill(next.at(-1)); // End goes there
      if (!isLong(lines)) fillAll();
      observer.disconnect();
      for (const block of next) if (!block.isFilled) observer.observe(block.element);
    },
    /** Fills the blocks around a line, so that it is among its neighbours at once. */
    fillAround(number: number): void {
      const at = Math.floor((number - 1) / SIZE);
      const around = new Set([blocks[at - 1], blocks[at], blocks[at + 1]]);
      fillThose((block) => around.has(block));
    },
    /** Returns the first line of which anything is below the upper edge of the window. */
    firstVisible(): Element | undefined {
      const block = blocks[firstThat(blocks.length, (at) => isBelowTop(blocks[at]?.element))];
      fill(block);
      return Array.from(block?.element.children ?? []).find(isBelowTop);
    },
    close(): void {
      observer.disconnect();
      removeEventListener('beforeprint', fillAll);
      document.removeEventListener('copy', fillSelected);
    },
  };
}

/** Returns the first number below a count for which something is true, and stays true. Otherwise the count. */
function firstThat(count: number, isTrue: (at: number) => boolean): number {
  let [from, to] = [0, count];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (isTrue(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}

function isBelowTop(each: Element | undefined): boolean {
  return (each?.getBoundingClientRect().bottom ?? 0) > 0;
}

function isSame(a: readonly TranscriptLine[], b: readonly TranscriptLine[]): boolean {
  return a.length === b.length && a.every(({ text }, i) => text === b[i]?.text);
}

/** Creates the function that guesses how high lines will be, in pixels, by the width of the column. */
function createEstimate(root: HTMLElement): (lines: readonly TranscriptLine[]) => number {
  const { fontSize, lineHeight } = getComputedStyle(root);
  const em = Number.parseFloat(fontSize);
  const row = Number.parseFloat(lineHeight);
  const inRow = Math.max(10, (root.clientWidth - 4 * em) / (em * 0.5));
  return (lines) => {
    const rows = lines.reduce((sum, { text }) => sum + Math.ceil((text.length + 1) / inRow), 0);
    return Math.round(rows * row + lines.length * em * 0.4);
  };
}
