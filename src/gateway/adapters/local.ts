// The entry point for the same process: the Api of an account, without HTTP and without a key.

import { abortable } from '../../contract/abort.ts';
import type { Api } from '../../contract/api.ts';
import type { Values } from '../../contract/check-input.ts';
import { createApi } from '../../contract/create-api.ts';
import { abortFailure } from '../../contract/failure.ts';
import type { Awaitable } from '../../lib/async.ts';
import { NO_SCOPE, type Scope } from '../../store/scope.ts';
import type { EndpointResult, HandledRoute, HandledRoutes } from '../endpoints/endpoint.ts';
import { runScheduled, type Schedule } from '../fair-share/time.ts';
import type { Report } from '../response/report.ts';

/** A call of a program. */
export interface LocalCall {
  readonly account_id: string;
  /** What the program may read. Undefined: everything. */
  readonly scope: Scope | undefined;
  readonly route: HandledRoute;
  /** The input as the program has passed it. */
  readonly input: Values;
  readonly signal: AbortSignal | undefined;
}

/** How the calls of a program are run. */
export interface LocalOptions {
  readonly routes: HandledRoutes;
  readonly run: (call: LocalCall) => Awaitable<EndpointResult>;
  readonly schedule: Schedule;
  readonly report: Report;
}

/** Creates the function that returns the Api of an account. */
export function createLocal({ routes, run, schedule, report }: LocalOptions) {
  return (account_id: string, given?: Partial<Scope>): Api => {
    const scope = given && { ...NO_SCOPE, ...given };
    return createApi<HandledRoute>(routes, async ({ endpoint: { name, route }, input, signal }) => {
      const call = async () => {
        const { body, next } = await runScheduled(schedule, () => {
          signal?.throwIfAborted();
          return run({ account_id, scope, route, input, signal });
        });
        return { output: await (route.isFile ? copy(body) : parse(body, signal)), next };
      };
      try {
        return await abortable(signal, call());
      } catch (error) {
        if (signal?.aborted === true) throw abortFailure(signal);
        throw report(error, { trace: { route: name } });
      }
    });
  };
}

/** Returns a file as bytes that the program may change. The gateway may have cached its own. */
function copy(body: EndpointResult['body']): Uint8Array {
  if (body instanceof Uint8Array) return new Uint8Array(body); // `slice` of a Buffer is the same memory
  throw new TypeError('a call of a program gets a whole file');
}

async function parse(body: EndpointResult['body'], signal?: AbortSignal): Promise<unknown> {
  if (body === null || 'read' in body) throw new TypeError('a call of a program gets JSON');
  const decoder = new TextDecoder();
  if (body instanceof Uint8Array) return JSON.parse(decoder.decode(body));
  let text = '';
  for await (const part of body) {
    signal?.throwIfAborted();
    text += decoder.decode(part, { stream: true });
  }
  return JSON.parse(text + decoder.decode());
}
