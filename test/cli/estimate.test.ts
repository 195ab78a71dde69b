// The time left that a progress bar shows.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { createEstimate } from '../../src/cli/output/estimate.ts';

const TOTAL = 1000e6;

describe('The time left', () => {
  it('is unknown at first, and without progress', () => {
    const estimate = createEstimate(TOTAL, 5000);
    assert.equal(estimate(1e6, 5100), undefined);
    assert.equal(estimate(0, 9000), undefined);
  });

  it('is steady, though files are read in bursts', () => {
    const estimate = createEstimate(TOTAL, 0);
    // 4 MB within 10 ms, then nothing for 400 ms: 10 MB a second.
    for (let burst = 1; burst < 200; burst++)
      for (const [part, ms] of [
        [0.5, 400],
        [1, 410],
      ] as const) {
        const left = estimate((burst - 1 + part) * 4e6, burst * 410 + ms - 410);
        if (burst < 25) continue;
        const right = (TOTAL - burst * 4e6) / (4e6 / 0.41);
        assert.ok(
          left !== undefined && Math.abs(left - right) < 0.1 * right + 1,
          `${left}, ${right}`,
        );
      }
  });

  it('follows a change of speed within a minute', () => {
    const estimate = createEstimate(TOTAL, 0);
    let value = 0;
    let left: number | undefined;
    // Fast over what is there already, then slow.
    for (let second = 1; second <= 10; second++) estimate((value += 50e6), second * 1000);
    for (let second = 11; second <= 75; second++) left = estimate((value += 1e6), second * 1000);
    assert.equal(left, (TOTAL - value) / 1e6);
  });
});
