// The format of API keys, and the checksum in it.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';

import * as fc from 'fast-check';

import { createApiKey, hashApiKey, isApiKey } from '../../src/store/accounts/api-key.ts';
import { anything } from '../support/model/arbitrary-text.ts';
import { cases } from '../support/world/thorough.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Computes CRC-32 (IEEE 802.3) bit by bit, independently of the code under test. */
function crc(text: string): bigint {
  let rest = 0xffffffffn;
  for (const byte of Buffer.from(text)) {
    rest ^= BigInt(byte);
    for (let bit = 0; bit < 8; bit++) rest = rest & 1n ? (rest >> 1n) ^ 0xedb88320n : rest >> 1n;
  }
  return rest ^ 0xffffffffn;
}

function base62(value: bigint): string {
  let digits = '';
  for (let rest = value; rest > 0n; rest /= 62n)
    digits = ALPHABET.charAt(Number(rest % 62n)) + digits;
  return digits.padStart(6, '0');
}

describe('A key', () => {
  it('is mem_, 43 characters and the checksum of all that precedes', () => {
    assert.equal(crc('123456789'), 0xcbf43926n, 'the check value of CRC-32');
    const keys = Array.from({ length: 500 }, createApiKey);
    for (const key of keys) {
      assert.match(key, /^mem_[0-9A-Za-z]{49}$/);
      assert.equal(key.slice(-6), base62(crc(key.slice(0, -6))));
      assert.ok(isApiKey(key));
      assert.equal(hashApiKey(key), createHash('sha256').update(key).digest('hex'));
    }
    assert.equal(new Set(keys).size, keys.length);
    const used = new Set(keys.flatMap((key) => key.slice(4, -6).split('')));
    assert.equal(used.size, 62, 'every character is used');
  });

  it('made by another program in the published format is accepted', () => {
    for (const body of ['0'.repeat(43), 'z'.repeat(43), 'MemoryGateway'.padEnd(43, '7')]) {
      assert.ok(isApiKey(`mem_${body}${base62(crc(`mem_${body}`))}`), body);
    }
  });

  it('of any other form is refused', () => {
    const key = createApiKey();
    const others = fc.oneof(
      fc.string(),
      anything,
      fc
        .integer({ min: 0, max: 52 })
        .chain((at) =>
          fc
            .constantFrom(...ALPHABET.split(''))
            .map((char) => `${key.slice(0, at)}${char}${key.slice(at + 1)}`),
        ),
      fc.integer({ min: 0, max: 52 }).map((length) => key.slice(0, length)),
      fc.string({ minLength: 1 }).map((more) => key + more),
      fc.string({ minLength: 1 }).map((more) => more + key),
    );
    fc.assert(
      fc.property(others, (text) => text === key || !isApiKey(text)),
      { numRuns: cases(5000) },
    );
  });
});
