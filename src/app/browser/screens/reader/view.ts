// The text of a transcript in the page: its lines, the marked ones, and the way to each of them.

import type { Hues } from '../../../../text/hues.ts';
import type { TranscriptLine } from '../../../../text/turns.ts';
import { counted } from '../../format.ts';
import { isApple } from '../../keyboard/keyboard.ts';
import { keyName } from '../../keyboard/shortcuts.ts';
import type { LineSpot } from '../../state/router.ts';
import { createBlocks, type Shown } from './blocks.ts';
import { createHold } from './hold.ts';
import { recolour, focusedLine, lineAt, lineElement, numberIn, rangeAt } from './line-element.ts';
import { hashOf, type ShownLines, type Span } from './lines.ts';
import { linesOf, turnsAfter } from './speakers.ts';

/** The text in the page. */
export type View = ReturnType<typeof createView>;

/** Where a text is read. */
export interface Position {
  /** The first and the last line on the screen. */
  readonly first: number;
  readonly last: number;
  /** The line that is read: one in the upper third, and lower ones near the end of the page, so that each comes once. */
  readonly read: number;
  /** Whether the name of the memory is on the screen. */
  readonly isNamed: boolean;
  /** Whether a line is on the screen. */
  readonly isSeen: boolean;
}

/** What the text calls. */
export interface ViewEvents {
  /** More lines are in the page. */
  readonly onFill: () => void;
  /** Other lines are on the screen. */
  readonly onMove: (position: Position | undefined) => void;
  /** A speaker was clicked, or the lines of others are needed. */
  readonly onFollow: (speaker: string | undefined) => void;
  /** The number of a line was clicked, maybe with Shift. */
  readonly onNumber: (number: number, isExtending: boolean) => void;
}

/** How lines are shown. */
export interface ShowOptions extends Pick<Shown, 'isWhole'> {
  /** The line that comes first, with its neighbours. */
  readonly around: number;
  readonly hues: Hues;
}

const MARKS = ['marked', 'here'] as const;

/** What is seen of a line: that the address names it, or that it is in the turn that is looked at. */
type Mark = (typeof MARKS)[number];

