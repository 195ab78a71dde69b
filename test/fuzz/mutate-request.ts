// Mutations of the structure of a request: other parameters, headers, methods and keys.

import type { Larder } from './dictionary.ts';
import { comes, few, pick, type Dice } from './random.ts';
import type { Asked, Header } from './request.ts';

type Reshaping = (request: Asked, dice: Dice, larder: Larder) => Asked;

const METHODS = ['GET', 'HEAD', 'POST', 'OPTIONS', 'DELETE', 'TRACE', 'get', 'FOO', 'PURGE'];

const NAMES =
  'limit cursor order started_after started_before timezone is_processing q fields since memory_id id Limit limit[] __proto__ constructor toString'.split(
    ' ',
  );

const HEADERS = [
  'Accept-Encoding',
  'If-None-Match',
  'Authorization',
  'X-API-Key',
  'Origin',
  'Access-Control-Request-Method',
  'Range',
  'limit',
  'is-processing',
  'Host',
  'Connection',
  'Content-Length',
  'Transfer-Encoding',
  'Expect',
];

const RESHAPINGS: readonly Reshaping[] = [
  function method(request, dice) {
    return { ...request, method: pick(dice, METHODS) };
  },
  function version(request, dice) {
    return { ...request, version: pick(dice, ['HTTP/1.0', 'HTTP/1.2', 'HTTP/2.0', 'http/1.1']) };
  },
  function parameter(request, dice, larder) {
    const mark = request.target.includes('?') ? '&' : '?';
    const name = comes(dice, 850) ? pick(dice, NAMES) : value(dice, larder);
    const target = `${request.target}${mark}${name}=${value(dice, larder)}`;
    return { ...request, target };
  },
  function parameterValue(request, dice, larder) {
    const [path = '', ...queries] = request.target.split('?');
    const pieces = queries.join('?').split('&');
    const at = dice(pieces.length);
    const name = pieces[at]?.split('=')[0] ?? '';
    const query = pieces.with(at, `${name}=${value(dice, larder)}`).join('&');
    return { ...request, target: `${path}?${query}` };
  },
  function segment(request, dice, larder) {
    const segments = request.target.split('/');
    const at = dice(segments.length);
    const target = segments.with(at, value(dice, larder)).join('/');
    return { ...request, target: target.startsWith('/') ? target : `/${target}` };
  },
  function spelling(request, dice) {
    const at = dice(request.target.length);
    const code = (request.target.charCodeAt(at) || 0).toString(16).padStart(2, '0');
    const target = `${request.target.slice(0, at)}%${code}${request.target.slice(at + 1)}`;
    return { ...request, target };
  },
  function header(request, dice, larder) {
    const line: Header = [pick(dice, HEADERS), value(dice, larder)];
    const at = 1 + dice(request.headers.length + 1);
    return { ...request, headers: request.headers.toSpliced(at, 0, line) };
  },
  function headerValue(request, dice, larder) {
    const at = dice(request.headers.length);
    const line: Header = [request.headers[at]?.[0] ?? 'A', value(dice, larder)];
    return { ...request, headers: request.headers.toSpliced(at, 1, line) };
  },
  function headerTwice(request, dice) {
    const at = dice(request.headers.length);
    return { ...request, headers: [...request.headers, ...request.headers.slice(at, at + 1)] };
  },
  function headerGone(request, dice) {
    return { ...request, headers: request.headers.toSpliced(dice(request.headers.length), 1) };
  },
  function manyHeaders(request, dice) {
    const lines = Array.from({ length: 1 + dice(300) }, (_, i): Header => [`x-${i}`, '']);
    return { ...request, headers: [...request.headers, ...lines] };
  },
  function key(request, dice, larder) {
    const headers = request.headers.map(([name, old]): Header => {
      const isKey = /^(x-api-key|authorization)$/i.test(name);
      return [name, isKey ? keyLike(old, dice, larder) : old];
    });
    return { ...request, headers };
  },
];

/** Replaces the key by one of another owner or by a damaged one. */
function keyLike(old: string, dice: Dice, { tokens }: Larder): string {
  const keys = tokens.filter((token) => token.startsWith('mem_'));
  const at = dice(old.length + 1);
  const ways = [
    () => pick(dice, keys),
    () => `Bearer ${pick(dice, keys)}`,
    () => `bearer  ${pick(dice, keys)} `,
    () => `${old.slice(0, at)}${pick(dice, ['0', 'A', ' ', '\xE9'])}${old.slice(at + 1)}`,
    () => old.slice(0, at),
    () => `${old}${pick(dice, [' ', ',', 'x', `, ${pick(dice, keys)}`])}`,
    () => old.toLowerCase(),
    () => '',
  ];
  return pick(dice, ways)();
}

/** Creates a value from the dictionary, escaped or not, or from several joined entries. */
function value(dice: Dice, { tokens }: Larder): string {
  const parts = Array.from({ length: few(dice, 3) }, () => {
    const token = pick(dice, tokens);
    return comes(dice, 400) ? escape(token) : token;
  });
  return parts.join(comes(dice, 200) ? ',' : '').repeat(comes(dice, 20) ? 200 : 1);
}

/** Percent-encodes bytes. */
function escape(bytes: string): string {
  return bytes.replaceAll(/[^\w.~-]/g, (char) => {
    const code = char.charCodeAt(0).toString(16).padStart(2, '0');
    return `%${code}`;
  });
}

/** Applies one or a few mutations. */
export function reshape(request: Asked, dice: Dice, larder: Larder): Asked {
  let changed = request;
  for (let i = few(dice, 4); i > 0; i--) changed = pick(dice, RESHAPINGS)(changed, dice, larder);
  return changed;
}
