// The tool check_quote: whether words occur in a memory as they are quoted, and where.

import * as v from 'valibot';

import { Failure } from '../../contract/failure.ts';
import { BYTES_PER_TOKEN, MAX_QUERY } from '../../contract/schemas/parameters.ts';
import { countFitting, sentBytes } from '../budget.ts';
import { PlaceId } from '../parameters.ts';
import { readPlace, urlOfPlace, writePlace, type MemoryPlace } from '../place.ts';
import { writeBlocks, writeHead, writeLines, writeValues } from '../response.ts';
import { numberLines, readShown, showTitle } from '../show.ts';
import { createTool, type CallContext } from '../tool.ts';
import { NO_TRANSCRIPT, unlessRefused } from './memory-parts.ts';
import { findQuote } from './quote.ts';

/** The budget of a response, in tokens. */
const MAX_TOKENS = 2000;

/** How many places of a short quote are shown. */
const MAX_PLACES = 5;

/** The longest lines that are shown with a place, in characters. Of longer ones there is only the id. */
const MAX_SHOWN = 1500;

/** How many near passages are shown if the quote does not occur. */
const MAX_NEAR = 3;

const Quote = v.pipe(
  v.string(),
  v.regex(/\S/),
  v.maxLength(4000),
  v.description('the words as you would quote them, up to 4000 characters'),
);

/** Checks a quote. */
export const checkQuoteTool = createTool({
  name: 'check_quote',
  title: 'Check a quote',
  description:
    'Check words before you quote them: whether they occur in this memory, exactly or apart from case, accents and punctuation, and in which lines. Otherwise the nearest lines.',
  parameters: { id: PlaceId, quote: Quote },
  run: async (context, { id, quote }) => {
    const { api, signal } = context;
    const { memory_id } = readPlace(id);
    const fields = ['name', 'summary', 'transcript'] as const;
    const whole = await unlessRefused(api.memories.get({ memory_id, fields }, { signal }));
    const memory = whole ?? (await getSummary(context, memory_id));
    const asSent = await findQuote(memory, quote, context.pause);
    // Agents quote what they were shown, and there hidden characters are written out.
    const raw = asSent.match === 'none' ? readShown(quote) : quote;
    const { match, places, source } =
      raw === quote ? asSent : await findQuote(memory, raw, context.pause);
    const found = match !== 'none';
    // That the words were not said is not known.
    if (!found && whole === undefined) throw new Failure(403, NO_TRANSCRIPT);
    const blocks = found
      ? places.slice(0, MAX_PLACES).map(([first, last]) => {
          const text = linesBetween(memory.transcript, first, last);
          return writePart(context, { memory_id, first, last }, text);
        })
      : await findNearest(context, memory_id, quote);
    const write = (count: number) =>
      writeBlocks([
        writeLines([
          writeHead([memory_id, showTitle(memory.name)]),
          writeValues({
            match,
            source,
            occurrences: found ? Math.max(places.length, 1) : 0,
            now: new Date(context.now).toISOString(),
          }),
        ]),
        found || count === 0 ? '' : 'nearest lines:',
        ...blocks.slice(0, count),
      ]);
    const fits = (count: number) => sentBytes(write(count)) <= MAX_TOKENS * BYTES_PER_TOKEN;
    return write(countFitting(blocks.length, fits));
  },
});

/** Returns what a quote can be looked for in without a transcript. */
async function getSummary({ api, signal }: CallContext, memory_id: string) {
  const fields = ['name', 'summary'] as const;
  return { ...(await api.memories.get({ memory_id, fields }, { signal })), transcript: '' };
}

/** Returns some lines of a transcript, without cutting all of it into lines. */
function linesBetween(transcript: string, first: number, last: number): string {
  let from = 0;
  for (let line = 1; line < first; line++) from = transcript.indexOf('\n', from) + 1;
  let to = from - 1;
  for (let line = first; line <= last && (to > 0 || line === first); line++)
    to = transcript.indexOf('\n', to + 1);
  return transcript.slice(from, to < 0 ? transcript.length : to);
}

/** Some lines of a memory. */
type Lines = Required<Pick<MemoryPlace, 'memory_id' | 'first' | 'last'>>;

/** Writes some lines below their id, and below their address if there is a reader. */
function writePart({ readerUrl }: CallContext, place: Lines, text: string): string {
  return writeLines([
    writePlace(place),
    readerUrl === undefined ? '' : `link: ${urlOfPlace(place, readerUrl)}`,
    text.length > MAX_SHOWN ? '' : numberLines(text, place.first),
  ]);
}

/** Finds the passages of a memory that are most like the quote. */
async function findNearest(context: CallContext, memory_id: string, quote: string) {
  // Quotation marks would demand the phrase, which does not occur.
  const q = Array.from(quote.replaceAll(/["*]/g, ' ')).slice(0, MAX_QUERY).join('');
  if (q.trim() === '') return [];
  const { passages } = await context.api.search(
    { q, memory_id, limit: MAX_NEAR, max_tokens: MAX_TOKENS / 4 },
    { signal: context.signal },
  );
  return passages.flatMap(({ lines: [first, last = first], text }) =>
    first === undefined || last === undefined
      ? []
      : [writePart(context, { memory_id, first, last }, text)],
  );
}
