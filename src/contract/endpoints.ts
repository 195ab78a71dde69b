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

/** Writes a value of a program as it would stand in a request: `''`, which no parameter takes, when it cannot. */
export function toText(value: unknown): string {
  if (Array.isArray(value)) return value.map(toText).join(',');
  return /^(string|number|bigint|boolean)$/.test(typeof value) ? String(value).toWellFormed() : '';
}
