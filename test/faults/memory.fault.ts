// Memory use stays flat while a very large account is sent.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

import { serveAlone } from '../support/processes/serve-process.ts';
import { sized } from '../support/world/thorough.ts';
import { createWorld, memories } from '../support/world/world.ts';

const MB = 1024 * 1024;

/** The size of the list, whose memories have half a megabyte each. */
const LIST_MB = sized(400, 200);

/** Returns the peak resident memory of a process in bytes (Linux). */
function peakOf(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
}

describe(`A list of ${LIST_MB} MB`, () => {
  it(
    'takes a fraction of its size in memory, whole or in pages, compressed or not',
    { skip: process.platform !== 'linux' && 'reads /proc' },
    async (t) => {
      const world = await createWorld(t);
      const key = world.addAccount('ana', memories(2 * LIST_MB, MB / 2));
      const short = world.addAccount('bo', memories(10_000, 4000));
      const env = { NODE_OPTIONS: '--max-old-space-size=96' };
      const { child, port } = await serveAlone(t, world.database, [], { env });
      const drain = async (path: string, encoding: string, apiKey = key) => {
        const headers = { 'x-api-key': apiKey, 'accept-encoding': encoding };
        const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
        let bytes = 0;
        for await (const part of response.body ?? []) bytes += part.length;
        return bytes;
      };
      await drain('/v1/memories?limit=1', 'identity');
      const idle = peakOf(child.pid);
      for (let i = 0; i < 5; i++)
        assert.ok((await drain('/v1/memories', 'identity', short)) > 40 * 1e6);
      assert.ok((await drain('/v1/memories', 'identity')) > LIST_MB * MB);
      const once = peakOf(child.pid);
      for (let i = 0; i < 2; i++) await drain('/v1/memories', 'identity');
      assert.ok((await drain(`/v1/memories?limit=${2 * LIST_MB}`, 'identity')) > LIST_MB * MB);
      assert.ok((await drain('/v1/memories', 'zstd')) > LIST_MB * MB);
      const again = peakOf(child.pid);
      const grown = {
        once: Math.round((once - idle) / MB),
        again: Math.round((again - once) / MB),
      };
      t.diagnostic(`grew by ${grown.once} MB, then by ${grown.again} MB for four times as much`);
      assert.ok(
        grown.once < 64,
        `grew by ${grown.once} MB for a list of ${LIST_MB} MB, after short memories`,
      );
      assert.ok(grown.again < 100, `grew by ${grown.again} MB more for ${4 * LIST_MB} MB more`);
    },
  );
});
