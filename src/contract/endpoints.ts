// The endpoints of a contract: lists them with their names, and finds those at a path.

import type { ByEndpoint, Target } from './targets.ts';

/** An endpoint with its name. */
export interface Endpoint<R extends Target = Target> {
  /** Group and name, as in `memories.list`. */
  readonly name: string;
  readonly route: R;
}

/** Lists all endpoints of a contract. */
export function endpointsOf<R extends Target>(groups: ByEndpoint<R>): Endpoint<R>[] {
  return Object.entries(groups).flatMap(([group, routes]) =>
    Object.entries(routes).map(([name, route]) => ({ name: `${group}.${name}`, route })),
  );
}

/** An endpoint whose path matched, with the parameters in the path. */
export interface Match<E extends Endpoint> {
  readonly endpoint: E;
  /** Still percent-encoded: the path is split before it is decoded, so %2F separates nothing. */
  readonly params: Readonly<Record<string, string>>;
}

/** Creates the function that finds the endpoints at a path: one for each method. */
export function createFindEndpoints<E extends Endpoint>(
  endpoints: readonly E[],
): (path: string) => Match<E>[] {
  const patterns = endpoints.map((endpoint) => ({
    endpoint,
    pattern: toPattern(endpoint.route.path),
  }));
  return (path) => {
    const found: Match<E>[] = [];
    for (const { endpoint, pattern } of patterns) {
      const match = pattern.exec(path);
      if (match !== null) found.push({ endpoint, params: match.groups ?? {} });
    }
    return found;
  };
}

function toPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
}

/** Whether a parameter is part of the path. All others are in the query, or in the body. */
export function isInPath({ path }: Pick<Target, 'path'>, name: string): boolean {
  return path.includes(`{${name}}`);
}

/**
 * Converts an input value to the text of a request, with commas between the values of a list.
 * Returns `''`, which every parameter refuses, for values that have no such text.
 */
export function toParameterText(value: unknown): string {
  return Array.isArray(value) ? value.map(primitiveText).join() : primitiveText(value);
}

/** Returns whether a list repeats a parameter instead of writing commas: names may have commas. */
export function isRepeated(name: string): boolean {
  return name === 'person';
}

/** Converts an input value to the texts of a parameter: one, or one for each value of a list that repeats it. */
export function toParameterTexts(name: string, value: unknown): string[] {
  return isRepeated(name) && Array.isArray(value)
    ? value.map(primitiveText)
    : [toParameterText(value)];
}

function primitiveText(value: unknown): string {
  return /^(string|number|bigint|boolean)$/.test(typeof value) ? String(value).toWellFormed() : '';
}
