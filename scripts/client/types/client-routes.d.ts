// The part of each route that a client needs.

import type { GenericSchema } from './schema.ts';

/** The part of a route that a client needs. */
export interface ClientRoute {
  readonly path: `/${string}`;
  readonly output: GenericSchema;
  /** Creates the output schema for the given `fields`. */
  readonly withFields?: (fields?: readonly string[]) => GenericSchema;
  /** The parameter for the next page: `cursor` for lists that end, `since` for feeds that go on. */
  readonly cursorParameter?: 'cursor' | 'since';
  /** Whether programs call the group itself, as in `api.search(…)`. */
  readonly isGroupCall?: true;
}
