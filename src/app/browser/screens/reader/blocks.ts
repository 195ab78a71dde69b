// The blocks of a transcript: places of about the right height, each filled with its lines when it comes near the screen.

import { firstThat } from '../../../../lib/first-that.ts';
import type { TranscriptLine } from '../../../../text/turns.ts';
import { element } from './line-element.ts';

/** A transcript with more characters is in the page only near the screen. */
const LONG = 300_000;

/** What a line costs to lay out, in characters: many short lines take as long as a long text. */
const LINE = 200;
const SIZE = 50;

/** Some lines that are filled in together. */
interface Block {
  readonly element: HTMLElement;
  readonly numbers: readonly number[];
  readonly lines: readonly TranscriptLine[];
  isFilled: boolean;
}

/** Returns whether a transcript is so long that only a part of it is in the page, where a browser can find text. */
export function isLong(lines: readonly TranscriptLine[]): boolean {
  return lines.reduce((sum, { text }) => sum + text.length + LINE, 0) > LONG;
}

/** What is shown of a transcript. */
export interface Shown {
  /** The numbers of its lines. Default: all. */
  readonly numbers?: readonly number[] | undefined;
  /** Whether the transcript has all its lines. Of the first ones, some are enough. */
  readonly isWhole: boolean;
}

/** Makes the element of a line. */
export type MakeLine = (number: number) => HTMLElement;

/** Creates the blocks below an element. `onFill` is called when some have got their lines. */
export function createBlocks(root: HTMLElement, makeLine: MakeLine, onFill: () => void) {
  let blocks: readonly Block[] = [];

  function fill(block: Block | undefined): void {
    if (block === undefined || block.isFilled) return;
    block.isFilled = true;
    block.element.append(...block.numbers.map(makeLine));
    block.element.role = null;
    block.element.ariaLabel = null;
    observer.unobserve(block.element);
  }
  /** Fills the empty blocks that pass a test. */
  function fillThose(pass: (block: Block) => boolean): void {
    const empty = blocks.filter((block) => !block.isFilled && pass(block));
    for (const block of empty) fill(block);
    if (empty.length > 0) onFill();
  }

  /** Returns the first line whose lower edge is below a place in the window, or the last line. */
  function lineBelow(y: number): Element | undefined {
    const at = firstThat(blocks.length, (each) => bottomOf(blocks[each]?.element) > y);
    const block = blocks[Math.min(at, blocks.length - 1)];
    fill(block);
    const all = Array.from(block?.element.children ?? []);
    return all.find((line) => bottomOf(line) > y) ?? all.at(-1);
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
    show(
      all: readonly TranscriptLine[],
      { numbers: shown = numbersOf(all), isWhole }: Shown,
    ): void {
      const old = blocks;
      const next: Block[] = [];
      const heightOf = createEstimate(root);
      const isLazy = !isWhole || isLong(all);
      for (let start = 0; start < shown.length; start += SIZE) {
        const numbers = shown.slice(start, start + SIZE);
        const lines = numbers.flatMap((number) => all[number - 1] ?? []);
        const before = old[next.length];
        if (before !== undefined && isSame(before, { numbers, lines })) next.push(before);
        else {
          const made = element('div', 'block');
          made.style.setProperty('--height', `${heightOf(lines)}px`);
          // Its lines are read aloud when a screen reader comes to it, which scrolls there.
          made.role = 'group';
          made.ariaLabel = `Lines ${numbers[0]} to ${numbers.at(-1)}`;
          next.push({ element: made, numbers, lines, isFilled: false });
          if (before === undefined) root.append(made);
          else before.element.replaceWith(made);
        }
      }
      for (const { element: surplus } of old.slice(next.length)) surplus.remove();
      blocks = next;
      root.classList.toggle('long', isLazy);
      fill(next.at(-1)); // End goes there
      if (!isLazy) fillAll();
      observer.disconnect();
      for (const block of next) if (!block.isFilled) observer.observe(block.element);
    },
    /** Fills the blocks around a line, so that it is among its neighbours at once. */
    fillAround(number: number): void {
      const after = firstThat(blocks.length, (at) => (blocks[at]?.numbers[0] ?? 0) > number);
      const around = new Set(blocks.slice(Math.max(0, after - 2), after + 1));
      fillThose((block) => around.has(block));
    },
    lineBelow,
    close(): void {
      observer.disconnect();
      removeEventListener('beforeprint', fillAll);
      document.removeEventListener('copy', fillSelected);
    },
  };
}

function bottomOf(each: Element | undefined): number {
  return each?.getBoundingClientRect().bottom ?? 0;
}

type Content = Pick<Block, 'numbers' | 'lines'>;

function isSame(a: Content, b: Content): boolean {
  return (
    a.numbers.length === b.numbers.length &&
    a.numbers.every((number, i) => number === b.numbers[i] && a.lines[i]?.text === b.lines[i]?.text)
  );
}

function numbersOf(all: readonly TranscriptLine[]): number[] {
  return all.map((_, i) => i + 1);
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
