// Originals: the bytes of files, recorded while they are read.

import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { describe, it } from 'node:test';

import { readOriginal, toOriginalRow } from '../../src/store/details/original.ts';
import { createPacker } from '../../src/store/details/pack.ts';
import { readAll } from '../support/formats/read-file.ts';
import { randomBy } from '../support/world/random.ts';

/** Reads captions that come in parts, and returns their original. */
async function originalOf(bytes: Buffer) {
  const starts = Array.from({ length: Math.ceil(bytes.length / PART) }, (_, i) => i * PART);
  const parts = starts.map((start) => bytes.subarray(start, start + PART));
  const file = { name: 'talk.vtt', started_at: '2026-11-18T09:00:00Z', parts };
  const [outcome] = await readAll([file], undefined, { createPacker });
  assert.ok(outcome && 'memory' in outcome && outcome.original);
  return outcome.original;
}

const PART = 64 * 1024;

/** Returns captions of random words, which compress badly, of about this many bytes. */
function captionsOf(size: number): string {
  const random = randomBy(size);
  const cues = Array.from({ length: Math.ceil(size / 100) }, (_, i) => {
    const words = Array.from({ length: 8 }, () => random().toString(36).slice(2, 9)).join(' ');
    return `00:00:00.000 --> 00:00:01.000\nAna: Café ${i % 7} ${words}\n\n`;
  });
  return `WEBVTT\n\n${cues.join('')}`;
}

describe('The original of a file', () => {
  const short = captionsOf(3000);
  const long = captionsOf(3_000_000);
  const files = {
    'a short file': Buffer.from(short),
    'a long file, which is compressed while it is read': Buffer.from(long),
    'a long file in UTF-16': Buffer.from(`\uFEFF${long}`, 'utf16le'),
  };
  for (const [what, bytes] of Object.entries(files))
    it(`has the bytes of ${what}`, async () => {
      const row = toOriginalRow('ana', { ...(await originalOf(bytes)), reading: '{}' });
      const { sha256, media_type } = row;
      assert.deepEqual(
        { sha256, media_type, bytes: row.bytes },
        { sha256: hash('sha256', bytes), media_type: 'text/vtt', bytes: bytes.length },
      );
      assert.deepEqual(Buffer.from(readOriginal(row) ?? []), bytes);
    });

  it('is held in a fraction of its bytes if it is long', async () => {
    const bytes = Buffer.from(
      'WEBVTT\n\n' + '00:00.000 --> 00:01.000\nAna: Milk.\n\n'.repeat(50_000),
    );
    const { bytes: held } = await originalOf(bytes);
    assert.ok('compressed' in held && held.compressed.length < bytes.length / 50);
  });
});
