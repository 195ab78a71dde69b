// The judge: whose words may stand in an answer, how many answers there may be, and whether each is what it was before.

import { hash } from 'node:crypto';

import { readAnswers, show, type Answer } from './answers.ts';
import { brokenPromise, detailOf } from './promises.ts';
import { callerOf, type Asked } from './request.ts';
import type { Owner } from './scene.ts';
import type { Part } from './script.ts';

/** What a connection brought back, and how it ended: `cut` where the sender has reset it, `reset` where the server has. */
export interface Came {
  readonly bytes: Buffer;
  readonly end: 'closed' | 'cut' | 'reset' | 'hung';
}

/** What is wrong: a kind, by which the same is known again, and the facts. */
export interface Complaint {
  readonly kind: string;
  readonly facts: string;
}

/** What the judge made of a connection. */
export interface Verdict {
  readonly answers: readonly Answer[];
  readonly complaint?: Complaint;
}

/** Judges what came back for what was sent. */
export type Judge = (parts: readonly Part[], came: Came) => Verdict;

/** Makes the judge of a scene; it remembers what each plain request was answered. */
export function createJudge(owners: readonly Owner[]): Judge {
  const before = new Map<string, string>();

  return (parts, came) => {
    const sent = parts.map(({ bytes }) => bytes).join('');
    const asking = { mayBeHead: sent.includes('HEAD '), mayBeOld: sent.includes('HTTP/1.0') };
    const { answers, fault } = readAnswers(came.bytes, asking);
    if (came.end === 'hung') return complain(answers, 'a connection that nothing ends', sent);
    // CONNECT takes the connection away from the requests before it, and so does PRI, of HTTP/2.
    const isOdd = parts.some(({ plain }) => plain === undefined);
    const isCut = came.end === 'cut' || (isOdd && /\b(?:CONNECT|PRI) /.test(sent));
    if (fault !== undefined && !isCut) return complain(answers, 'bytes that are no answer', fault);
    const kind = judgeAll(parts, { answers, isCut });
    if (kind !== undefined) return complain(answers, kind, came.bytes.toString('latin1'));
    return { answers };
  };

  function judgeAll(
    parts: readonly Part[],
    { answers, isCut }: { answers: readonly Answer[]; isCut: boolean },
  ): string | undefined {
    const end = parts.findIndex(({ plain }) => plain === undefined);
    const plain = end < 0 ? parts : parts.slice(0, end);
    const rest = parts.slice(plain.length).map(({ bytes }) => bytes);
    for (const [i, answer] of answers.entries()) {
      const asked = plain[i]?.plain;
      const wrong = asked ? judgePlain(asked, answer) : judgeOdd(rest.join(''), answer);
      if (wrong !== undefined) return wrong;
      const isLast = answer.headers.get('connection') === 'close';
      if (isLast) return i === answers.length - 1 ? undefined : 'an answer after the last one';
    }
    if (answers.length < plain.length && !isCut) return 'a request without an answer';
    const most = plain.length + (rest.length > 0 ? rest.join('').split('\r\n\r\n').length : 0);
    return answers.length > most ? 'an answer that nobody asked for' : undefined;
  }

  function judgePlain(asked: Asked, answer: Answer): string | undefined {
    const caller = callerOf(asked, owners);
    const isInside = /^\/v1(?:[/?]|$)/.test(asked.target);
    if (answer.isHead !== (asked.method === 'HEAD' && answer.status !== 304))
      return 'a body for HEAD, or none for another';
    if ((answer.status === 401) !== (isInside && caller === undefined))
      return '401 for a good key, or something else for none';
    return judgeAny(answer, caller ? [caller] : []) ?? judgeSame(asked, caller, answer);
  }

  /** Of doubtful bytes this is known: a key that does not stand in them opens nothing. */
  function judgeOdd(bytes: string, answer: Answer): string | undefined {
    const callers = owners.filter(({ active }) => active.some((key) => bytes.includes(key)));
    return judgeAny(answer, callers);
  }

  function judgeAny(answer: Answer, callers: readonly Owner[]): string | undefined {
    const broken = brokenPromise(answer);
    if (broken !== undefined) return `${answer.status}, which must have ${broken}`;
    if (detailOf(answer.body)?.startsWith('There is no parameter "')) return undefined; // says what was asked
    const foreign = owners.find((owner) => !callers.includes(owner) && isIn(answer, owner));
    return foreign && 'words of another account';
  }

  /** Nothing is written meanwhile, so the same request has the same answer, whatever came between. */
  function judgeSame(asked: Asked, caller: Owner | undefined, answer: Answer): string | undefined {
    const headers = asked.headers.filter(([name]) => !/^(authorization|x-api-key)$/i.test(name));
    const name = hash('sha256', JSON.stringify([{ ...asked, headers }, caller?.id]));
    const { status, body } = answer;
    const told = ['etag', 'link', 'content-type'].map((header) => answer.headers.get(header));
    const now = JSON.stringify([status, told, hash('sha256', body)]);
    if (before.size < 100_000 && !before.has(name)) before.set(name, now);
    return before.get(name) === now || !before.has(name) ? undefined : 'another answer than before';
  }
}

function isIn({ body, headers }: Answer, { canary }: Owner): boolean {
  return body.includes(canary) || [...headers.values()].some((value) => value.includes(canary));
}

function complain(answers: readonly Answer[], kind: string, facts: string): Verdict {
  return { answers, complaint: { kind, facts: show(facts, 600) } };
}
