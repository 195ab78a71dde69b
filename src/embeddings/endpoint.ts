// Asks an endpoint for the vectors of texts. It gets the texts and the name of the model, and nothing else.

import * as v from 'valibot';

import { retryAfter } from '../lib/retry.ts';
import { Refusal } from '../store/refusal.ts';
import { readTarget, type EmbeddingsOptions } from './target.ts';

/** An endpoint that makes vectors of texts. */
export interface Endpoint {
  readonly model: string;
  /** Its origin, for people. */
  readonly origin: string;
  /** Resolves with one vector for each text, all of one length. Rejects with `NoVectors`. */
  embed(texts: readonly string[], timeoutMs: number): Promise<number[][]>;
}

/**
 * Why there are no vectors. `late` and `busy` say nothing about the texts, and `refused` says that they are the reason.
 * Others may be either, such as a closed connection.
 */
type Reason = 'late' | 'busy' | 'refused' | 'other';

/** An endpoint made no vectors. */
export class NoVectors extends Refusal {
  readonly reason: Reason;
  /** How long the endpoint asks to wait, in milliseconds. */
  readonly retryAfterMs: number;

  constructor(message: string, { reason = 'other', retryAfterMs = 0, cause }: Failed = {}) {
    super(message, { cause });
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
  }
}

interface Failed {
  readonly reason?: Reason;
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

const MIN_DIMENSIONS = 8;
const MAX_DIMENSIONS = 8192;
/** A vector of 8,192 numbers takes about 160 kB as JSON. */
const MAX_BYTES_PER_TEXT = 256 * 1024;

/** What fetch says of a connection that was closed before a response came. */
const CLOSED = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/** Statuses of an endpoint that is asked too often or is about to start, and of one that wants other texts. */
const BUSY = new Set([429, 503]);
const REFUSED = new Set([400, 413, 422]);

/** What to do about a status. */
function adviceOf(status: number, waitMs: number): string | undefined {
  if (waitMs > 0) return `try again in ${Math.ceil(waitMs / 1000)} s`;
  if (status === 401 || status === 403) return 'put its key into MEMORY_GATEWAY_EMBEDDINGS_KEY';
  if (status === 404) return 'check the address, which mostly ends with /v1, and the model';
  if (status === 429) return 'try again later';
  return status >= 300 && status < 400
    ? 'give the address that it leads to, because no redirect is followed'
    : undefined;
}

/** Whether numbers can hold the vector at length 1: not if it is 0, or nearly the largest or smallest that there is. */
function isScalable(length: number): boolean {
  return length > 1e-30 && length < 1e30;
}

const Vector = v.pipe(
  v.array(v.pipe(v.number(), v.finite())),
  v.minLength(MIN_DIMENSIONS),
  v.maxLength(MAX_DIMENSIONS),
  v.check((numbers) => isScalable(Math.hypot(...numbers))),
);

const Reply = v.object({
  data: v.array(v.object({ index: v.optional(v.number()), embedding: Vector })),
});

/** Creates an endpoint. Nothing is sent before the first call. Throws `Refusal` if texts may not be sent there. */
export function createEndpoint(options: EmbeddingsOptions): Endpoint {
  const { url, origin, model, key } = readTarget(options);
  return {
    model,
    origin,
    async embed(texts, timeoutMs) {
      const body = JSON.stringify({ model, input: texts, encoding_format: 'float' });
      const reply = await post(body, timeoutMs, texts.length * MAX_BYTES_PER_TEXT);
      const parsed = v.safeParse(Reply, reply);
      if (!parsed.success || parsed.output.data.length !== texts.length)
        throw failed('sent no vectors as OpenAI does');
      // The order is by index, and that of the texts if there is none.
      const { data } = parsed.output;
      const sorted = data.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0));
      if (sorted.some(({ index }, i) => index !== (data[0]?.index === undefined ? undefined : i)))
        throw failed('numbered its vectors wrongly');
      const vectors = sorted.map(({ embedding }) => embedding);
      if (new Set(vectors.map(({ length }) => length)).size > 1)
        throw failed('sent vectors of different lengths');
      return vectors;
    },
  };

  async function post(body: string, timeoutMs: number, maxBytes: number): Promise<unknown> {
    const headers = new Headers({ 'content-type': 'application/json', accept: 'application/json' });
    if (key !== undefined) headers.set('authorization', `Bearer ${key}`);
    let response: Response;
    try {
      // A redirect could lead to a host that is not allowed.
      const signal = AbortSignal.timeout(timeoutMs);
      const ask = () => fetch(url, { method: 'POST', body, headers, redirect: 'manual', signal });
      // A kept connection may be closed by the endpoint at the moment when it is used again.
      response = await ask().catch((error: unknown) => {
        if (!CLOSED.has(codeOf(error))) throw error;
        return ask();
      });
    } catch (error) {
      throw isTimeout(error)
        ? late(timeoutMs, error)
        : failed(`did not respond (${reasonOf(error)})`);
    }
    if (response.status !== 200) {
      await response.body?.cancel().catch(() => {});
      const { status, headers: from } = response;
      const isBusy = BUSY.has(status);
      const retryAfterMs = isBusy ? retryAfter(from, Date.now()) : 0;
      const advice = adviceOf(status, retryAfterMs);
      const reason = isBusy ? 'busy' : REFUSED.has(status) ? 'refused' : 'other';
      throw failed(`responded with status ${status}`, { reason, retryAfterMs }, advice);
    }
    try {
      return JSON.parse(await readText(response, maxBytes)) as unknown;
    } catch (error) {
      if (error instanceof NoVectors) throw error;
      if (isTimeout(error)) throw late(timeoutMs, error);
      throw failed(`sent no whole response (${reasonOf(error)})`);
    }
  }

  async function readText(response: Response, maxBytes: number): Promise<string> {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    let [text, bytes] = ['', 0];
    for await (const part of response.body ?? []) {
      bytes += part.length;
      if (bytes > maxBytes) throw failed('sent more than vectors take');
      text += decoder.decode(part, { stream: true });
    }
    return text + decoder.decode();
  }

  function failed(
    what: string,
    how: Failed = {},
    todo = `check that it runs and has the model ${model}`,
  ): NoVectors {
    return new NoVectors(`The embeddings endpoint at ${origin} ${what}; ${todo}.`, how);
  }

  function late(timeoutMs: number, cause: unknown): NoVectors {
    return failed(`did not respond within ${timeoutMs / 1000} s`, { reason: 'late', cause });
  }
}

/** Whether an error, or its cause, is that an endpoint took too long. */
function isTimeout(error: unknown): boolean {
  const { name, cause } = error as Error;
  return name === 'TimeoutError' || (cause instanceof Error && isTimeout(cause));
}

function codeOf(error: unknown): string {
  return (error as { cause?: { code?: string } }).cause?.code ?? '';
}

function reasonOf(error: unknown): string {
  const { name, message } = error as Error;
  return codeOf(error) || (name === 'SyntaxError' ? 'not JSON' : message);
}
