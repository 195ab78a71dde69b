// Changes of requests: of their structure, and of their bytes.

import * as fc from 'fast-check';

import type { Corpus } from './corpus.ts';
import type { Asked, Header } from './request.ts';

/** A change of a request or of its bytes. */
export type Change<T> = (before: T) => T;

/** Gives an arbitrary a weight among others. */
export function weighted<T>(weight: number, arbitrary: fc.Arbitrary<T>) {
  return { weight, arbitrary };
}

const METHODS = ['GET', 'HEAD', 'POST', 'OPTIONS', 'DELETE', 'TRACE', 'get', 'FOO', 'PURGE'];
const VERSIONS = ['HTTP/1.0', 'HTTP/1.2', 'HTTP/2.0', 'http/1.1'];
const NAMES =
  'limit cursor order started_after started_before timezone is_processing q fields since memory_id id Limit limit[] __proto__ constructor toString'.split(
    ' ',
  );
const HEADERS =
  'Accept-Encoding If-None-Match Authorization X-API-Key Origin Access-Control-Request-Method Range limit is-processing Host Connection Content-Length Transfer-Encoding Expect'.split(
    ' ',
  );

/** Changes of the structure of a request: other parameters, headers, methods and keys. */
export function reshapings(tokens: readonly string[]): fc.Arbitrary<Change<Asked>> {
  const token = fc.constantFrom(...tokens);
  const value = fc
    .record({
      parts: fc.array(fc.oneof(weighted(6, token), weighted(4, token.map(escape))), {
        maxLength: 3,
      }),
      between: fc.oneof(weighted(8, fc.constant('')), weighted(2, fc.constant(','))),
      times: fc.oneof(weighted(98, fc.constant(1)), weighted(2, fc.constant(200))),
    })
    .map(({ parts, between, times }) => parts.join(between).repeat(times));
  const at = fc.nat();
  const target = (change: (target: string, at: number, text: string) => string) =>
    fc.tuple(at, value).map(([place, text]): Change<Asked> => (asked) => ({
      ...asked,
      target: change(asked.target, place, text),
    }));
  const headers = (change: (headers: readonly Header[], at: number, line: Header) => Header[]) =>
    fc
      .tuple(at, fc.constantFrom(...HEADERS), value)
      .map(([place, name, text]): Change<Asked> => (asked) => ({
        ...asked,
        headers: change(asked.headers, place, [name, text]),
      }));
  return fc.oneof(
    fc.constantFrom(...METHODS).map((method): Change<Asked> => (asked) => ({ ...asked, method })),
    fc.constantFrom(...VERSIONS).map((version): Change<Asked> => (asked) => ({
      ...asked,
      version,
    })),
    fc
      .tuple(fc.oneof(weighted(85, fc.constantFrom(...NAMES)), weighted(15, value)), value)
      .map(([name, text]): Change<Asked> => (asked) => {
        const mark = asked.target.includes('?') ? '&' : '?';
        return { ...asked, target: `${asked.target}${mark}${name}=${text}` };
      }),
    // Another value of a parameter.
    target((old, place, text) => {
      const [path = '', ...queries] = old.split('?');
      const pieces = queries.join('?').split('&');
      const i = place % pieces.length;
      return `${path}?${pieces.with(i, `${pieces[i]?.split('=')[0]}=${text}`).join('&')}`;
    }),
    // Another segment of the path.
    target((old, place, text) => {
      const segments = old.split('/');
      const now = segments.with(place % segments.length, text).join('/');
      return now.startsWith('/') ? now : `/${now}`;
    }),
    // Another spelling of a character.
    target((old, place) => {
      const i = place % old.length;
      return old.slice(0, i) + percent(old[i] ?? '') + old.slice(i + 1);
    }),
    headers((old, place, line) => old.toSpliced(1 + (place % (old.length + 1)), 0, line)),
    headers((old, place, [, text]) =>
      old.map(([name, before], i) => [name, i === place % old.length ? text : before]),
    ),
    headers((old, place) => [...old, ...old.slice(place % (old.length + 1)).slice(0, 1)]),
    headers((old, place) => old.toSpliced(place % (old.length + 1), 1)),
    headers((old, place) => [
      ...old,
      ...Array.from({ length: place % 300 }, (_, i): Header => [`x-${i}`, '']),
    ]),
    // Another key, or a damaged one.
    fc
      .tuple(fc.constantFrom(...KEY_CHANGES), at, token)
      .map(([change, place, text]): Change<Asked> => (asked) => ({
        ...asked,
        headers: asked.headers.map(([name, old]) => [
          name,
          /^(x-api-key|authorization)$/i.test(name) ? change(old, place, text) : old,
        ]),
      })),
  );
}

