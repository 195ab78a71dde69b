// The longest memories, with a small heap: what can be imported can be verified, and the rest is rejected.

import { describe, it } from 'node:test';

import {
  HEAP_MB,
  LONG_MB,
  rejectWordyMemory,
  takeLongMemoryThrough,
} from '../support/damage/long-memory.ts';

const LONG = { timeout: 600_000 };

describe(`With a heap of ${HEAP_MB} MB, a memory of ${LONG_MB} MB`, () => {
  it(
    'that was imported can be verified, backed up, restored, exported and copied',
    LONG,
    takeLongMemoryThrough,
  );
});

describe(`With a heap of ${HEAP_MB} MB, a memory of 16 MB whose words take more than 128 MiB`, () => {
  it('is rejected by its file and line, and the next memory is imported', LONG, rejectWordyMemory);
});
