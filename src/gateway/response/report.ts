// The error report: turns any error into the failure that the caller gets, and logs what is a bug.

import { Failure } from '../../contract/failure.ts';
import { failure } from '../../contract/statuses.ts';
import { createIsNewError, type Log, type Trace } from '../log.ts';

/** The request of an error. A call in the same process has no id and no method. */
export interface FailedRequest {
  readonly id?: string;
  readonly method?: string;
  readonly trace: Partial<Pick<Trace, 'route'>>;
}

/** Turns an error into the failure that the caller gets. Other errors than failures are bugs, and logged. */
export type Report = (error: unknown, request: FailedRequest) => Failure;

/** Creates the error reporter. It logs an error object once, even if a store throws it repeatedly. */
export function createReport(log: Log, state: { readonly closed: boolean }): Report {
  const isNew = createIsNewError();
  return (error, { id: request_id, method, trace: { route } }) => {
    if (error instanceof Failure) return error;
    if (state.closed) return failure(503);
    if (isNew(error)) log.error({ request_id, method, route, err: error }, 'request failed');
    return failure(500);
  };
}

/** The 503 of a gateway that cannot serve requests, and why. */
export function unavailable(why: string): Failure {
  return new Failure(503, `This gateway ${why}; send requests to another, or try again later.`);
}
