// Aborted requests: work for a caller who has left ends with this failure.

import { Failure } from '../../contract/failure.ts';

/** Creates the failure of a call whose caller has left. */
export function callerLeft(): Failure {
  return new Failure(400, 'The caller has closed the connection.');
}
