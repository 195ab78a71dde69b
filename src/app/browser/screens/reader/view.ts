// The text of a transcript in the page: its lines, the marked ones, and the way to each of them.

import type { Hues } from '../../../../text/hues.ts';
import type { TranscriptLine } from '../../../../text/turns.ts';
import { isApple } from '../../keyboard/keyboard.ts';
import { keyName } from '../../keyboard/shortcuts.ts';
import type { LineSpot } from '../../state/router.ts';
import { createBlocks, type Shown } from './blocks.ts';
import { createHold } from './hold.ts';
import { lineElement, rangeIn } from './line-element.ts';
import { hashOf, type ShownLines, type Span } from './lines.ts';
import { linesOf } from './speakers.ts';

/** The text in the page. */
export type View = ReturnType<typeof createView>;

/** Where a text is read. */
export interface Position {
  /** The first and the last line on the screen. */
  readonly first: number;
  readonly last: number;
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

/** Creates the text below an element. */
export function createView(root: HTMLElement, events: ViewEvents) {
  let all: readonly TranscriptLine[] = [];
  let hues: Hues = new Map();
  let marked: ShownLines | undefined;
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

  function makeLine(number: number): HTMLElement {
    const line = lineElement(all, number, hues);
    line.classList.toggle('marked', isMarked(number));
    return line;
  }

  function lookSoon(): void {
    frame ??= requestAnimationFrame(() => {
      frame = undefined;
      const [first, last] = blocks.visible().map(numberIn);
      events.onMove(first && last ? { first, last } : undefined);
    });
  }
  addEventListener('scroll', lookSoon, { passive: true });

  function showLines(): void {
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
    const line = node?.closest('.line') ?? blocks.visible()[0];
    const number = numberIn(line) ?? 0;
    const text = all[number - 1]?.text;
    if (!line || text === undefined) return undefined;
    const { top } = line.getBoundingClientRect();
    return { first: number, last: number, hash: hashOf(text), top: top - below };
  }

  function isMarked(number: number): boolean {
    return marked !== undefined && number >= marked.first && number <= marked.last;
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
    if (target.closest('.speaker') !== null && getSelection()?.type !== 'Range')
      events.onFollow(all[number - 1]?.speaker);
    if (!target.matches('.number')) return;
    event.preventDefault();
    events.onNumber(number, shiftKey);
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
      blocks.fillAround(around);
    },
    /** Shows only one speaker, from the first line at or after what is read, or all of them: what is read stays in its place. */
    follow(speaker: string | undefined): void {
      if (speaker === only) return;
      const { first = 1, top } = spot() ?? {};
      only = speaker;
      showLines();
      const shown = numbers ?? [first];
      const near = shown.find((number) => number >= first) ?? shown.at(-1);
      if (near === undefined) return;
      blocks.fillAround(near);
      // Above the transcript there may be more than a screen.
      hold.on(() => lineAt(near), speaker === undefined ? top : innerHeight / 3);
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
      reveal(number);
      const line = lineAt(number);
      if (line !== null) hold.on(() => lineAt(number), top);
      return line?.querySelector('a');
    },
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

/** Returns the number of the line that has the focus. */
export function focusedLine(): number | undefined {
  return numberIn(document.activeElement?.closest('.line'));
}

function numberIn(line: Element | null | undefined): number | undefined {
  return line ? numberOf(line) : undefined;
}

/** Returns the number of a line in the page. */
export function numberOf({ id }: Element): number {
  return Number(id.slice(1));
}

function lineAt(number: number): HTMLElement | null {
  return document.getElementById(`L${number}`);
}

function rangeAt({ line, start, end }: Span): Range | undefined {
  const said = lineAt(line)?.lastElementChild;
  return said ? rangeIn(said, start, end) : undefined;
}
