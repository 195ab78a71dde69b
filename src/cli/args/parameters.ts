// Reads options as the API reads its parameters, and says what is wrong with them in the words of the command line.

import { checkInput } from '../../contract/check-input.ts';
import { Failure } from '../../contract/failure.ts';
import { routes } from '../../contract/routes.ts';
import { readProgramInput } from '../../gateway/request/input.ts';
import type { Args } from './args.ts';
import type { OptionName } from './options/options.ts';
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

/** The options that choose memories or passages. */
export const choiceOptions = [
  'person',
  'tag',
  'source',
  'started-after',
  'started-before',
  'timezone',
  'is-processing',
] as const satisfies readonly OptionName[];

/** Returns options as parameters of the API, which decodes their texts as those of a request. */
export function parametersOf(
  args: Args,
  names: readonly OptionName[],
): Readonly<Record<string, string | readonly string[] | undefined>> {
  const valueOf = (name: OptionName) => {
    if (name !== 'person') return args.text(name);
    const people = args.all(name);
    return people.length === 0 ? undefined : people;
  };
  return Object.fromEntries(names.map((name) => [name.replaceAll('-', '_'), valueOf(name)]));
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
