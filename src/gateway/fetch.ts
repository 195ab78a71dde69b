// The door for fetch: a Request in, a Response out, for hosts that speak the web's own types.

import type { Failure } from '../contract/failure.ts';
import { startAccess } from './access.ts';
import type { DoorOptions } from './door.ts';
import { openExchange } from './exchange.ts';
import { inTurn } from './together.ts';

/** Answers a Request. Never rejects; a body that breaks off fails where it is read. */
export type Fetch = (request: Request) => Promise<Response>;

/** Makes the fetch door of a gateway; framing and Host are its host's to judge. */
export function createFetch({ respond, together, report, log, ...options }: DoorOptions): Fetch {
  return async (request) => {
    const { method, url } = request;
    const headers = [...request.headers].flat();
    const exchange = openExchange(
      { method, headers, base: options.base ?? '', isGone: () => request.signal.aborted },
      options.allowOrigins,
    );
    const end = startAccess(log, exchange);
    const answer = () => respond(exchange, () => targetOf(url));
    const { status, head, body } = await inTurn(together, answer);
    const init = { status, headers: pairs(head) };
    if (method === 'HEAD' || body === null || body instanceof Uint8Array) {
      const sent = method === 'HEAD' ? null : (body as Uint8Array<ArrayBuffer> | null);
      exchange.bytes = sent?.length ?? 0;
      end?.({ status, complete: true });
      return new Response(sent, init);
    }
    return new Response(
      stream(body, {
        signal: request.signal,
        end: (complete) => end?.({ status, complete }),
        fail: (error) => report(error, exchange),
      }),
      init,
    );
  };
}

interface Watch {
  readonly signal: AbortSignal;
  readonly end: (complete: boolean) => void;
  readonly fail: (error: unknown) => Failure;
}

/** Streams parts as they are read, until the last, a failure, or the end of who reads; tells which, once. */
function stream(
  parts: AsyncIterable<Uint8Array>,
  { signal, end, fail }: Watch,
): ReadableStream<Uint8Array> {
  const iterator = parts[Symbol.asyncIterator]();
  let isOver = false;
  const finish = (complete: boolean) => {
    isOver = true;
    signal.removeEventListener('abort', stop);
    end(complete);
  };
  let controller: ReadableStreamDefaultController<Uint8Array>;
  return new ReadableStream(
    {
      start(given) {
        controller = given;
        signal.addEventListener('abort', stop);
        if (signal.aborted) stop();
      },
      async pull() {
        try {
          const { done, value } = await iterator.next();
          if (isOver) return; // its reader left meanwhile
          if (done !== true) return controller.enqueue(value);
          controller.close();
          finish(true);
        } catch (error) {
          if (isOver) return;
          controller.error(fail(error));
          finish(false);
        }
      },
      cancel: leave,
    },
    { highWaterMark: 0 }, // nothing is read ahead of the reader
  );

  function leave(): void {
    finish(false);
    // What the store says of that is nobody's any more.
    Promise.resolve(iterator.return?.()).catch(() => {});
  }

  function stop(): void {
    if (isOver) return;
    controller.error(signal.reason);
    leave();
  }
}

// The URL of a Request is whole and normal already, with a path of "/" at least; a fragment is not sent.
function targetOf(url: string): string {
  const path = url.indexOf('/', url.indexOf('://') + 3);
  return url.slice(path).split('#', 1)[0] as string;
}

function pairs(head: readonly string[]): [string, string][] {
  const all = Array.from({ length: head.length / 2 }, (_, i): [string, string] => [
    head[2 * i] as string,
    head[2 * i + 1] as string,
  ]);
  return all.filter(([name]) => name !== 'connection'); // the host's, and forbidden in HTTP/2
}
