// The soak test finds planted faults of a server, and none in a healthy one.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { faults } from '../soak/planted-faults.ts';
import { soak, type Outcome } from '../soak/soak.ts';
import { riseOf } from '../soak/trend.ts';
import { leaksOf } from '../soak/verdict.ts';
import { tell } from '../support/damage/trial.ts';
import { megabytes, noGauges } from '../support/processes/process-usage.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { isShort, sized } from '../support/world/thorough.ts';

const MINUTES = sized(0.3, 0.1);

/** The planted faults that come last need a thousand requests, and memory that is kept needs 1200 to be seen. */
const REQUESTS = 3000;

/** How long a healthy server is watched. Its memory is judged from five minutes on. */
const WELL_MINUTES = Number(process.env['SOAK_MINUTES'] ?? MINUTES);

function figuresOf({ counts, before, after, most, findings }: Outcome) {
  return {
    requests: counts.requests,
    memory: `${megabytes(before.rss)} → ${megabytes(after.rss)}`,
    heap: `${megabytes(before.heap)} → ${megabytes(after.heap)}`,
    files: `${before.fds} → ${after.fds}`,
    handles: `${before.handles} → ${after.handles}`,
    lag: `${Math.round(most.lag)} ms at most`,
    wal: `${megabytes(most.wal)} at most`,
    found: findings[0] ?? 'nothing',
  };
}

describe('The soak test', { skip: noGauges }, () => {
  it('finds nothing in serve', async (t) => {
    const outcome = await soak({ seed: 'well', minutes: WELL_MINUTES, folder: newFolder() });
    tell(t, figuresOf(outcome));
    assert.deepEqual(outcome.findings, []);
    assert.ok(outcome.counts.requests > 0 && (outcome.done['writes'] ?? 0) > 0);
  });

  for (const { name, found, preload } of isShort ? faults.slice(0, 1) : faults)
    it(`finds a server that ${name}`, async (t) => {
      const plan = { minutes: MINUTES, requests: REQUESTS, folder: newFolder() };
      const outcome = await soak({ ...plan, seed: name, preload });
      tell(t, figuresOf(outcome));
      assert.ok(
        outcome.findings.some((finding) => found.test(finding)),
        outcome.findings.join('\n'),
      );
    });

  it('finds memory that grows, however much it goes up and down', () => {
    const held = { rss: 2e8, heap: 3e7, fds: 27, handles: 5 };
    const seen = (grows: number, minutes: number) => ({
      before: held,
      after: held,
      minutes,
      memory: Array.from({ length: 60 }, (_, i) => ({
        at: (i * minutes) / 60,
        value: 2e8 + i * grows + (i % 3) * 2e7,
      })),
    });
    const told = (grows: number, minutes: number) => leaksOf(seen(grows, minutes)).length;
    assert.deepEqual([told(0, 60), told(3e6, 60), told(3e6, 1)], [0, 1, 0]);
    assert.equal(riseOf([]), 0);
    assert.deepEqual(leaksOf({ before: held, after: held, minutes: 60, memory: [] }), [
      'its metrics could not be read',
    ]);
  });
});
