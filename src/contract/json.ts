// Json<T>: bytes known to be the JSON of a T, because they were made from a checked T.

declare const of: unique symbol;

/** UTF-8 bytes of the JSON of a `T`. */
export type Json<T> = Uint8Array<ArrayBuffer> & { readonly [of]: T };

/** The same JSON as text, as some drivers hand it over: it becomes bytes where it is sent. */
export type JsonText<T> = string & { readonly [of]: T };

/** The same bytes in parts, each made only when it is asked for. */
export type JsonStream<T> = AsyncIterable<Uint8Array<ArrayBuffer>> & { readonly [of]: T };

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Serialises a checked value; a lone surrogate comes out as an escape, so the bytes are always UTF-8. */
export function toJson<T>(value: T): Json<T> {
  return encoder.encode(JSON.stringify(value)) as Json<T>;
}

/** Reads what was made from a checked value. */
export function fromJson<T>(json: Json<T> | JsonText<T>): T {
  return JSON.parse(typeof json === 'string' ? json : decoder.decode(json)) as T;
}
