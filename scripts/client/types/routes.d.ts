// The endpoints as types: what each takes and returns. test/outside/client compares them with memory-gateway/client.

import type { ClientRoute } from './client-routes.ts';
import type { Day } from './days.ts';
import type {
  ChangesParameters,
  DaysParameters,
  FirstPageParameters,
  GetParameters,
  LinesParameters,
  NextPageParameters,
  SearchParameters,
} from './inputs.ts';
import type { TranscriptLines } from './lines.ts';
import type { Change, Memory } from './memory.ts';
import type { Route } from './route.ts';
import type { GenericSchema, ObjectEntries } from './schema.ts';
import type { SearchResult } from './search.ts';

/** A `Route`, of which it has only the properties that its endpoint has. */
interface Endpoint<I extends object, O> extends Omit<Route, keyof ClientRoute | 'input'> {
  readonly path: `/${string}`;
  readonly input: GenericSchema<I> & { readonly entries: ObjectEntries };
  readonly output: GenericSchema<unknown, O>;
}

type WithFields = { readonly withFields: (fields?: readonly string[]) => GenericSchema };
type Pages = { readonly cursorParameter: 'cursor' };
type Feed = { readonly cursorParameter: 'since' };
type GroupCall = { readonly isGroupCall: true };

type ListParameters = FirstPageParameters | NextPageParameters;

/** The endpoints under `/v1`. */
export declare const routes: {
  readonly memories: {
    readonly list: Endpoint<ListParameters, Memory[]> & WithFields & Pages;
    readonly get: Endpoint<GetParameters, Memory> & WithFields;
    readonly lines: Endpoint<LinesParameters, TranscriptLines>;
  };
  readonly search: {
    readonly passages: Endpoint<SearchParameters, SearchResult> & Pages & GroupCall;
  };
  readonly days: { readonly list: Endpoint<DaysParameters, Day[]> };
  readonly changes: { readonly list: Endpoint<ChangesParameters, Change[]> & Feed };
};
