// The text of a transcript in the page: real text in blocks of lines, made in slices so that nothing freezes.

import { isLeadSurrogate } from '../../../../text/surrogates.ts';
import {
  fragmentOf,
  hashOf,
  type ShownLines,
  type LineTarget,
  type Span,
  type TranscriptLine,
} from './lines.ts';
import { hueOf, huesOf } from './speakers.ts';

/** Longer transcripts are laid out near the screen alone. Safari cannot find text in the other blocks. */
const LONG = 300_000;

/** What a line costs to lay out, in characters: many short lines take as long as a long text. */
const LINE = 200;
const BLOCK = 50;
/** How long a slice takes. The browser handles keys and scrolling between slices. */
const SLICE_MS = 8;
/** The most characters of a line that are laid out together: a line of 5 MB takes seconds otherwise. */
const PIECE = 4000;

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
      for (let i = -1; i <= 1; i++) fill(middle + i);
      fillSome();
    },
    /** Marks lines, and no others. */
    mark(range: ShownLines | undefined): void {
      for (const line of root.querySelectorAll('.marked')) line.classList.remove('marked');
      marked = range;
      for (let number = range?.first ?? 1; number <= (range?.last ?? 0); number++)
        document.getElementById(`L${number}`)?.classList.add('marked');
    },
    /** Returns the element of a line. */
    line(number: number): HTMLElement | null {
      fill(Math.floor((number - 1) / BLOCK));
      return document.getElementById(`L${number}`);
    },
    /** Returns a part of a line in the page, or undefined while the line is not there. */
    range({ line, start, end }: Span): Range | undefined {
      const said = document.getElementById(`L${line}`)?.lastElementChild;
      return said ? rangeIn(said, start, end) : undefined;
    },
    /** Returns the first line on the screen, and its distance from the top in pixels. */
    firstVisible(): (LineTarget & { readonly top: number }) | undefined {
      const block = blocks.find(({ element: each }) => isBelowTop(each));
      const line = Array.from(block?.element.children ?? []).find(isBelowTop);
      const number = Number(line?.id.slice(1));
      const text = all[number - 1]?.text;
      if (line === undefined || text === undefined) return undefined;
      const { top } = line.getBoundingClientRect();
      return { first: number, last: number, hash: hashOf(text), top };
    },
    close(): void {
      clearTimeout(timer);
      removeEventListener('beforeprint', fillAll);
    },
  };
}

function lineElement(
  lines: readonly TranscriptLine[],
  number: number,
  hues: ReadonlyMap<string, number>,
): HTMLElement {
  const { text = '', speaker = '' } = lines[number - 1] ?? {};
  const line = element('p', 'line');
  line.id = `L${number}`;
  const link = element('a', 'number');
  link.href = `#${fragmentOf(lines, { first: number, last: number })}`;
  link.textContent = line.id;
  const said = element('span', 'said');
  said.dir = 'auto';
  if (speaker !== '') {
    const name = element('b', `speaker hue-${hues.get(speaker) ?? hueOf(speaker)}`);
    name.dir = 'auto';
    name.textContent = speaker;
    said.append(name);
  }
  said.append(...pieces(text.slice(speaker.length)));
  line.append(link, said);
  return line;
}

/** Returns a part of the text of an element, in UTF-16 code units. */
function rangeIn(said: Element, start: number, end: number): Range | undefined {
  const texts = document.createTreeWalker(said, NodeFilter.SHOW_TEXT);
  const range = new Range();
  let before = 0;
  let isStarted = false;
  for (let node = texts.nextNode(); node instanceof Text; node = texts.nextNode()) {
    const after = before + node.length;
    if (!isStarted && start < after) {
      range.setStart(node, start - before);
      isStarted = true;
    }
    if (isStarted && end <= after) {
      range.setEnd(node, end - before);
      return range;
    }
    before = after;
  }
  return undefined;
}

function element<K extends keyof HTMLElementTagNameMap>(tag: K, name: string) {
  const made = document.createElement(tag);
  made.className = name;
  return made;
}

function isSame(a: readonly TranscriptLine[], b: readonly TranscriptLine[]): boolean {
  return a.length === b.length && a.every(({ text }, i) => text === b[i]?.text);
}

function isBelowTop(each: Element): boolean {
  return each.getBoundingClientRect().bottom > 0;
}

/** Splits a very long text, at spaces if possible, into elements that are laid out one by one. */
function pieces(text: string): (Node | string)[] {
  if (text.length <= PIECE) return [text];
  const parts: Node[] = [];
  for (let start = 0; start < text.length;) {
    const space = start + text.slice(start, start + PIECE + 1).lastIndexOf(' ') + 1;
    const most = start + PIECE - Number(isLeadSurrogate(text.charCodeAt(start + PIECE - 1)));
    const end = most >= text.length ? text.length : space > start ? space : most;
    const part = element('span', 'piece');
    part.textContent = text.slice(start, end);
    parts.push(part);
    start = end;
  }
  return parts;
}
