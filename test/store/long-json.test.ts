// JSON of long memories: written piece by piece, the same bytes as in one go.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { toJson } from '../../src/contract/json.ts';
import { toLongJson } from '../../src/store/long-json.ts';

describe('The JSON of a long text', () => {
  it('is the same as that of JSON.stringify, whatever lies where it is cut', () => {
    for (const unit of ['a', '"\\', '\n', 'ü', '你', '😀', '\uD83D', '\uDE00', '\u2028'])
      for (const shift of [0, 1, 2]) {
        const transcript = 'x'.repeat(shift) + unit.repeat(100_000);
        const value = { id: 'm', none: undefined, transcript, list: [unit, 1], more: transcript };
        assert.ok(Buffer.compare(toLongJson(value), toJson(value)) === 0, JSON.stringify(unit));
      }
  });
});
