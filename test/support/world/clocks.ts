// The clocks of this process, moved by tests.

import type { TestContext } from 'node:test';

/** The two clocks, moved together or apart. Times are in milliseconds. */
interface Clocks {
  /** Moves the system clock alone. */
  readonly jump: (ms: number) => void;
  /** Lets time pass on both clocks. */
  readonly pass: (ms: number) => void;
}

/** Takes over the clocks of this process until the test ends. */
export function moveClocks(t: TestContext): Clocks {
  const read = performance.now.bind(performance);
  let passed = 0;
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
  t.mock.method(performance, 'now', () => read() + passed);
  const jump = (ms: number) => t.mock.timers.setTime(Date.now() + ms);
  return {
    jump,
    pass(ms) {
      passed += ms;
      jump(ms);
    },
  };
}
