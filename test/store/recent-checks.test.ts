// The checks that have passed: what is not checked again, and what is.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { recentChecks, REPEAT_MS, type Checked } from '../../src/store/check/recent.ts';

const ONE: Checked = {
  account_id: 'ana',
  revision: 'r1',
  is_processing: undefined,
  facts: 'm001,0123',
};

/** Creates checks with a clock that stands still, and counts the checks that run. */
function create() {
  let time = 1000;
  let isIntact = true;
  let count = 0;
  const checks = recentChecks(() => time);
  return {
    /** Returns whether a check passes, and whether it ran. */
    ask: (checked: Checked) => {
      const before = count;
      const passes = checks.passes(checked, () => {
        count++;
        return isIntact;
      });
      return { passes, ran: count > before };
    },
    wait: (ms: number) => (time += ms),
    setIntact: (value: boolean) => (isIntact = value),
  };
}

describe('A check that has passed', () => {
  it('is not repeated within a minute', () => {
    const { ask, wait } = create();
    assert.deepEqual(ask(ONE), { passes: true, ran: true });
    wait(REPEAT_MS - 1);
    assert.deepEqual(ask({ ...ONE }), { passes: true, ran: false });
    wait(1);
    assert.deepEqual(ask(ONE), { passes: true, ran: true });
  });

  it('says nothing about another account, state, filter or memory', () => {
    const { ask } = create();
    ask(ONE);
    for (const other of [
      { account_id: 'bo' },
      { revision: 'r2' },
      { is_processing: false },
      { facts: 'm001,4567' },
    ])
      assert.equal(ask({ ...ONE, ...other }).ran, true, JSON.stringify(other));
  });

  it('is repeated if the state is unknown', () => {
    const { ask } = create();
    const unknown = { ...ONE, revision: undefined };
    assert.equal(ask(unknown).ran, true);
    assert.equal(ask(unknown).ran, true);
  });
});

describe('A check that has failed', () => {
  it('is repeated until it passes', () => {
    const { ask, setIntact } = create();
    setIntact(false);
    assert.deepEqual(ask(ONE), { passes: false, ran: true });
    assert.deepEqual(ask(ONE), { passes: false, ran: true });
    setIntact(true);
    assert.deepEqual(ask(ONE), { passes: true, ran: true });
    assert.equal(ask(ONE).ran, false);
  });
});

describe('Many checks', () => {
  it('are forgotten at a limit, so that their memory does not grow', () => {
    const { ask } = create();
    const each = (i: number) => ask({ ...ONE, facts: `m${i}` }).ran;
    let forgotten = 0;
    for (let i = 0; i < 100_000 && forgotten === 0; i++) {
      assert.equal(each(i), true);
      if (each(0)) forgotten = i;
    }
    assert.ok(forgotten > 10_000 && forgotten < 50_000, `after ${forgotten}`);
  });
});
