// Scripts: what is sent on one connection. fast-check makes them out of valid requests, and shrinks those that fail.

import * as fc from 'fast-check';

import type { Owner } from './accounts.ts';
import { mutations, reshapings, weighted, type Change } from './changes.ts';
import { get, type Corpus } from './corpus.ts';
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

/** The material of all scripts. `tokens` are strings that are special to some parser. */
export interface Material {
  readonly owners: readonly Owner[];
  readonly corpus: Corpus;
  readonly tokens: readonly string[];
}

/** Creates a part from a request. */
export function partOf(asked: Asked): Part {
  const bytes = toBytes(asked);
  return isPlain(asked) ? { bytes, plain: asked } : { bytes };
}

/** Creates the scripts. */
export function scriptsOf(material: Material): fc.Arbitrary<Script> {
  const { corpus, tokens } = material;
  const requests = requestsOf(material);
  const reshaped = changed(requests, reshapings(tokens), 4);
  // If a request becomes ambiguous, the one before its changes is sent.
  const plain = fc
    .tuple(requests, reshaped)
    .map(([before, after]) => partOf(isPlain(after) ? after : before));
  const odd = fc.constantFrom(...corpus.odd);
  const mutated = changed(fc.oneof(odd, requests.map(toBytes)), mutations(tokens, corpus), 5);
  const any = fc.oneof(
    weighted(70, reshaped.map(partOf)),
    weighted(
      5,
      odd.map((bytes): Part => ({ bytes })),
    ),
    weighted(
      25,
      mutated.map((bytes): Part => ({ bytes })),
    ),
  );
  const most = fc.oneof(weighted(199, fc.constant(5)), fc.constant(170));
  const tame = fc
    .tuple(
      most.chain((maxLength) => fc.array(plain, { maxLength, size: 'max' })),
      fc.option(any, { nil: undefined }),
    )
    .map(([parts, last]) => (last === undefined ? parts : [...parts, last]));
  const wild = fc.array(any, { minLength: 1, maxLength: 6 });
  return fc
    .record({
      parts: fc.oneof(weighted(92, tame), weighted(8, wild)),
      cuts: fc.oneof(
        weighted(7, fc.constant<number[]>([])),
        weighted(3, fc.array(fc.nat(), { maxLength: 6 })),
      ),
      ending: fc.oneof(
        weighted(957, fc.constant('close' as const)),
        weighted(40, fc.constant('reset' as const)),
        weighted(3, fc.constant('wait' as const)),
      ),
    })
    .map(({ parts, cuts, ending }) => {
      const { length } = parts.map(({ bytes }) => bytes).join('');
      const offsets = new Set(cuts.map((cut) => cut % (length + 1)));
      return { parts, cuts: [...offsets].toSorted((a, b) => a - b), ending };
    });
}

/** Applies one or a few changes, none of which has to be possible. */
function changed<T>(
  from: fc.Arbitrary<T>,
  changes: fc.Arbitrary<Change<T>>,
  maxLength: number,
): fc.Arbitrary<T> {
  return fc
    .tuple(from, fc.array(changes, { maxLength }))
    .map(([before, all]) => all.reduce((now, change) => change(now), before));
}

function requestsOf({ corpus, owners, tokens }: Material): fc.Arbitrary<Asked> {
  const open = owners.flatMap(({ active }) => active);
  const closed = owners.flatMap(({ dead }) => dead);
  const key = fc.oneof(
    weighted(87, fc.constantFrom(...open)),
    weighted(13, fc.constantFrom(...closed, ...tokens)),
  );
  const form = fc.constantFrom<(key: string) => Header[]>(
    (text) => [['X-API-Key', text]],
    (text) => [['Authorization', `Bearer ${text}`]],
    (text) => [
      ['X-API-Key', text],
      ['Authorization', `Bearer ${text}`],
    ],
  );
  return fc
    .record({
      target: fc.constantFrom(...corpus.targets),
      method: fc.oneof(weighted(88, fc.constant('GET')), weighted(12, fc.constant('HEAD'))),
      isWhole: fc.integer({ min: 0, max: 9 }).map((one) => one === 9),
      credentials: fc.oneof(
        weighted(
          95,
          fc.tuple(form, key).map(([write, text]) => write(text)),
        ),
        weighted(5, fc.constant([])),
      ),
      extra: fc.oneof(weighted(6, fc.constant([])), weighted(4, fc.constantFrom(...corpus.extras))),
    })
    .map(({ target, method, isWhole, credentials, extra }) => {
      // A list of everything costs as much as hundreds of other requests, so most lists get a limit.
      const cheap = target === '/v1/memories' && !isWhole ? '/v1/memories?limit=5' : target;
      const plain = get(cheap, '');
      return { ...plain, method, headers: [...plain.headers, ...credentials, ...extra] };
    });
}
