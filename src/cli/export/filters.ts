// The options of an export that choose memories: they mean the same as the parameters of a list.

import { toMillisecondBounds } from '../../lib/timezone.ts';
import { toFacets } from '../../store/details/facets.ts';
import type { ListFilters } from '../../store/engine.ts';
import type { Args } from '../args/args.ts';
import type { OptionName } from '../args/options/options.ts';
import { choiceOptions, parametersOf, readListParameters } from '../args/parameters.ts';

/** The options that choose memories, and their order. */
export const filterOptions = [
  'order',
  'q',
  ...choiceOptions,
] as const satisfies readonly OptionName[];

/** Which memories to export, and the time zone of days. */
export interface ExportChoice {
  readonly filters: ListFilters;
  readonly timezone: string;
  /** Whether memories may be left out. */
  readonly isPart: boolean;
}

/** Reads which memories to export. Rejects with `UsageError`. */
export async function readChoice(args: Args): Promise<ExportChoice> {
  const {
    timezone = 'UTC',
    started_after,
    started_before,
    ...rest
  } = readListParameters(parametersOf(args, filterOptions));
  const { order, q, is_processing } = rest;
  const facets = toFacets(rest);
  const bounds = await toMillisecondBounds({ started_after, started_before }, timezone);
  const filters = { order, q, is_processing, facets, ...bounds };
  const isPart = [q, is_processing, facets, started_after, started_before].some(
    (each) => each !== undefined,
  );
  return { filters, timezone, isPart };
}
