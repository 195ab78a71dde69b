// Reads options as the API reads its parameters, and says what is wrong with them in the words of the command line.

import { checkInput } from '../../contract/check-input.ts';
import { Failure } from '../../contract/failure.ts';
import { routes } from '../../contract/routes.ts';
import { readProgramInput } from '../../gateway/request/input.ts';
import type { Args } from './args.ts';
import { UsageError } from './parse.ts';

/** What the command line calls a parameter that has another name there. */
type OptionNames = Readonly<Record<string, string>>;

const NAMES: OptionNames = { memory_id: 'ID', first: '--lines' };

/** Replaces the API's parameter names in a sentence by the names of our options. */
export function toOptionNames(detail: string, names = NAMES): string {
  return detail
    .replaceAll(
      /(?:the )?(?:parameter )?"(memory_id|limit|q|started_after|started_before|timezone|is_processing|max_tokens|cursor|first|order|fields|person|tag|source)"/gi,
      (_, name: string) => names[name] ?? `--${name.replaceAll('_', '-')}`,
    )
    .replace(/ \(in a query[^)]*\)/, '');
}

/** Returns the options that choose memories by their people, tags and source, as the API takes them. */
export function facetFilters(args: Args) {
  const person = args.all('person');
  return {
    person: person.length === 0 ? undefined : person,
    tag: args.text('tag'),
    source: args.text('source'),
  };
}

/** Reads texts as the parameters of a list. Throws `UsageError`. */
export function readListParameters(
  texts: Readonly<Record<string, string | readonly string[] | undefined>>,
  names?: OptionNames,
) {
  const route = routes.memories.list;
  const given = Object.entries(texts).filter(([, text]) => text !== undefined);
  try {
    return checkInput(route.input, readProgramInput(route, Object.fromEntries(given)), 'url');
  } catch (error) {
    throw error instanceof Failure ? new UsageError(toOptionNames(error.detail, names)) : error;
  }
}
