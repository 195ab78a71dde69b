// Problems of the database that people can solve, as a 503 or 409 with a sentence. Other messages of the store name paths.

import { Failure } from '../../contract/failure.ts';
import type { Awaitable } from '../../lib/async.ts';
import { Refusal } from '../../store/refusal.ts';

const READ_ONLY =
  'The app cannot write to the database of this gateway, so nothing was changed; reading and the API still work. Ask its operator to let the gateway write to it.';
const NOT_READABLE =
  'This gateway may not read the sessions in its database, so nobody can sign in; ask its operator to serve it as a user that may, such as memory_app.';
const BUSY =
  'Another program is writing to the database, so nothing was changed; try again in a moment.';
const FULL =
  'The disk of this gateway is full, so nothing was changed; ask its operator for space.';

/**
 * Runs work on the store that reads or writes. Throws or rejects with a 503 if the database does not let
 * it, and with a 409 if an account has too much.
 */
export function explaining<T>(does: 'reads' | 'writes', work: () => Awaitable<T>): Awaitable<T> {
  const fail = (error: unknown): never => {
    throw error instanceof Refusal ? (explained(error, does) ?? error) : error;
  };
  try {
    const result = work();
    return result instanceof Promise ? result.catch(fail) : result;
  } catch (error) {
    return fail(error);
  }
}

function explained({ code, message }: Refusal, does: 'reads' | 'writes'): Failure | undefined {
  if (code === 'denied') return new Failure(503, does === 'reads' ? NOT_READABLE : READ_ONLY);
  if (code === 'locked' || code === 'busy') return new Failure(503, BUSY);
  if (code === 'too-many') return new Failure(409, message);
  return code === 'full' ? new Failure(503, FULL) : undefined;
}