const KEY_CHANGES: readonly ((old: string, at: number, token: string) => string)[] = [
  (_, __, token) => token,
  (_, __, token) => `Bearer ${token}`,
  (_, __, token) => `bearer  ${token} `,
  (old, at) =>
    `${old.slice(0, at % (old.length + 1))}\xE9${old.slice((at % (old.length + 1)) + 1)}`,
  (old, at) => old.slice(0, at % (old.length + 1)),
  (old, _, token) => `${old}, ${token}`,
  (old) => `${old} `,
  (old) => old.toLowerCase(),
];

const LINE_ENDS = ['\n', '\r', '\r\n\r\n', '\r\r\n', '\r\n ', '\0', ''];
const NUMBERS = ['0', '-1', '00', '1e3', '0x10', '4294967296', '9'.repeat(20)];

/** Changes of the bytes of a request. */
export function mutations(
  tokens: readonly string[],
  { odd }: Corpus,
): fc.Arbitrary<Change<string>> {
  const nat = fc.nat();
  const length = fc.integer({ min: 0, max: 200 });
  const byte = fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code));
  const text = fc.oneof(
    fc.constantFrom(...tokens),
    fc.array(byte, { maxLength: 8 }).map((all) => all.join('')),
    fc.constantFrom(100, 1000, 8192, 16_384, 40_000).map((count) => 'a'.repeat(count)),
  );
  /** Replaces a part of the bytes. */
  const part = (change: (old: string, text: string) => string) =>
    fc.tuple(nat, length, text).map(([place, count, put]): Change<string> => (bytes) => {
      const i = place % (bytes.length + 1);
      return bytes.slice(0, i) + change(bytes.slice(i, i + count), put) + bytes.slice(i + count);
    });
  const lines = (change: (lines: readonly string[], at: number, put: string) => string[]) =>
    fc.tuple(nat, text).map(([place, put]): Change<string> => (bytes) => {
      const all = bytes.split('\r\n');
      return change(all, place % all.length, put).join('\r\n');
    });
  return fc.oneof(
    part((old, put) => put + old),
    part((_, put) => put),
    part(() => ''),
    part((old) => old.repeat(3)),
    part((old) => old.toUpperCase()),
    part((old) => old.replace(/^./s, (char) => String.fromCharCode(char.charCodeAt(0) ^ 0x80))),
    fc.tuple(nat).map(
      ([place]): Change<string> =>
        (bytes) =>
          bytes.slice(0, place % (bytes.length + 1)),
    ),
    fc.tuple(nat, nat, fc.constantFrom(...odd)).map(
      ([place, from, other]): Change<string> =>
        (bytes) =>
          bytes.slice(0, place % (bytes.length + 1)) + other.slice(from % other.length),
    ),
    lines((all, i) => all.toSpliced(i, 0, all[i] ?? '')),
    lines((all, i) => all.toSpliced(i, 1)),
    lines((all, i, put) => all.toSpliced(i, 0, put)),
    fc.tuple(nat, fc.constantFrom(...LINE_ENDS)).map(([place, end]): Change<string> => (bytes) => {
      const all = bytes.split('\r\n');
      const i = place % all.length;
      return all.slice(0, i).join('\r\n') + end + all.slice(i).join('\r\n');
    }),
    fc.tuple(nat, fc.constantFrom(...NUMBERS)).map(([place, number]): Change<string> => (bytes) => {
      const found = [...bytes.matchAll(/\d+/g)];
      const { 0: digits = '', index = 0 } = found[place % Math.max(1, found.length)] ?? {};
      return bytes.slice(0, index) + number + bytes.slice(index + digits.length);
    }),
  );
}

/** Percent-encodes bytes. */
function escape(bytes: string): string {
  return bytes.replaceAll(/[^\w.~-]/g, percent);
}

function percent(char: string): string {
  return `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`;
}
