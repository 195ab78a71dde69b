// Checks the responses to a script: their number, their owner, and that equal requests get equal responses.

import { hash } from 'node:crypto';

import type { Owner } from './accounts.ts';
import { readAnswers, show, type Answer } from './read-responses.ts';
import { callerOf, type Asked } from './request.ts';
import { brokenPromise, detailOf } from './response-rules.ts';
import type { Part } from './script.ts';
import { HEAD_TIMEOUT_MS, IDLE_TIMEOUT_MS } from './server.ts';

/**
 * The bytes of a connection and how it ended: `cut` if the client reset it, `reset` if the server
 * did.
 */
export interface Came {
  readonly bytes: Buffer;
  readonly end: 'closed' | 'cut' | 'reset' | 'hung';
  /** How long it was open, in milliseconds. */
  readonly ms: number;
  /** How long the client took to send everything, in milliseconds; undefined if it could not. */
  readonly sentMs: number | undefined;
}

/** A fault: its kind, which identifies repeated findings, and the facts. */
export interface Complaint {
  readonly kind: string;
  readonly facts: string;
}

/** The responses of a connection, and the fault found in them, if any. */
export interface Verdict {
  readonly answers: readonly Answer[];
  readonly complaint?: Complaint;
}

/** The responses of a connection, and what excuses missing ones. */
interface Judged {
  readonly answers: readonly Answer[];
  readonly isCut: boolean;
  /** Whether the client was slow enough for the server's timeout of heads. */
  readonly mayTimeOut: boolean;
  /** Whether the server may have closed the connection between two requests. */
  readonly mayIdle: boolean;
}

/** Checks the responses to the requests of a connection. */
export type Judge = (parts: readonly Part[], came: Came) => Verdict;

/** Creates the judge for a database. It remembers the response to each plain request. */
export function createJudge(owners: readonly Owner[]): Judge {
  const before = new Map<string, string>();

  return (parts, came) => {
    const sent = parts.map(({ bytes }) => bytes).join('');
    const asking = {
      mayBeHead: sent.includes('HEAD '),
      mayBeOld: sent.includes('HTTP/1.0'),
      isCut: came.end === 'cut',
    };
    const { answers, fault } = readAnswers(came.bytes, asking);
    if (came.end === 'hung') return complain(answers, 'a connection that stays open', sent);
    // CONNECT and the PRI of HTTP/2 take over the connection, so the responses to earlier requests
    // may be missing.
    const isOdd = parts.some(({ plain }) => plain === undefined);
    const isCut = came.end === 'cut' || (isOdd && /\b(?:CONNECT|PRI) /.test(sent));
    if (fault !== undefined && !isCut) return complain(answers, 'malformed response', fault);
    const mayTimeOut = came.ms >= HEAD_TIMEOUT_MS;
    const mayIdle = (came.sentMs ?? came.ms) >= IDLE_TIMEOUT_MS;
    const kind = judgeAll(parts, { answers, isCut, mayTimeOut, mayIdle });
    if (kind !== undefined) return complain(answers, kind, came.bytes.toString('latin1'));
    return { answers };
  };

  function judgeAll(
    parts: readonly Part[],
    { answers, isCut, mayTimeOut, mayIdle }: Judged,
  ): string | undefined {
    const end = parts.findIndex(({ plain }) => plain === undefined);
    const plain = end < 0 ? parts : parts.slice(0, end);
    const rest = parts.slice(plain.length).map(({ bytes }) => bytes);
    for (const [i, answer] of answers.entries()) {
      const asked = plain[i]?.plain;
      const isLate = answer.status === 408 && mayTimeOut; // then the key has not been read
      const wrong = asked && !isLate ? judgePlain(asked, answer) : judgeOdd(rest.join(''), answer);
      if (wrong !== undefined) return wrong;
      const isLast = answer.headers.get('connection') === 'close';
      if (isLast) return i === answers.length - 1 ? undefined : 'a response after the last one';
    }
    const mayEnd = isCut || (mayIdle && answers.length > 0);
    if (answers.length < plain.length && !mayEnd) return 'a request without a response';
    const most = plain.length + (rest.length > 0 ? rest.join('').split('\r\n\r\n').length : 0);
    return answers.length > most ? 'an unexpected response' : undefined;
  }

  function judgePlain(asked: Asked, answer: Answer): string | undefined {
    const caller = callerOf(asked, owners);
    const isInside = /^\/v1(?:[/?]|$)|^\/mcp(?:\?|$)/.test(asked.target);
    if (answer.isHead !== (asked.method === 'HEAD' && answer.status !== 304))
      return 'a body for HEAD, or none for another method';
    if ((answer.status === 401) !== (isInside && caller === undefined))
      return '401 for a valid key, or another status without one';
    return judgeAny(answer, caller ? [caller] : []) ?? judgeSame(asked, caller, answer);
  }

  /** A malformed request may use any key that occurs in its bytes, and no other. */
  function judgeOdd(bytes: string, answer: Answer): string | undefined {
    const callers = owners.filter(({ active }) => active.some((key) => bytes.includes(key)));
    return judgeAny(answer, callers);
  }

  function judgeAny(answer: Answer, callers: readonly Owner[]): string | undefined {
    const broken = brokenPromise(answer);
    if (broken !== undefined) return `${answer.status} must have ${broken}`;
    if (detailOf(answer.body)?.startsWith('Unknown parameter "')) return undefined; // quotes the request
    const foreign = owners.find((owner) => !callers.includes(owner) && isIn(answer, owner));
    return foreign && 'text of another account';
  }

  /**
   * Nothing writes to the database during the run, so the same request always gets the same
   * response.
   */
  function judgeSame(asked: Asked, caller: Owner | undefined, answer: Answer): string | undefined {
    const headers = asked.headers.filter(([name]) => !/^(authorization|x-api-key)$/i.test(name));
    const name = hash('sha256', JSON.stringify([{ ...asked, headers }, caller?.id]));
    const { status, body } = answer;
    const told = ['etag', 'link', 'content-type'].map((header) => answer.headers.get(header));
    const now = JSON.stringify([status, told, hash('sha256', body)]);
    if (before.size < 100_000 && !before.has(name)) before.set(name, now);
    return before.get(name) === now || !before.has(name)
      ? undefined
      : 'a different response than before';
  }
}

/** The address in the OpenAPI document, which quotes the Host header of the request. */
const QUOTED_HOST = /"servers":\[\{"url":"[^"]*"\}\]/;

function isIn({ body, headers }: Answer, { canary }: Owner): boolean {
  if ([...headers.values()].some((value) => value.includes(canary))) return true;
  return body.includes(canary) && body.toString().replace(QUOTED_HOST, '').includes(canary);
}

function complain(answers: readonly Answer[], kind: string, facts: string): Verdict {
  return { answers, complaint: { kind, facts: show(facts, 600) } };
}
