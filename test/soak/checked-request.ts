// A request of the soak test with its expected response.

import type { Memory } from '../../src/contract/schemas/memory.ts';
import type { Dice } from '../fuzz/random.ts';
import type { Answer } from '../fuzz/read-responses.ts';
import type { Owner, Scene } from './accounts.ts';
import type { Keyring } from './keyring.ts';

/** A request whose response can be checked. */
export interface Question {
  /** The name under which the request is counted. */
  readonly kind: string;
  readonly method?: 'HEAD';
  readonly target: string;
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** The account whose words the response may contain. */
  readonly owner?: Owner;
  /** Returns the fault of a response that follows all general rules, if any. */
  readonly judge: (answer: Answer) => string | undefined;
}

/** The material of requests. */
export interface Material {
  readonly scene: Scene;
  readonly dice: Dice;
  readonly keyring: Keyring;
  /** How many writes of each kind were made so far. */
  readonly done: () => Readonly<Record<string, number>>;
  /** Requests that follow from responses: next pages, and conditional requests. */
  readonly later: Question[];
}

/** Returns the fault if a response has another status. */
export function expectStatus(status: number): Question['judge'] {
  return (answer) => (answer.status === status ? undefined : `${answer.status}, not ${status}`);
}

/** Returns the fault if a response is not exactly this value as JSON. */
export function expectJson(value: unknown): Question['judge'] {
  return ({ status, body }) => {
    if (status !== 200) return `${status}, not 200`;
    return body.equals(Buffer.from(JSON.stringify(value)))
      ? undefined
      : 'bytes that differ from those written';
  };
}

/** Stores a request for later. If there are too many, the oldest is dropped. */
export function keep({ later }: Material, question: Question): void {
  later.push(question);
  if (later.length > 100) later.shift();
}

/** Returns the target of the next page, if the response links to one. */
export function nextOf({ headers }: Answer): string | undefined {
  return /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
}

/** Parses the memories of a response and checks them against the contract. */
export function memoriesOf({ body }: Answer): readonly Memory[] {
  return JSON.parse(body.toString()) as Memory[];
}
