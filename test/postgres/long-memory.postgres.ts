// The longest memories on PostgreSQL, with a small heap: what can be imported can be verified.

import { describe, it } from 'node:test';

import {
  HEAP_MB,
  LONG_MB,
  rejectWordyMemory,
  takeLongMemoryThrough,
} from '../support/damage/long-memory.ts';
import { isShort } from '../support/world/thorough.ts';

const LONG = { timeout: 600_000 };

/** It is rejected before an engine sees it, so `test/damage/long-memory.slow.ts` is enough for a short run. */
const WORDY = { ...LONG, skip: isShort };

describe(`With a heap of ${HEAP_MB} MB, a memory of ${LONG_MB} MB`, () => {
  it('that was imported can be verified, exported and copied', LONG, takeLongMemoryThrough);
});

describe(`With a heap of ${HEAP_MB} MB, a memory of 16 MB whose words take more than 128 MiB`, () => {
  it('is rejected by its file and line, and the next memory is imported', WORDY, rejectWordyMemory);
});
