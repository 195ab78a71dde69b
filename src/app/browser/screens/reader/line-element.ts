// A line of a transcript in the page: its number as a link, its speaker, and its text in pieces that are laid out one by one.

import { hueClass, type Hues } from '../../../../text/hues.ts';
import { OWNER } from '../../../../text/speaker.ts';
import { beginning } from '../../../../text/surrogates.ts';
import { type TranscriptLine, beginsTurn } from '../../../../text/turns.ts';
import { YOU } from '../../parts/title.ts';
import { fragmentOf, type Span } from './lines.ts';

/** The most characters of a line that are laid out together: a line of 5 MB takes seconds otherwise. */
const PIECE = 4000;

/** A line with more characters may be continued on the next page of paper, with three rows on each. */
const BREAKS = 600;

/** What is between a speaker and the words. */
const COLON = ': ';

/** The owner, in as many characters as the name in the transcript: hits and quotes are found in the page by counting characters. */
const OWN = `${YOU}\u2060`;

/** Creates the element of a line. */
export function lineElement(
  lines: readonly TranscriptLine[],
  number: number,
  hues: Hues,
): HTMLElement {
  const { text = '', speaker = '' } = lines[number - 1] ?? {};
  const begin = speaker === '' ? 0 : speaker.length + COLON.length;
  // The name is seen once, at the beginning of a turn. It is in every line for those who listen or copy.
  const line = element('p', beginsTurn(lines, number) ? 'line turn' : 'line');
  line.id = `L${number}`;
  line.classList.toggle('breaks', text.length > BREAKS);
  const link = element('a', 'number');
  link.href = `#${fragmentOf(lines, { first: number, last: number })}`;
  link.tabIndex = -1; // the arrow keys go from one to the next
  link.textContent = line.id;
  const said = element('span', 'said');
  said.dir = 'auto';
  if (speaker !== '') {
    const name = element('b', `speaker ${hueClass(hues, speaker)}`);
    name.dir = 'auto';
    name.title = speaker; // the margin cuts off a long one
    const colon = element('span', 'colon');
    colon.textContent = text.slice(speaker.length, begin);
    name.append(speaker === OWNER ? OWN : speaker, colon);
    said.append(name);
  }
  said.append(...pieces(text.slice(begin)));
  line.append(link, said);
  return line;
}

/** Gives the names of lines their colours again: in all lines others may speak most than in the first ones. */
export function recolour(root: HTMLElement, hues: Hues): void {
  for (const name of root.querySelectorAll<HTMLElement>('.speaker'))
    name.className = `speaker ${hueClass(hues, name.title)}`;
}

/** Returns the number of the line that has the focus. */
export function focusedLine(): number | undefined {
  return numberIn(document.activeElement?.closest('.line'));
}

/** Returns the number of a line, if there is one. */
export function numberIn(line: Element | null | undefined): number | undefined {
  return line ? numberOf(line) : undefined;
}

/** Returns the number of a line in the page. */
export function numberOf({ id }: Element): number {
  return Number(id.slice(1));
}

/** Finds a line in the page by its number. */
export function lineAt(number: number): HTMLElement | null {
  return document.getElementById(`L${number}`);
}

/** Finds a part of a line in the page. */
export function rangeAt({ line, start, end }: Span): Range | undefined {
  const said = lineAt(line)?.lastElementChild;
  return said ? rangeIn(said, start, end) : undefined;
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

/** Creates an element with a class. */
export function element<K extends keyof HTMLElementTagNameMap>(tag: K, name: string) {
  const made = document.createElement(tag);
  made.className = name;
  return made;
}

/** The end of a sentence in the second half of a piece. A word of three letters with a full stop may be short for another. */
const SENTENCES = /^[^]{2000,}(?:[^.\s]{4}[.!?…]\S? |[。！？।])/;

/** Splits a very long text into elements that are laid out one by one: at the ends of sentences, otherwise at spaces if there are some. */
function pieces(text: string): (Node | string)[] {
  if (text.length <= PIECE) return [text];
  const parts: Node[] = [];
  for (let rest = text; rest !== '';) {
    const most = beginning(rest, PIECE);
    const [whole = most.slice(0, most.lastIndexOf(' ') + 1) || most] = SENTENCES.exec(most) ?? [];
    const part = element('span', 'piece');
    const shown = rest.length > PIECE ? whole : rest;
    part.textContent = shown;
    parts.push(part);
    rest = rest.slice(shown.length);
  }
  return parts;
}
