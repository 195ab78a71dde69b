// Typed JSON bytes: a `Json<T>` was made from a validated `T`.

declare const of: unique symbol;

/** The JSON of a `T` as UTF-8 bytes. */
export type Json<T> = Uint8Array<ArrayBuffer> & { readonly [of]: T };

/** The same JSON as text, as some database drivers return it. It is encoded when it is sent. */
export type JsonText<T> = string & { readonly [of]: T };

/** The same bytes in parts, each made when it is needed. */
export type JsonStream<T> = AsyncIterable<Uint8Array<ArrayBuffer>> & { readonly [of]: T };

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Serialises a validated value. A lone surrogate becomes an escape, so the bytes are always UTF-8. */
export function toJson<T>(value: T): Json<T> {
  return encoder.encode(JSON.stringify(value)) as Json<T>;
}

/** Parses JSON that was made from a validated value. */
export function fromJson<T>(json: Json<T> | JsonText<T>): T {
  return JSON.parse(typeof json === 'string' ? json : decoder.decode(json)) as T;
}
