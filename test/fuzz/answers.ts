// Answers: what a connection brought back, read as strictly as RFC 9112 lets one.

import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';

/** An answer. */
export interface Answer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  /** Without its coding. */
  readonly body: Buffer;
  /** Whether it came without the body that its head tells of, as an answer to HEAD does. */
  readonly isHead: boolean;
}

/** What was read: answers, and why there are no more of them, if not because they were over. */
export interface Read {
  readonly answers: readonly Answer[];
  readonly fault?: string;
}

/** What is known of what was asked. */
export interface Asking {
  /** Whether HEAD may have been asked for. */
  readonly mayBeHead: boolean;
  /** Whether HTTP/1.0 may have been spoken, whose bodies may end with the connection. */
  readonly mayBeOld: boolean;
}

/** Reads all that came on a connection until it ended. */
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
  if (start < 4) return `a head that does not end: ${show(text.slice(at))}`;
  const [first = '', ...lines] = text.slice(at, start - 4).split('\r\n');
  const status = Number(/^HTTP\/1\.1 ([1-5]\d\d) [ -~]*$/.exec(first)?.[1]);
  if (Number.isNaN(status)) return `a status line that is none: ${show(first)}`;
  const headers = readHeaders(lines);
  if (typeof headers === 'string') return headers;
  const framed = readBody(text, start, { status, headers, asking });
  if (typeof framed === 'string') return `${framed}, after ${show(text.slice(at, start))}`;
  const body = uncode(Buffer.from(framed.body, 'latin1'), headers.get('content-encoding'));
  if (body === undefined) return `a body that is not in its coding, after ${show(first)}`;
  return { answer: { status, headers, body, isHead: framed.isHead }, end: framed.end };
}

/** Reads header lines; none comes twice. */
function readHeaders(lines: readonly string[]): ReadonlyMap<string, string> | string {
  const headers = new Map<string, string>();
  for (const line of lines) {
    const [, name = '', value = ''] =
      /^([!#$%&'*+.^_`|~0-9A-Za-z-]+): ?([\t\x20-\x7E]*)$/.exec(line) ?? [];
    if (name === '') return `a header line that is none: ${show(line)}`;
    if (headers.has(name.toLowerCase())) return `a header that came twice: ${show(line)}`;
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
  if (status < 200) return 'an answer before the answer';
  if (length !== undefined && coding !== undefined) return 'two ways to tell where it ends';
  if (status === 204 || status === 304)
    return length === undefined && coding === undefined ? nothing : 'a length where no body is';
  // No body of ours begins like an answer.
  const isBare = text.length === start || text.startsWith('HTTP/1.1 ', start);
  if (asking.mayBeHead && isBare && length !== '0') return { ...nothing, isHead: true };
  if (coding !== undefined)
    return coding === 'chunked' ? readChunks(text, start) : 'a coding of transfer that is not ours';
  if (length === undefined)
    return asking.mayBeOld
      ? { body: text.slice(start), end: text.length, isHead: false }
      : 'no telling where it ends';
  if (!/^(0|[1-9]\d*)$/.test(length)) return 'a length that is none';
  const end = start + Number(length);
  if (end > text.length) return 'a body that is shorter than its length';
  return { body: text.slice(start, end), end, isHead: false };
}

function readChunks(text: string, start: number): Framed | string {
  const parts: string[] = [];
  for (let at = start; ;) {
    const line = text.slice(at, text.indexOf('\r\n', at));
    if (!/^[0-9a-f]{1,8}$/i.test(line)) return 'chunks that break off';
    const from = at + line.length + 2;
    const length = Number.parseInt(line, 16);
    if (text.slice(from + length, from + length + 2) !== '\r\n') return 'chunks that break off';
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

/** Shows the beginning of bytes as a literal. */
export function show(bytes: string, most = 200): string {
  return JSON.stringify(bytes.length > most ? `${bytes.slice(0, most)}…` : bytes);
}
