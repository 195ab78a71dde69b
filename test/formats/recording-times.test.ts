// Times of recordings, in the formats of the products: read as one instant or refused.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { asUtc, readProductTime, type MaybeTime } from '../../src/formats/time/product-time.ts';

/** The local time zone of this test is five hours behind UTC. */
const local = (plain: string) => Date.parse(`${plain}-05:00`);

const READ: [MaybeTime, string][] = [
  ['2026-11-18T09:30:00.1239Z', '2026-11-18T09:30:00.123Z'],
  ['2026-11-18 10:30+01', '2026-11-18T09:30:00.000Z'],
  ['2026-11-18T09:30', '2026-11-18T14:30:00.000Z'],
  [
    'Wed Nov 18 2026 10:30:00 GMT+0100 (Central European Standard Time)',
    '2026-11-18T09:30:00.000Z',
  ],
  ['Wed Nov 18 2026 10:30:00 GMT+0100', '2026-11-18T09:30:00.000Z'],
  ['Wed, 18 Nov 2026 09:30:00 GMT', '2026-11-18T09:30:00.000Z'],
  ['8 Nov 2026 09:30:00 GMT-05:00', '2026-11-08T14:30:00.000Z'],
  [1_763_460_000, '2025-11-18T10:00:00.000Z'],
  [1_763_460_000_123, '2025-11-18T10:00:00.123Z'],
  ['1763460000.5', '2025-11-18T10:00:00.500Z'],
];

const REFUSED = [
  'yesterday',
  '10/11/2026 10:30',
  'Nov 18 2026',
  'Wed Nov 18 2026 10:30:00',
  'Mon Feb 30 2026 10:30:00 GMT+0100',
  'Wed Nop 18 2026 10:30:00 GMT',
  'Wed Nov 18 2026 25:30:00 GMT',
];

describe('The time of a recording', () => {
  for (const [time, instant] of READ)
    it(`is read: ${time}`, () => {
      assert.equal(new Date(readProductTime(time, local) ?? Number.NaN).toISOString(), instant);
    });

  for (const time of REFUSED)
    it(`is refused if it is no time or ambiguous: ${time}`, () => {
      assert.equal(readProductTime(time, local), undefined);
    });

  it('is UTC if its product says so', () => {
    assert.equal(asUtc('2026-11-18T09:30'), Date.parse('2026-11-18T09:30:00Z'));
    assert.equal(asUtc('yesterday'), 'yesterday');
    assert.equal(asUtc(null), null);
  });
});
