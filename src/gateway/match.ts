// Which endpoint is meant: method and path → route and the raw text of its path parameters.

import type { Endpoint } from '../contract/endpoints.ts';
import { Failure } from '../contract/failure.ts';

/** An endpoint that was meant, and what its path said. */
export interface Match<T> {
  readonly endpoint: T;
  /** Still percent-encoded: segments are split before they are decoded, so %2F splits nothing. */
  readonly params: Readonly<Record<string, string>>;
}

/** Makes the function that finds an endpoint; it fails with 404, or 405 where only the method is wrong. */
export function createMatch<T extends Endpoint>(endpoints: readonly T[]) {
  const patterns = endpoints.map((endpoint) => ({
    endpoint,
    pattern: toPattern(endpoint.route.path),
  }));
  return (method: string, path: string): Match<T> => {
    for (const { endpoint, pattern } of patterns) {
      const found = pattern.exec(path);
      if (found === null) continue;
      if (!isRead(method)) throw methodNotAllowed();
      return { endpoint, params: found.groups ?? {} };
    }
    throw nothingHere();
  };
}

/** HEAD is GET without the body, everywhere. */
export function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** The 405 of a path that is there. */
export function methodNotAllowed(): Failure {
  return new Failure(405, 'This API is read-only; use GET or HEAD.');
}

/** The 404 of a path that is not. */
export function nothingHere(): Failure {
  return new Failure(404, 'There is nothing at this path; the memories are at …/v1/memories.');
}

function toPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
}
