// A script: the bytes that are sent on one connection, their pieces, and how the client closes it.

import type { Owner } from './accounts.ts';
import type { Corpus } from './corpus.ts';
import { get } from './corpus.ts';
import type { Larder } from './dictionary.ts';
import { mutate } from './mutate-bytes.ts';
import { reshape } from './mutate-request.ts';
import { comes, createDice, few, pick, type Dice } from './random.ts';
import { isPlain, toBytes, type Asked, type Header } from './request.ts';

/** One request, or bytes that may not be a request. */
export interface Part {
  readonly bytes: string;
  /** The request, if the bytes are unambiguous. */
  readonly plain?: Asked;
}

/** The bytes to send on one connection. */
export interface Script {
  readonly parts: readonly Part[];
  /** The offsets at which the bytes are split into separate writes. */
  readonly cuts: readonly number[];
  /** The client half-closes, waits for the server to close, or resets the connection. */
  readonly ending: 'close' | 'wait' | 'reset';
}

/** The material of all scripts. */
export interface Material {
  readonly owners: readonly Owner[];
  readonly corpus: Corpus;
  readonly larder: Larder;
}

/** Creates a script. The same seed and number give the same script. */
export function makeScript(seed: string, number: number, material: Material): Script {
  const dice = createDice(seed, number);
  const count = comes(dice, 5) ? 20 + dice(150) : few(dice, 6);
  const isWild = comes(dice, 80);
  const parts = Array.from({ length: count }, (_, i) => {
    const mayBeAny = isWild || i === count - 1;
    return makePart(dice, material, mayBeAny);
  });
  const { length } = parts.map(({ bytes }) => bytes).join('');
  const ending = comes(dice, 10) ? 'wait' : comes(dice, 40) ? 'reset' : 'close';
  return { parts, cuts: makeCuts(dice, length), ending };
}

/** Creates a part from a request. */
export function partOf(asked: Asked): Part {
  const bytes = toBytes(asked);
  return isPlain(asked) ? { bytes, plain: asked } : { bytes };
}

function makePart(dice: Dice, material: Material, mayBeAny: boolean): Part {
  const { corpus, larder } = material;
  const asked = makeRequest(dice, material);
  const way = dice(100);
  if (way < 35) return partOf(asked);
  if (way < 70 || !mayBeAny) {
    const part = partOf(reshape(asked, dice, larder));
    return part.plain || mayBeAny ? part : partOf(asked);
  }
  if (way < 75) return { bytes: pick(dice, corpus.odd) };
  const bytes = way < 85 ? pick(dice, corpus.odd) : toBytes(asked);
  return { bytes: mutate(bytes, dice, larder) };
}

function makeRequest(dice: Dice, { corpus, owners, larder }: Material): Asked {
  const method = comes(dice, 120) ? 'HEAD' : 'GET';
  const credentials = makeCredentials(dice, owners, larder);
  const plain = { ...get(pick(dice, corpus.targets), ''), method };
  // A list of everything costs as much as hundreds of other requests, so most lists get a limit.
  const isLong = plain.target === '/v1/memories' && comes(dice, 900);
  const target = isLong ? '/v1/memories?limit=5' : plain.target;
  const extra = comes(dice, 600) ? [] : pick(dice, corpus.extras);
  return { ...plain, target, headers: [...plain.headers, ...credentials, ...extra] };
}

function makeCredentials(dice: Dice, owners: readonly Owner[], { tokens }: Larder): Header[] {
  const way = dice(100);
  if (way < 5) return [];
  const open = owners.filter(({ active }) => active.length > 0);
  const key =
    way < 88
      ? pick(dice, pick(dice, open).active)
      : pick(dice, [...pick(dice, owners).dead, pick(dice, tokens)]);
  const lines: Header[] = [
    ['X-API-Key', key],
    ['Authorization', `Bearer ${key}`],
  ];
  const form = dice(10);
  return form === 0 ? lines : lines.slice(form % 2, (form % 2) + 1);
}

function makeCuts(dice: Dice, length: number): number[] {
  if (comes(dice, 700)) return [];
  const cuts = Array.from({ length: few(dice, 6) }, () => dice(length + 1));
  return [...new Set(cuts)].toSorted((a, b) => a - b);
}
