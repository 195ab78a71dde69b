// Where texts are sent to be embedded: an endpoint of the owner's own, on this machine unless its host is allowed.

import { isLoopback } from '../lib/loopback.ts';
import { Refusal } from '../store/refusal.ts';

/** How an endpoint is named. */
export interface EmbeddingsOptions {
  /** An OpenAI-compatible server, such as `http://127.0.0.1:11434/v1`. */
  readonly url: string;
  /** The name of the model, as the server knows it. */
  readonly model: string;
  /** Hosts besides this machine that may get texts of memories and queries. Default: none. */
  readonly allowHosts?: readonly string[] | undefined;
  /** The key that the server wants. Default: none. */
  readonly key?: string | undefined;
}

/** An endpoint that may be used. */
export interface EmbeddingsTarget {
  readonly url: string;
  /** Its origin, for people: without a path. */
  readonly origin: string;
  readonly model: string;
  readonly key: string | undefined;
}

const MAX_MODEL = 200;

/** Checks where texts would be sent. Throws `Refusal`. */
export function readTarget({
  url,
  model,
  allowHosts = [],
  key,
}: EmbeddingsOptions): EmbeddingsTarget {
  const parsed = URL.parse(url);
  const isPlain =
    parsed?.search === '' && parsed.hash === '' && parsed.username + parsed.password === '';
  if (parsed === null || !isPlain || !/^https?:$/.test(parsed.protocol))
    throw new Refusal(
      'The address for embeddings takes a URL such as http://127.0.0.1:11434/v1, without a query or a password.',
    );
  const host = hostOf(parsed);
  if (!isLoopback(parsed.hostname) && !allowHosts.some((each) => each.toLowerCase() === host))
    throw new Refusal(
      `Texts of memories would be sent to ${host}, which is not this machine. If you want that, pass --embeddings-allow-host ${host}.`,
    );
  if (model === '' || model.length > MAX_MODEL || /\p{Cc}/u.test(model))
    throw new Refusal(`The model for embeddings takes a name of 1 to ${MAX_MODEL} characters.`);
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key))
    throw new Refusal(
      'The key for embeddings has characters that no header can have; it must be one word of ASCII text.',
    );
  return { url: withPath(parsed), origin: parsed.origin, model, key };
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

/** The address of the server, of its `/v1`, or of the endpoint itself. */
function withPath({ origin, pathname }: URL): string {
  const path = pathname.replace(/\/+$/, '');
  if (path.endsWith('/embeddings')) return origin + path;
  return `${origin}${path.endsWith('/v1') ? path : `${path}/v1`}/embeddings`;
}
