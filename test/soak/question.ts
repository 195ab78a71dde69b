// A question: a request, and what its answer must be.

import type { Memory } from '../../src/contract/memory.ts';
import type { Answer } from '../fuzz/answers.ts';
import type { Dice } from '../fuzz/dice.ts';
import type { Keyring } from './keyring.ts';
import type { Owner, Scene } from './scene.ts';

/** A request whose answer can be judged. */
export interface Question {
  /** What it is counted as. */
  readonly kind: string;
  readonly method?: 'HEAD';
  readonly target: string;
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Who may be told of in the answer. */
  readonly owner?: Owner;
  /** Says what is wrong with an answer that keeps all promises, if anything is. */
  readonly judge: (answer: Answer) => string | undefined;
}

/** What questions are made of. */
export interface Material {
  readonly scene: Scene;
  readonly dice: Dice;
  readonly keyring: Keyring;
  /** Questions that follow from answers: the next pages, and what is held already. */
  readonly later: Question[];
}

/** Says what is wrong where an answer is not this status. */
export function expectStatus(status: number): Question['judge'] {
  return (answer) => (answer.status === status ? undefined : `${answer.status}, not ${status}`);
}

/** Says what is wrong where an answer is not exactly this value as JSON. */
export function expectJson(value: unknown): Question['judge'] {
  return ({ status, body }) => {
    if (status !== 200) return `${status}, not 200`;
    return body.equals(Buffer.from(JSON.stringify(value)))
      ? undefined
      : 'other bytes than were written';
  };
}

/** Keeps a question for later; the oldest goes where there are many. */
export function keep({ later }: Material, question: Question): void {
  later.push(question);
  if (later.length > 100) later.shift();
}

/** The target of the next page that an answer links to, if it does. */
export function nextOf({ headers }: Answer): string | undefined {
  return /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
}

/** Reads the memories of an answer that keeps the contract. */
export function memoriesOf({ body }: Answer): readonly Memory[] {
  return JSON.parse(body.toString()) as Memory[];
}
