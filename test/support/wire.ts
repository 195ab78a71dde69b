// The wire: requests as exact bytes over TCP, and answers as they came.

import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';

import { assertDocumented, type Asked } from './documented.ts';
import { leave, saw } from './left.ts';

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
}

/** Sends a request by Node's client, whose path goes out as it is given. */
export async function send(
  port: number,
  { method = 'GET', path = '/v1/memories', key, headers = {} }: WireRequest,
): Promise<WireAnswer> {
  const credentials = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const all = { ...credentials, ...headers };
  const sent = request({ port, host: '127.0.0.1', method, path, headers: all, agent: false });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const body = await buffer(response);
  const plain = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
  const { statusCode: status = 0 } = response;
  const answer = { status, headers: Object.fromEntries(plain), body, text: body.toString() };
  return keep({ method, target: path }, answer);
}

/** Sends exact bytes, and returns all that came back until the server ended the connection. */
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

/** Splits what came back for requests into answers; each must say how long its body is. */
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
    // What the parser refuses has no method, so its answer has a body whatever stood there.
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

/** Sends one request as exact bytes and returns its one answer. */
export async function sendRaw(port: number, bytes: string | Buffer): Promise<WireAnswer> {
  const [answer, ...more] = readAnswers(await exchange(port, bytes), String(bytes));
  if (answer === undefined || more.length > 0) throw new Error(`${1 + more.length} answers`);
  return answer;
}

/** Finds what was asked in the bytes of requests: a line that begins like one counts as one. */
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
