// Report: what an error is to its caller, and to the log.

import { Failure } from '../contract/failure.ts';
import { failure } from '../contract/statuses.ts';
import type { Log } from './log.ts';

/** What is known of the call that failed. */
export interface Failed {
  readonly id?: string;
  readonly method?: string;
  readonly route?: string | undefined;
}

/** Turns an error into the failure that leaves; one that is none is a bug, and logged whole. */
export type Report = (error: unknown, failed: Failed) => Failure;

/** Makes the function that judges errors. An error that is thrown again, as long as it lasts, is logged once. */
export function createReport(log: Log, state: { readonly closed: boolean }): Report {
  const logged = new WeakSet();
  return (error, { id: request_id, method, route }) => {
    if (error instanceof Failure) return error;
    if (state.closed) return failure(503);
    if (error instanceof Error) {
      if (logged.has(error)) return failure(500);
      logged.add(error);
    }
    log.error({ request_id, method, route, err: error }, 'request failed');
    return failure(500);
  };
}

/** The 503 of a gateway that cannot answer, and why. */
export function unavailable(why: string): Failure {
  return new Failure(503, `This gateway ${why}; send requests to another, or try again later.`);
}
