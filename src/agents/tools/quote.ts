// Finds a quote in a memory: exactly, or apart from case, accents, punctuation and line breaks.

import type { Memory } from '../../contract/schemas/memory.ts';
import { speakerOf } from '../../text/speaker.ts';
import { wordSlices, wordsOf } from '../../text/tokenizer.ts';

/** Where a quote occurs. */
export interface FoundQuote {
  /** `folded` means: apart from case, accents, punctuation and spaces. */
  readonly match: 'exact' | 'folded' | 'none';
  /** The first and last line of each place in the transcript. */
  readonly places: readonly (readonly [number, number])[];
  /** The field with the quote. Undefined without one. */
  readonly source?: 'transcript' | 'summary' | 'name';
}

/** A line number of ours before a line. */
const NUMBERED = /^L\d+: /gm;

type Quotable = Pick<Memory, 'name' | 'summary' | 'transcript'>;

/** Lets other work run. */
export type Pause = () => Promise<void>;

/** Finds a quote. The transcript goes before summary and name. Pauses between the parts of a long text. */
export async function findQuote(
  { name, summary, transcript }: Quotable,
  quote: string,
  pause: Pause = async () => {},
): Promise<FoundQuote> {
  const said = quote.replaceAll(NUMBERED, '').trim();
  const written = [summary.quick_summary, ...summary.key_takeaways].join('\n');
  const exact = await findExact(transcript, said, pause);
  if (exact.length > 0) return { match: 'exact', places: exact, source: 'transcript' };
  if ((await findExact(written, said, pause)).length > 0)
    return { match: 'exact', places: [], source: 'summary' };
  if ((await findExact(name, said, pause)).length > 0)
    return { match: 'exact', places: [], source: 'name' };
  const asWritten = await findWords(transcript, wordsOf(said), { pause });
  const folded =
    asWritten.length > 0
      ? asWritten
      : await findWords(transcript, wordsOf(eachLine(said, withoutSpeaker)), {
          pause,
          change: withoutSpeaker,
        });
  if (folded.length > 0) return { match: 'folded', places: folded, source: 'transcript' };
  if ((await findWords(written, wordsOf(said), { pause })).length > 0)
    return { match: 'folded', places: [], source: 'summary' };
  if ((await findWords(name, wordsOf(said), { pause })).length > 0)
    return { match: 'folded', places: [], source: 'name' };
  return { match: 'none', places: [] };
}

/** How many places are looked for. */
const MAX_PLACES = 1000;

/** How many characters are compared between two pauses: about 3 ms. */
const COMPARED = 256 * 1024;

/** How many characters are read as words between two pauses: about 3 ms. */
const READ = 8 * 1024;

type Place = [first: number, last: number];

/** Finds characters. */
async function findExact(text: string, quote: string, pause: Pause): Promise<Place[]> {
  const places: Place[] = [];
  const wanted = Array.from({ length: quote.length }, (_, i) => quote.charCodeAt(i));
  const hasEnded = createMatcher(wanted);
  const breaks = wanted.filter((code) => code === LINE_FEED).length;
  let line = 1;
  for (let i = 0; i < text.length && places.length < MAX_PLACES; i++) {
    const code = text.charCodeAt(i);
    if (code === LINE_FEED) line += 1;
    if (hasEnded(code)) places.push([line - breaks, line]);
    if ((i + 1) % COMPARED === 0) await pause();
  }
  return places;
}

const LINE_FEED = 10;

interface Reading {
  readonly pause: Pause;
  /** What is done to each line before it is read. Default: nothing. */
  readonly change?: (line: string) => string;
}

/** Finds a sequence of words. It may span lines. */
async function findWords(
  text: string,
  words: readonly string[],
  { pause, change = (line) => line }: Reading,
): Promise<Place[]> {
  const places: Place[] = [];
  const hasEnded = createMatcher(words);
  /** The lines of the last words, as many as are wanted. */
  const lines: number[] = [];
  let [count, line, read] = [0, 0, 0];
  for (const each of linesOf(text)) {
    line += 1;
    for (const slice of wordSlices(change(each), READ)) {
      for (const word of slice) {
        lines[count % words.length] = line;
        count += 1;
        if (!hasEnded(word)) continue;
        places.push([lines[count % words.length] ?? line, line]);
        if (places.length === MAX_PLACES) return places;
      }
      read += 1 + Math.min(each.length, READ);
      if (read < READ) continue;
      read = 0;
      await pause();
    }
  }
  return places;
}

/**
 * Creates a function that gets a sequence item by item, and returns whether the wanted items have just
 * ended. Places do not overlap. Knuth, Morris and Pratt: linear, whatever repeats itself. `indexOf` took
 * 5 s for 4,000 characters in 5 MB of one letter.
 */
function createMatcher<T>(wanted: readonly T[]): (item: T) => boolean {
  /** For each count of matched items, how many of them a longer match may still begin with. */
  const rests = [0, 0];
  for (let i = 1, rest = 0; i < wanted.length; i++) {
    while (rest > 0 && wanted[i] !== wanted[rest]) rest = rests[rest] ?? 0;
    if (wanted[i] === wanted[rest]) rest += 1;
    rests.push(rest);
  }
  let matched = 0;
  return (item) => {
    while (matched > 0 && item !== wanted[matched]) matched = rests[matched] ?? 0;
    if (item === wanted[matched] && wanted.length > 0) matched += 1;
    if (matched < wanted.length || matched === 0) return false;
    matched = 0;
    return true;
  };
}

function withoutSpeaker(line: string): string {
  const name = speakerOf(line);
  // A name that stands alone may be all that is quoted.
  return name === undefined || line === `${name}:` ? line : line.slice(name.length + 1);
}

function eachLine(text: string, change: (line: string) => string): string {
  return text.split('\n').map(change).join('\n');
}

/** Yields lines one by one: a list of millions of them takes long to make. */
function* linesOf(text: string): Generator<string> {
  let from = 0;
  for (let to; (to = text.indexOf('\n', from)) >= 0; from = to + 1) yield text.slice(from, to);
  yield text.slice(from);
}
