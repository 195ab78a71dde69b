// search: finds passages by relevance, and highlights the matched words on a terminal.

import { styleText } from 'node:util';

import type { Passage, SearchResult } from '../../contract/schemas/passages.ts';
import { oneArgument } from '../args/args.ts';
import { choiceOptions, parametersOf } from '../args/parameters.ts';
import type { Command } from '../command.ts';
import { escapeControls } from '../output/terminal.ts';
import { formatName, formatTime } from '../output/text.ts';
import { callAsAccount } from './accounts/account-api.ts';

/** Searches the memories of an account. */
export const searchCommand: Command = {
  summary: 'Search an account for passages, best first',
  about:
    'Write a question or some words. Rarer words and more words rank higher. A "phrase" or a prefix* must occur.',
  takes: 'TEXT',
  options: [
    'database',
    'account',
    'memory',
    'limit',
    'max-tokens',
    ...choiceOptions,
    'cursor',
    'json',
  ],
  overrides: {
    account: { unset: 'the only account' },
    person: {
      help: 'Only passages with a line of this person; repeat the option for each of several',
    },
    limit: { default: '10', help: 'Show at most this many passages, 1 to 100' },
  },
  examples: [
    ['Ask a question', "memory-gateway search 'what did Henrik say about the fridge'"],
    [
      'Search one day in Berlin',
      'memory-gateway search \'budget "half past"\' --account mira --started-after 2026-11-18 --started-before 2026-11-19 --timezone Europe/Berlin',
    ],
    [
      'Find the passages of one memory, as JSON',
      'memory-gateway search firmware --account mira --memory standup-2026-11-18 --json',
    ],
  ],
  run: async (args) => {
    const cursor = args.text('cursor');
    const input = {
      q: cursor === undefined ? oneArgument(args, 'TEXT') : undefined,
      memory_id: args.text('memory'),
      ...parametersOf(args, ['limit', 'max-tokens', ...choiceOptions, 'cursor']),
    };
    const { items, next } = await callAsAccount(args, (api) => api.search.page(input));
    const notes = hintsOf(items);
    return {
      text:
        items.passages.length === 0
          ? 'No passage matches.'
          : items.passages.map(formatPassage).join('\n\n'),
      json: items,
      ...(notes.length === 0 ? {} : { note: notes.join('\n') }),
      ...(next === undefined ? {} : { more: `There are more. See them with --cursor ${next}` }),
    };
  },
};

function formatPassage({
  memory_id,
  name,
  started_at,
  source,
  lines,
  text,
  marks,
}: Passage): string {
  const [first, last] = lines;
  const place =
    first === undefined ? source : first === last ? `line ${first}` : `lines ${first}-${last}`;
  const heading = styleText('bold', formatName(name));
  return `${heading}\n${formatTime(Date.parse(started_at))}  ${memory_id}  ${place}\n${highlight(text, marks)}`;
}

/** Marks the matched words. Between them, control characters are made visible. */
function highlight(text: string, marks: readonly (readonly number[])[]): string {
  let shown = '';
  let done = 0;
  for (const [start = 0, end = 0] of marks) {
    shown += escapeControls(text.slice(done, start));
    shown += styleText(['bold', 'yellow'], escapeControls(text.slice(start, end)));
    done = end;
  }
  return shown + escapeControls(text.slice(done));
}

function hintsOf({ absent_words, nearest_words, searched_instead }: SearchResult): string[] {
  return absent_words.map((word) => {
    const instead = Object.hasOwn(searched_instead, word) ? searched_instead[word] : undefined;
    if (instead !== undefined)
      return `No memory has the word ${quote(word)}. Searched ${instead.map(quote).join(' and ')} instead.`;
    const near = Object.hasOwn(nearest_words, word) ? nearest_words[word] : undefined;
    const meant = near === undefined ? '' : ` Did you mean ${near.map(quote).join(' or ')}?`;
    return `No memory has the word ${quote(word)}.${meant}`;
  });
}

function quote(word: string): string {
  return `"${escapeControls(word)}"`;
}
