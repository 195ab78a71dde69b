// Reads the scope that the owner chooses for a key or a client.

import { Failure } from '../../contract/failure.ts';
import type { Reads, Scope } from '../../store/scope.ts';

/** A scope in a request. Times are null without a bound. */
interface ChosenScope {
  readonly reads: Reads;
  readonly started_after: string | null;
  readonly started_before: string | null;
  readonly source: string | null;
  readonly tags: readonly string[];
}

/** Returns a scope as it is stored. Throws a 422 if its window ends before it starts. */
export function toStoredScope({ started_after, started_before, ...rest }: ChosenScope): Scope {
  const after = started_after === null ? null : Date.parse(started_after);
  const before = started_before === null ? null : Date.parse(started_before);
  if (after !== null && before !== null && before <= after)
    throw new Failure(422, 'The property "started_before" takes a time after "started_after".');
  return { ...rest, started_after: after, started_before: before };
}