/** Creates the text below an element. */
export function createView(root: HTMLElement, events: ViewEvents) {
  let all: readonly TranscriptLine[] = [];
  let hues: Hues = new Map();
  /** The lines with each of these classes. */
  const ranges: Record<Mark, ShownLines | undefined> = { marked: undefined, here: undefined };
  const hold = createHold();
  const blocks = createBlocks(root, makeLine, () => {
    events.onFill();
    lookSoon();
  });
  let isWhole = false;
  /** The only speaker that is shown, and the numbers of the lines. */
  let only: string | undefined;
  let numbers: readonly number[] | undefined;
  let frame: number | undefined;
  /** The line that was clicked, while others are hidden or shown. */
  let clicked: number | undefined;

  function makeLine(number: number): HTMLElement {
    const line = lineElement(all, number, hues);
    for (const mark of MARKS) {
      const { first = 1, last = 0 } = ranges[mark] ?? {};
      line.classList.toggle(mark, first <= number && number <= last);
    }
    const others = only === undefined ? 0 : turnsAfter(all, number, only);
    if (others > 0) line.dataset['gap'] = others > 2 ? `… ${counted(others, 'turn')}` : '…';
    return line;
  }

  function lookSoon(): void {
    frame ??= requestAnimationFrame(() => {
      frame = undefined;
      const [first, last, read] = [endOf(), innerHeight, readAt()].map((y) =>
        numberIn(blocks.lineBelow(y)),
      );
      const isNamed = endOf('.reader h1') > endOf();
      const isSeen = root.getBoundingClientRect().top < innerHeight && endOf('.lines') > endOf();
      events.onMove(first && last && read ? { first, last, read, isNamed, isSeen } : undefined);
    });
  }
  addEventListener('scroll', lookSoon);

  function showLines(): void {
    root.classList.toggle('alone', only !== undefined);
    numbers = only === undefined ? undefined : linesOf(all, only);
    blocks.show(all, { numbers, isWhole });
    lookSoon();
  }

  /** Fills the blocks around a line. If it is not of the speaker that is shown, all are shown. */
  function reveal(number: number): void {
    if (numbers?.includes(number) === false) {
      only = undefined;
      showLines();
      events.onFollow(undefined);
    }
    blocks.fillAround(number);
  }

  /** Returns the line that is read: the one that is held, otherwise the first one on the screen. */
  function spot(): LineSpot | undefined {
    const { found, below = 0 } = hold.read() ?? {};
    const node = found instanceof Range ? found.startContainer.parentElement : found;
    const line = node?.closest('.line') ?? blocks.lineBelow(endOf());
    const number = numberIn(line) ?? 0;
    const text = all[number - 1]?.text;
    if (!line || text === undefined) return undefined;
    const { top } = line.getBoundingClientRect();
    return { first: number, last: number, hash: hashOf(text), top: top - below };
  }

  function toLine(number: number, top?: number): HTMLAnchorElement | null | undefined {
    reveal(number);
    const line = lineAt(number);
    if (line !== null) hold.on(() => lineAt(number), top);
    return line?.querySelector('a');
  }

  root.addEventListener('click', (event) => {
    root.blur(); // otherwise the next key draws the ring of the focus around all lines
    const { target, shiftKey, ctrlKey, metaKey, altKey } = event;
    if (!(target instanceof Element) || ctrlKey || metaKey || altKey) return;
    const line = target.closest('.line');
    // A finger does not point at a line, so its number stays until another one is tapped.
    root.querySelector('.tapped')?.classList.remove('tapped');
    line?.classList.add('tapped');
    const number = numberIn(line);
    if (number === undefined) return;
    if (target.matches('.number')) {
      event.preventDefault();
      events.onNumber(number, shiftKey);
      return;
    }
    const isName = target.closest('.speaker') !== null;
    if (getSelection()?.type === 'Range' || (only === undefined && !isName)) return;
    // It stays where it is, with what is around it or without.
    clicked = number;
    toLine(number, line?.getBoundingClientRect().top);
    events.onFollow(only === undefined ? all[number - 1]?.speaker : undefined);
  });

  root.tabIndex = 0; // one stop for all lines
  root.role = 'group';
  root.ariaLabel = 'Lines. Arrow keys go from one to the next.';
  root.addEventListener('keydown', (event) => {
    const key = keyName(event, isApple);
    const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const here = focusedLine();
    const next = here === undefined ? (spot()?.first ?? 1) : here + step;
    reveal(next);
    const line = lineAt(next);
    // Otherwise the browser brings a line that the edge of the screen cuts to the middle.
    line?.querySelector('a')?.focus({ preventScroll: true });
    line?.scrollIntoView({ block: 'nearest' });
  });

  return {
    /** Shows lines. */
    show(lines: readonly TranscriptLine[], { around, ...shown }: ShowOptions): void {
      all = lines;
      ({ hues, isWhole } = shown);
      showLines();
      recolour(root, hues);
      blocks.fillAround(around);
    },
    /**
     * Shows only one speaker, from the first line at or after what is read, which it returns, or all of them: what is read
     * stays in its place.
     */
    follow(speaker: string | undefined): number | undefined {
      if (speaker === only) return undefined;
      const { first = 1, top } = spot() ?? {};
      only = speaker;
      showLines();
      const shown = numbers ?? [first];
      const near = shown.find((number) => number >= first) ?? shown.at(-1);
      if (near === undefined) return undefined;
      blocks.fillAround(near);
      // Above the transcript there may be more than a screen.
      const stays = speaker === undefined || near === clicked;
      hold.on(() => lineAt(near), stays ? top : innerHeight / 3);
      clicked = undefined;
      return near;
    },
    /** Gives lines a mark, and no others. */
    mark(mark: Mark, range: ShownLines | undefined): void {
      for (const line of root.querySelectorAll(`.${mark}`)) line.classList.remove(mark);
      ranges[mark] = range;
      for (let number = range?.first ?? 1; number <= (range?.last ?? 0); number++)
        lineAt(number)?.classList.add(mark);
    },
    /**
     * Scrolls to a line, and holds it there until the reader scrolls. `top` is its distance from the upper edge of the
     * window. Default: in the middle. Returns the link of its number, if there is such a line.
     */
    toLine,
    /** Goes to a line as `toLine` does. One that is on the screen stays where it is. */
    toTurn(number: number): HTMLAnchorElement | null | undefined {
      reveal(number);
      const { top = 0, bottom = 0 } = lineAt(number)?.getBoundingClientRect() ?? {};
      return toLine(number, top >= endOf() && bottom <= innerHeight ? top : undefined);
    },
    /** Whether the reader has been led somewhere, and has not scrolled since. */
    isHeld: () => hold.read() !== undefined,
    /** Scrolls to a part of a line, and holds it there. Returns it. */
    toSpan(span: Span): Range | undefined {
      reveal(span.line);
      hold.on(() => rangeAt(span) ?? lineAt(span.line));
      return rangeAt(span);
    },
    /** Returns a part of a line in the page, or undefined while the line is not there. */
    range: rangeAt,
    spot,
    close(): void {
      hold.close();
      blocks.close();
      if (frame !== undefined) cancelAnimationFrame(frame);
      removeEventListener('scroll', lookSoon);
    },
  };
}

/** How far the lower edge of a part of the page is below the upper edge of the window. Default: of the bar, below which text is seen. */
function endOf(selector = '.reader-bar'): number {
  return document.querySelector(selector)?.getBoundingClientRect().bottom ?? 0;
}

/** How far the line that is read is below the upper edge of the window: a third of it, and all of it at the end of the page. */
function readAt(): number {
  const most = document.documentElement.scrollHeight - innerHeight;
  const rest = (innerHeight * 2) / 3;
  return innerHeight - rest * Math.min(1, (most - scrollY) / Math.min(most, rest) || 1);
}
