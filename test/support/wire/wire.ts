// Sends requests as exact bytes over TCP, and returns the responses as they came.

import { once } from 'node:events';
import { request, type Agent, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';

import { leave, saw } from '../world/artifacts.ts';
import { assertDocumented, type Asked } from './openapi-check.ts';

export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly text: string;
}

export interface WireRequest {
  readonly method?: string;
  readonly path?: string;
  readonly key?: string | undefined;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: string | Uint8Array | undefined;
  /** Whether the key may read summaries only, so that no memory is whole. */
  readonly isScoped?: boolean;
  /** Keeps connections for many requests. Default: each request has its own. */
  readonly agent?: Agent | false;
}

/** Sends a request with Node's client, which sends the path unchanged. */
export async function send(
  port: number,
  {
    method = 'GET',
    path = '/v1/memories',
    key,
    headers = {},
    body: sentBody,
    isScoped,
    agent = false,
  }: WireRequest,
): Promise<WireAnswer> {
  const credentials = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const length =
    sentBody === undefined ? {} : { 'content-length': String(Buffer.byteLength(sentBody)) };
  const all = { ...credentials, ...length, ...headers };
  const sent = request({ port, host: '127.0.0.1', method, path, headers: all, agent });
  sent.end(sentBody);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const body = await buffer(response);
  const plain = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
  const { statusCode: status = 0 } = response;
  const answer = { status, headers: Object.fromEntries(plain), body, text: body.toString() };
  return keep({ method, target: path, isScoped }, answer);
}

/** Sends exact bytes. Resolves with all bytes received until the server closes the connection. */
export function exchange(port: number, bytes: string | Buffer): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = connect(port, '127.0.0.1');
  const parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => parts.push(part));
  socket.on('error', reject);
  socket.on('close', () => resolve(Buffer.concat(parts).toString('latin1')));
  socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  return promise;
}

/** Splits received bytes into responses. Each must state the length of its body. */
export function readAnswers(text: string, requests: string): WireAnswer[] {
  const asked = readAsked(requests);
  const answers: WireAnswer[] = [];
  for (let rest = text; rest !== '';) {
    const end = rest.indexOf('\r\n\r\n');
    const [first = '', ...lines] = rest.slice(0, end).split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
    );
    // The parser refuses some requests before it knows their method, so the response has a body
    // even for HEAD.
    const isRefused = headers['connection'] === 'close' && rest.startsWith('{', end + 4);
    const isHead = asked[answers.length]?.method === 'HEAD' && !isRefused;
    const length = isHead ? 0 : Number(headers['content-length'] ?? 0); // 204 and 304 have none
    const body = Buffer.from(rest.slice(end + 4, end + 4 + length), 'latin1');
    const answer = { status: Number(first.split(' ')[1]), headers, body, text: body.toString() };
    answers.push(keep(asked[answers.length], answer));
    rest = rest.slice(end + 4 + length);
  }
  return answers;
}

/** Sends one request as exact bytes and returns its one response. */
export async function sendRaw(port: number, bytes: string | Buffer): Promise<WireAnswer> {
  const [answer, ...more] = readAnswers(await exchange(port, bytes), String(bytes));
  if (answer === undefined || more.length > 0) throw new Error(`${1 + more.length} answers`);
  return answer;
}

/** Finds the requests in sent bytes: every line that begins like a request line counts. */
function readAsked(requests: string): Asked[] {
  return Array.from(
    requests.matchAll(/^([A-Z]{3,9}) ([^ \r\n]*)/gm),
    ([, method = '', target = '']) => ({ method, target }),
  );
}

function keep(asked: Asked | undefined, answer: WireAnswer): WireAnswer {
  if (answer.status >= 400) leave(`${JSON.stringify(answer.headers)} ${answer.text}`);
  const which = assertDocumented(asked ?? { method: '', target: '' }, answer);
  if (which !== undefined) saw(which);
  return answer;
}
