// Remote calls from the primary to a worker, with a timeout.

import type { Log } from '../../../gateway/log.ts';
import type { Awaitable } from '../../../lib/async.ts';
import type { MetricSamples } from '../metrics/registry.ts';

/** The methods of a worker, and their results. */
export interface RpcMethods {
  readonly metrics: MetricSamples;
  /** Whether it can serve requests. */
  readonly ready: boolean;
}

/** A request. Its number tells late responses from current ones. */
export interface RpcRequest {
  readonly method: keyof RpcMethods;
  readonly number: number;
}

/** A response, without a result if the method failed. */
export interface RpcResponse {
  readonly number: number;
  readonly result?: RpcMethods[keyof RpcMethods];
}

/** Calls a method of one process. Resolves with undefined if it does not respond in time, or cannot. */
export type RpcCall = <Q extends keyof RpcMethods>(method: Q) => Promise<RpcMethods[Q] | undefined>;

/** A worker that hangs must not delay the others. Prometheus waits 10 s by default, a health check often 1 s. */
const TIMEOUT_MS = { metrics: 1000, ready: 500 } as const satisfies Record<
  keyof RpcMethods,
  number
>;

/** Calls methods of one process. */
export interface RpcClient {
  readonly call: RpcCall;
  /** Handles a response of the process. */
  readonly onResponse: (response: RpcResponse) => void;
  /** Ends all waiting calls, because the process has exited. */
  readonly close: () => void;
}

/** Creates a client. `send` returns false if the process can no longer be reached. */
export function createRpcClient(send: (request: RpcRequest) => boolean): RpcClient {
  const waiting = new Map<number, (result: unknown) => void>();
  let last = 0;
  return {
    async call(method) {
      const number = ++last;
      const { promise, resolve } = Promise.withResolvers<unknown>();
      if (!send({ method, number })) return undefined;
      waiting.set(number, resolve);
      const timeout = setTimeout(resolve, TIMEOUT_MS[method]);
      const result = await promise;
      clearTimeout(timeout);
      waiting.delete(number);
      return result as RpcMethods[typeof method] | undefined;
    },
    onResponse: ({ number, result }) => waiting.get(number)?.(result),
    close: () => waiting.forEach((resolve) => resolve(undefined)),
  };
}

/** Runs a requested method. Never rejects, because that would end the process. */
export async function handleRpc(
  { method, number }: RpcRequest,
  methods: { readonly [Q in keyof RpcMethods]: () => Awaitable<RpcMethods[Q]> },
  log: Log,
): Promise<RpcResponse> {
  try {
    return { number, result: await methods[method]() };
  } catch (err) {
    log.error({ err, method }, 'call from the primary process failed');
    return { number };
  }
}
