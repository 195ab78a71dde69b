// Result: a value, or a failure that is returned because throwing it would cost too much.

import type { Failure } from '../contract/failure.ts';

/**
 * A value, or the failure that stands in its place. Anybody can ask for a 401 or a 429, so these are
 * created once and returned: an exception with its stack trace cost more than the rest of the request.
 * All other failures are thrown.
 */
export type Result<T> = T | Failure;
