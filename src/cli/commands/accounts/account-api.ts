// Calls the API in this process as an account of a database, and translates its errors for the command line.

import type { Api } from '../../../contract/api.ts';
import { Failure } from '../../../contract/failure.ts';
import type { Awaitable } from '../../../lib/async.ts';
import { engineOf } from '../../../store/engines.ts';
import { Refusal } from '../../../store/refusal.ts';
import type { Store } from '../../../store/store.ts';
import { idOfChosen } from '../../args/account.ts';
import type { Args } from '../../args/args.ts';
import { toOptionNames } from '../../args/parameters.ts';
import { UsageError } from '../../args/parse.ts';

/**
 * Calls the API as the account of `--account`, or as the only one. Rejects with `UsageError` if the
 * API refuses a parameter (422), otherwise with `Refusal`.
 */
export async function callAsAccount<T>(
  args: Args,
  call: (api: Api, account: string) => Promise<T>,
): Promise<T> {
  const database = args.need('database');
  const id = await idOfChosen(args);
  let cause: unknown;
  const error = (fields: object) => void ({ err: cause } = fields as { err: unknown });
  const { connectGateway } = await import('../../../gateway/open.ts');
  const gateway = await connectGateway({ database, cacheBytes: 0, log: { error } });
  try {
    return await call(gateway.as(id), id);
  } catch (failure) {
    if (cause !== undefined) throw await engineOf(database).explain(cause);
    throw failure instanceof Failure ? toCommandError(failure, id) : failure;
  } finally {
    await gateway.close();
  }
}

/**
 * Reads from the store what the API has for HTTP only, as the account of `--account`, or as the only one. Rejects
 * with `Refusal`.
 */
export async function readAsAccount<T>(
  args: Args,
  read: (store: Store, account: string) => Awaitable<T>,
): Promise<T> {
  const engine = engineOf(args.need('database'));
  const id = await idOfChosen(args);
  const store = await engine.open();
  try {
    return await read(store, id);
  } catch (error) {
    throw error instanceof Failure ? toCommandError(error, id) : await engine.explain(error);
  } finally {
    await store.close();
  }
}

function toCommandError({ status, detail }: Failure, account: string): Error {
  if (status === 404)
    return new Refusal(
      `There is no such memory in account ${account}; "memories list" shows the memories.`,
    );
  return status === 422 ? new UsageError(toOptionNames(detail)) : new Refusal(detail);
}
