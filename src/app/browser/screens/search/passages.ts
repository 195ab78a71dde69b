// Passages as the screen shows them: under their memories, and each line in parts that are marked or not.

import type { Passage } from '../../../../contract/schemas/passages.ts';
import { fold } from '../../../../text/query-pieces.ts';
import { isSameName } from '../../../../text/same-name.ts';
import { splitTranscript } from '../../../../text/turns.ts';
import { pathWith } from '../../state/search/search-path.ts';

/** A passage of a search, perhaps the line of a person whose name it looks for. */
interface FoundPassage extends Passage {
  /** Whether only the name before the line has a word. */
  readonly isSpoken?: boolean;
}

/** The passages of one memory. */
export type PassagesOfMemory = readonly [FoundPassage, ...FoundPassage[]];

/**
 * Puts passages under their memories, which stay best first. The passages of a memory are in the order of its lines: the
 * best one, which may be there by its meaning or its speaker alone, and the others with marked words.
 */
export function groupPassages(passages: readonly FoundPassage[]): PassagesOfMemory[] {
  const groups = Map.groupBy(passages, ({ memory_id }) => memory_id);
  return Array.from(
    groups.values(),
    (group) =>
      group
        .filter(({ marks, isSpoken }, at) => at === 0 || (marks.length > 0 && !isSpoken))
        .toSorted((a, b) => (a.lines[0] ?? 0) - (b.lines[0] ?? 0)) as [
        FoundPassage,
        ...FoundPassage[],
      ],
  );
}

/**
 * Returns the passages of a page without the marks of names that only say who speaks. Of a passage without other marks, the
 * longest of these lines is left, and it comes last: who is spoken of comes before who speaks.
 */
export function saidFirst(passages: readonly Passage[]): FoundPassage[] {
  const said: Passage[] = [];
  const spoken: FoundPassage[] = [];
  for (const passage of passages) {
    const { text, marks, lines } = passage;
    const [first = 0] = lines;
    let start = 0;
    const labels = splitTranscript(first ? text : '').map(({ text: line, speaker = '' }, at) => {
      const from = start;
      start += line.length + 1;
      const own = marks.filter(([a = 0, b = 0]) => a >= from && b <= from + speaker.length);
      return { from, line, own, number: first + at };
    });
    const words = marks.filter((mark) => !labels.some(({ own }) => own.includes(mark)));
    const [longest] = labels
      .filter(({ own }) => own.length > 0)
      .toSorted((a, b) => b.line.length - a.line.length);
    if (longest === undefined || words.length > 0) said.push({ ...passage, marks: words });
    else {
      const { from, line, own, number } = longest;
      spoken.push({
        ...passage,
        lines: [number, number],
        text: line,
        marks: own.map((mark) => mark.map((at) => at - from)),
        isSpoken: true,
      });
    }
  }
  return [...said, ...spoken];
}

/** Returns the folded words that a passage marks. */
export function markedWords({ text, marks }: Passage): string[] {
  return marks.map((mark) => fold(text.slice(...mark)));
}

/** Returns the passages that mark a word which no passage before them marks. */
export function withNewWords(passages: readonly Passage[]): Passage[] {
  const known = new Set<string>();
  return passages.filter((passage) => {
    const { size } = known;
    for (const word of markedWords(passage)) known.add(word);
    return known.size > size;
  });
}

/** A part of a text. */
export interface MarkedText {
  readonly text: string;
  readonly isMarked: boolean;
}

/** Splits a text from one position to another into parts. Positions and marks are in UTF-16 code units. */
export function splitByMarks(
  { text, marks }: Pick<Passage, 'text' | 'marks'>,
  from: number,
  to: number,
): MarkedText[] {
  const parts: MarkedText[] = [];
  let at = from;
  const add = (end: number, isMarked: boolean) => {
    const until = Math.min(end, to);
    if (until <= at) return;
    parts.push({ text: text.slice(at, until), isMarked });
    at = until;
  };
  for (const [start = 0, end = 0] of marks) {
    add(start, false);
    if (end > at && start < to) add(end, true);
  }
  add(to, false);
  return parts;
}

/** A line of a passage. */
export interface PassageLine {
  /** The number of the line in the transcript. Undefined for a text of the summary, and for a name. */
  readonly number: number | undefined;
  /** The name of the speaker, without the colon. */
  readonly speaker: string | undefined;
  /** The speaker as it stands in the line, with the colon. */
  readonly turn: readonly MarkedText[];
  readonly said: readonly MarkedText[];
  /** Whether it only shows that a person of the search is near. */
  readonly isContext: boolean;
}

/** The most lines of a passage that are shown. */
const MOST_LINES = 3;

/** How much of a long line is shown before its first mark. */
const BEFORE = 100;

/**
 * Returns the first lines of a passage that have marks, or its first lines if none has. A long line begins shortly before
 * its first mark. If a search asks for people, and none of them says these lines, the nearest that they say is with them.
 */
export function shownLines(passage: Passage, people: readonly string[] = []): PassageLine[] {
  const {
    text,
    marks,
    lines: [first],
  } = passage;
  // In a name or a summary, words before a colon are no speaker.
  const speakers = first ? splitTranscript(text) : [];
  const shown: PassageLine[] = [];
  let theirs: PassageLine | undefined;
  let start = 0;
  for (const [i, line] of text.split('\n').entries()) {
    const end = start + line.length;
    const mark = marks.find(([from = 0, to = 0]) => to > start && from < end);
    const speaker = speakers[i]?.speaker;
    const said = start + (speaker === undefined ? 0 : speaker.length + 1);
    const from = beginning(text, said, mark?.[0] ?? 0);
    const parts = splitByMarks(passage, from, end);
    const one = {
      number: first && first + i,
      speaker,
      turn: splitByMarks(passage, start, said),
      said: from === said ? parts : [{ text: ' …', isMarked: false }, ...parts],
      isContext: mark === undefined && marks.length > 0,
    };
    const isShown = shown.length < MOST_LINES && !one.isContext;
    if (isShown) shown.push(one);
    // The last one before what is shown, or the first one after it.
    if (isOneOf(people, speaker) && (isShown || shown.length === 0 || theirs === undefined))
      theirs = one;
    start = end + 1;
  }
  if (theirs && !shown.some(({ speaker }) => isOneOf(people, speaker))) shown.push(theirs);
  return shown.toSorted((a, b) => (a.number ?? 0) - (b.number ?? 0));
}

function isOneOf(people: readonly string[], speaker = ''): boolean {
  return people.some((name) => isSameName(name, speaker));
}

/** Where a line begins on the screen: behind a space if there is one, and never within a character. */
function beginning(text: string, said: number, mark: number): number {
  const from = mark - BEFORE;
  if (from <= said) return said;
  const space = text.slice(from, mark).indexOf(' ');
  if (space !== -1) return from + space + 1;
  return /[\uDC00-\uDFFF]/.test(text.charAt(from)) ? from + 1 : from;
}

/** Returns the path of a memory at a line of a passage, with the query for its highlights. */
export function linePath({ memory_id }: Passage, line: number | undefined, q: string): string {
  const path = pathWith(`m/${memory_id}`, { q });
  return line === undefined ? path : `${path}#L${line}`;
}
