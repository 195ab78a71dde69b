// Endpoints: those of a contract one by one, and where in a request their parameters stand.

import type { Answering } from './answers.ts';

/** An endpoint with its name. */
export interface Endpoint<R extends Answering = Answering> {
  /** As in the contract: `memories.list`. */
  readonly name: string;
  readonly route: R;
}

/** All endpoints, one after the other. */
export function endpointsOf<R extends Answering>(
  groups: Readonly<Record<string, Readonly<Record<string, R>>>>,
): Endpoint<R>[] {
  return Object.entries(groups).flatMap(([group, routes]) =>
    Object.entries(routes).map(([name, route]) => ({ name: `${group}.${name}`, route })),
  );
}

/** Tells a parameter of the path from one of the query. */
export function isInPath({ path }: Pick<Answering, 'path'>, name: string): boolean {
  return path.includes(`{${name}}`);
}

/**
 * Writes a value of a program as it would stand in a request, the values of a list with commas
 * between: `''`, which no parameter takes, for what cannot stand there.
 */
export function toText(value: unknown): string {
  return Array.isArray(value) ? value.map(wordOf).join() : wordOf(value);
}

function wordOf(value: unknown): string {
  return /^(string|number|bigint|boolean)$/.test(typeof value) ? String(value).toWellFormed() : '';
}
