// Sends requests on one connection like different kinds of clients, and checks the responses.

import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { readAnswers, show } from '../fuzz/read-responses.ts';
import { brokenPromise } from '../fuzz/response-rules.ts';
import type { Question } from './checked-request.ts';

/** How a client behaves. */
export type Manner = 'pipelined' | 'in turn' | 'in pieces' | 'slow' | 'gone';

/** The settings of a connection. */
export interface Asking {
  readonly port: number;
  readonly manner: Manner;
  /** The words that occur only in the texts of one account, for each account. */
  readonly canaries: readonly string[];
}

/** The result of a connection. */
export interface Asked {
  /** The responses as they are counted. */
  readonly kinds: readonly string[];
  readonly wrong?: string | undefined;
}

/** Longer than any timeout of the server. */
const PATIENCE_MS = 60_000;

/** Sends the requests and checks the responses. Never rejects. */
export async function ask(questions: readonly Question[], asking: Asking): Promise<Asked> {
  const { came, error } = await converse(questions, asking);
  const isGone = asking.manner === 'gone';
  if (error !== undefined && !isGone) return { kinds: [], wrong: error };
  const mayBeHead = questions.some(({ method }) => method === 'HEAD');
  const { answers, fault } = readAnswers(came, { mayBeHead, mayBeOld: false, isCut: false });
  for (const [i, answer] of answers.entries()) {
    const question = questions[i];
    if (question === undefined) return { kinds: [], wrong: 'an unexpected response' };
    const { kind, target, owner } = question;
    const broken = brokenPromise(answer);
    const foreign = asking.canaries.find(
      (canary) => canary !== owner?.canary && answer.body.includes(canary),
    );
    const wrong =
      (broken && `must have ${broken}`) ??
      (foreign && !target.includes(foreign) ? `words of ${foreign}` : question.judge(answer));
    if (wrong === undefined) continue;
    const body = show(answer.body.toString());
    return { kinds: [], wrong: `${kind}, ${target}: ${wrong}: ${answer.status} ${body}` };
  }
  const kinds = questions.slice(0, answers.length).map(({ kind }) => kind);
  if (isGone) return { kinds };
  const isAll = answers.length === questions.length;
  return {
    kinds,
    wrong: fault ?? (isAll ? undefined : `${answers.length} of ${questions.length} answers`),
  };
}

/** Formats a request as bytes. The last request closes the connection. */
function toBytes({ method, target, key, headers = {} }: Question, isLast: boolean): string {
  const all = {
    host: 'a',
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
    ...headers,
    ...(isLast && { connection: 'close' }),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method ?? 'GET'} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

interface Came {
  readonly came: Buffer;
  readonly error?: string | undefined;
}

async function converse(questions: readonly Question[], { port, manner }: Asking): Promise<Came> {
  const texts = questions.map((question, i) => toBytes(question, i === questions.length - 1));
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  const parts: Buffer[] = [];
  const ear: Ear = { heard: () => {} };
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const patience = setTimeout(() => resolve('no bytes arrived for a minute'), PATIENCE_MS);
  socket.on('data', (part: Buffer) => {
    parts.push(part);
    ear.heard();
    if (manner === 'slow') rest(socket);
  });
  socket.on('error', ({ message }) => resolve(message));
  socket.on('close', () => {
    ear.heard();
    resolve(undefined);
  });
  void write({ socket, ear, manner }, texts);
  const error = await promise;
  clearTimeout(patience);
  socket.destroy();
  return { came: Buffer.concat(parts), error };
}

/** The callback of the code that waits for bytes or for the end. */
interface Ear {
  heard: () => void;
}

interface Line {
  readonly socket: Socket;
  readonly ear: Ear;
  readonly manner: Manner;
}

async function write({ socket, ear, manner }: Line, texts: readonly string[]): Promise<void> {
  const all = texts.join('');
  const inPieces = [all.slice(0, 20), all.slice(20, -30), all.slice(-30)];
  const pieces = manner === 'in turn' ? texts : manner === 'in pieces' ? inPieces : [all];
  const hear = () => new Promise<void>((resolve) => (ear.heard = resolve));
  for (const [i, piece] of pieces.entries()) {
    if (socket.destroyed) return;
    socket.write(piece);
    if (i < pieces.length - 1) await (manner === 'in turn' ? hear() : sleep(5));
  }
  if (manner !== 'gone') return;
  await Promise.race([hear(), sleep(3)]);
  if (texts.length % 2 === 0) socket.resetAndDestroy();
  else socket.destroy();
}

/** Makes a slow reader pause between its reads. */
function rest(socket: Socket): void {
  socket.pause();
  setTimeout(() => socket.resume(), 10);
}
