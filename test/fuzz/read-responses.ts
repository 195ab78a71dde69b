// Reads the responses of a connection as strictly as RFC 9112 allows.

import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';

/** A response. */
export interface Answer {
  readonly status: number;
  /** Keyed by lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  /** Decompressed. */
  readonly body: Buffer;
  /** Whether the response has no body although its headers announce one, as for HEAD. */
  readonly isHead: boolean;
}

/** The responses that were read, and the fault that ended the reading, if any. */
export interface Read {
  readonly answers: readonly Answer[];
  readonly fault?: string;
}

/** Facts about the requests of the connection. */
export interface Asking {
  /** Whether a request may be HEAD. */
  readonly mayBeHead: boolean;
  /** Whether a request may be HTTP/1.0: its response body may end with the connection. */
  readonly mayBeOld: boolean;
  /** Whether the client has reset the connection, so that such a body may be a part. */
  readonly isCut: boolean;
}

/** Reads all responses of a connection that has ended. */
export function readAnswers(bytes: Buffer, asking: Asking): Read {
  const text = bytes.toString('latin1');
  const answers: Answer[] = [];
  for (let at = 0; at < text.length;) {
    const read = readAnswer(text, at, asking);
    if (typeof read === 'string') return { answers, fault: read };
    answers.push(read.answer);
    at = read.end;
  }
  return { answers };
}

type Ended = { readonly answer: Answer; readonly end: number } | string;

function readAnswer(text: string, at: number, asking: Asking): Ended {
  const start = text.indexOf('\r\n\r\n', at) + 4;
  if (start < 4) return `headers that do not end: ${show(text.slice(at))}`;
  const [first = '', ...lines] = text.slice(at, start - 4).split('\r\n');
  const status = Number(/^HTTP\/1\.1 ([1-5]\d\d) [ -~]*$/.exec(first)?.[1]);
  if (Number.isNaN(status)) return `a malformed status line: ${show(first)}`;
  const headers = readHeaders(lines);
  if (typeof headers === 'string') return headers;
  const framed = readBody(text, start, { status, headers, asking });
  if (typeof framed === 'string') return `${framed}, after ${show(text.slice(at, start))}`;
  const body = uncode(Buffer.from(framed.body, 'latin1'), headers.get('content-encoding'));
  if (body === undefined)
    return `a body that does not match its content-encoding, after ${show(first)}`;
  return { answer: { status, headers, body, isHead: framed.isHead }, end: framed.end };
}

/** Reads header lines. A repeated header is a fault. */
function readHeaders(lines: readonly string[]): ReadonlyMap<string, string> | string {
  const headers = new Map<string, string>();
  for (const line of lines) {
    const [, name = '', value = ''] =
      /^([!#$%&'*+.^_`|~0-9A-Za-z-]+): ?([\t\x20-\x7E]*)$/.exec(line) ?? [];
    if (name === '') return `a malformed header line: ${show(line)}`;
    if (headers.has(name.toLowerCase())) return `a repeated header: ${show(line)}`;
    headers.set(name.toLowerCase(), value);
  }
  return headers;
}

interface Framed {
  readonly body: string;
  readonly end: number;
  readonly isHead: boolean;
}

interface Head {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly asking: Asking;
}

function readBody(text: string, start: number, { status, headers, asking }: Head): Framed | string {
  const nothing = { body: '', end: start, isHead: false };
  const [length, coding] = [headers.get('content-length'), headers.get('transfer-encoding')];
  if (status < 200) return 'an interim response';
  if (length !== undefined && coding !== undefined)
    return 'both content-length and transfer-encoding';
  if (status === 204 || status === 304)
    return length === undefined && coding === undefined
      ? nothing
      : 'a length in a response without a body';
  // No body of the gateway begins like a response.
  const isBare = text.length === start || text.startsWith('HTTP/1.1 ', start);
  if (asking.mayBeHead && isBare && length !== '0') return { ...nothing, isHead: true };
  if (coding !== undefined)
    return coding === 'chunked' ? readChunks(text, start) : 'an unknown transfer-encoding';
  if (length === undefined) {
    if (!asking.mayBeOld) return 'neither content-length nor transfer-encoding';
    if (asking.isCut) return 'a body that the client cut';
    return { body: text.slice(start), end: text.length, isHead: false };
  }
  if (!/^(0|[1-9]\d*)$/.test(length)) return 'a malformed length';
  const end = start + Number(length);
  if (end > text.length) return 'a body shorter than its length';
  return { body: text.slice(start, end), end, isHead: false };
}

function readChunks(text: string, start: number): Framed | string {
  const parts: string[] = [];
  for (let at = start; ;) {
    const line = text.slice(at, text.indexOf('\r\n', at));
    if (!/^[0-9a-f]{1,8}$/i.test(line)) return 'incomplete chunks';
    const from = at + line.length + 2;
    const length = Number.parseInt(line, 16);
    if (text.slice(from + length, from + length + 2) !== '\r\n') return 'incomplete chunks';
    at = from + length + 2;
    if (length === 0) return { body: parts.join(''), end: at, isHead: false };
    parts.push(text.slice(from, from + length));
  }
}

function uncode(body: Buffer, coding: string | undefined): Buffer | undefined {
  if (coding === undefined || body.length === 0) return body;
  const uncoders = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync };
  try {
    return uncoders[coding as keyof typeof uncoders](body);
  } catch {
    return undefined;
  }
}

/** Shows the first bytes as a literal. */
export function show(bytes: string, most = 200): string {
  return JSON.stringify(bytes.length > most ? `${bytes.slice(0, most)}…` : bytes);
}
