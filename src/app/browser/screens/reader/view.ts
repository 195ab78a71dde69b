// The text of a transcript in the page: its lines, the marked ones, and the way to each of them.

import { isApple } from '../../keyboard/keyboard.ts';
import { keyName } from '../../keyboard/shortcuts.ts';
import type { LineSpot } from '../../state/router.ts';
import { createBlocks } from './blocks.ts';
import { createHold } from './hold.ts';
import { lineElement, rangeIn } from './line-element.ts';
import { hashOf, type ShownLines, type Span, type TranscriptLine } from './lines.ts';
import { huesOf } from './speakers.ts';

/** The text in the page. */
export type View = ReturnType<typeof createView>;

/** What the text calls. */
export interface ViewEvents {
  /** More lines are in the page. */
  readonly onFill: () => void;
  /** The number of a line was clicked, maybe with Shift. */
  readonly onNumber: (number: number, isExtending: boolean) => void;
}

/** Creates the text below an element. */
export function createView(root: HTMLElement, { onFill, onNumber }: ViewEvents) {
  let all: readonly TranscriptLine[] = [];
  let hues: ReturnType<typeof huesOf> = new Map();
  let marked: ShownLines | undefined;
  const hold = createHold();
  const blocks = createBlocks(root, makeLine, onFill);

  function makeLine(number: number): HTMLElement {
    const line = lineElement(all, number, hues);
    line.classList.toggle('marked', isMarked(number));
    return line;
  }

  /** Returns the line that is read: the one that is held, otherwise the first one on the screen. */
  function spot(): LineSpot | undefined {
    const { found, below = 0 } = hold.read() ?? {};
    const node = found instanceof Range ? found.startContainer.parentElement : found;
    const line = node?.closest('.line') ?? blocks.firstVisible();
    const number = Number(line?.id.slice(1));
    const text = all[number - 1]?.text;
    if (line === undefined || text === undefined) return undefined;
    const { top } = line.getBoundingClientRect();
    return { first: number, last: number, hash: hashOf(text), top: top - below };
  }

  function isMarked(number: number): boolean {
    return marked !== undefined && number >= marked.first && number <= marked.last;
  }

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
    blocks.fillAround(next);
    lineAt(next)?.querySelector('a')?.focus();
  });

  return {
    /** Shows lines. Those around a line come first. */
    show(lines: readonly TranscriptLine[], around: number): void {
      all = lines;
      hues = huesOf(lines);
      blocks.show(lines);
      blocks.fillAround(around);
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
      blocks.fillAround(number);
      const line = lineAt(number);
      if (line !== null) hold.on(() => lineAt(number), top);
      return line?.querySelector('a');
    },
    /** Scrolls to a part of a line, and holds it there. Returns it. */
    toSpan(span: Span): Range | undefined {
      blocks.fillAround(span.line);
      hold.on(() => rangeAt(span) ?? lineAt(span.line));
      return rangeAt(span);
    },
    /** Returns a part of a line in the page, or undefined while the line is not there. */
    range: rangeAt,
    spot,
    close(): void {
      hold.close();
      blocks.close();
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
