// The entry point for fetch: a Request in, a Response out, for hosts that use the web's own types.

import type { Failure } from '../../contract/failure.ts';
import { runScheduled } from '../fair-share/time.ts';
import { logAtEnd } from '../log.ts';
import type { AdapterOptions } from './adapter.ts';

/** Answers a `Request`. Never rejects. A body that breaks off rejects where it is read. */
export type Fetch = (request: Request) => Promise<Response>;

/** Creates the entry point. Its host is responsible for framing and Host. */
export function createFetch(options: AdapterOptions): Fetch {
  const { receive, respond, schedule, report, log, base = '' } = options;
  return async (webRequest) => {
    const { method, signal } = webRequest;
    const headers = [...webRequest.headers].flat();
    const request = receive({ method, headers, base, peer: undefined, transport: webRequest });
    const end = log.access && logAtEnd(log, request);
    const response = await runScheduled(schedule, () => respond(request));
    const { status, body } = response;
    response.end?.(); // the host buffers as it likes, and need not say whether it has read the body
    const init = { status, headers: toPairs(response.headers) };
    if (method === 'HEAD' || body === null || body instanceof Uint8Array) {
      const sent = method === 'HEAD' ? null : (body as Uint8Array<ArrayBuffer> | null);
      request.trace.bytes = sent?.length ?? 0;
      end?.({ status, complete: true });
      return new Response(sent, init);
    }
    return new Response(
      toReadableStream(body, {
        signal,
        end: (complete) => end?.({ status, complete }),
        fail: (error) => report(error, request),
      }),
      init,
    );
  };
}

interface StreamOptions {
  readonly signal: AbortSignal;
  /** Called once, with whether all parts were read. */
  readonly end: (complete: boolean) => void;
  /** Returns the error that the reader gets. */
  readonly fail: (error: unknown) => Failure;
}

/** Streams parts at the reader's speed. The stream ends with the last part, an error, or the reader's departure. */
function toReadableStream(
  parts: AsyncIterable<Uint8Array>,
  { signal, end, fail }: StreamOptions,
): ReadableStream<Uint8Array> {
  const iterator = parts[Symbol.asyncIterator]();
  let isOver = false;
  const finish = (complete: boolean) => {
    isOver = true;
    signal.removeEventListener('abort', abort);
    end(complete);
  };
  let controller: ReadableStreamDefaultController<Uint8Array>;
  return new ReadableStream(
    {
      start(given) {
        controller = given;
        signal.addEventListener('abort', abort);
        if (signal.aborted) abort();
      },
      async pull() {
        try {
          const { done, value } = await iterator.next();
          if (isOver) return; // the reader has left
          if (done !== true) return controller.enqueue(value);
          controller.close();
          finish(true);
        } catch (error) {
          if (isOver) return;
          controller.error(fail(error));
          finish(false);
        }
      },
      cancel,
    },
    { highWaterMark: 0 }, // nothing is read ahead of the reader
  );

  function cancel(): void {
    finish(false);
    // An error of the store no longer reaches anybody.
    Promise.resolve(iterator.return?.()).catch(() => {});
  }

  function abort(): void {
    if (isOver) return;
    controller.error(signal.reason);
    cancel();
  }
}

function toPairs(headers: readonly string[]): [string, string][] {
  const pairs = Array.from({ length: headers.length / 2 }, (_, i): [string, string] => [
    headers[2 * i] as string,
    headers[2 * i + 1] as string,
  ]);
  return pairs.filter(([name]) => name !== 'connection'); // the host's own, and forbidden in HTTP/2
}
