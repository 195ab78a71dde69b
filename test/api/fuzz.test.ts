// Random requests near the edge of the contract: never 500, never an undocumented response, never a byte of another account.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import * as fc from 'fast-check';

import { assertAlways, assertFailure } from '../support/wire/response-shape.ts';
import { sendRaw } from '../support/wire/wire.ts';
import { cases } from '../support/world/thorough.ts';
import { createWorld, memories, memory } from '../support/world/world.ts';

const CANARY = 'canary-of-another-account';

describe('A random request', () => {
  it('gets a response as documented', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', memories(7));
    world.addAccount(
      'bo',
      [...memories(7), memory({ id: CANARY })].map((each) => ({ ...each, name: CANARY })),
    );

    const visible = fc.string({
      unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
    });
    const latin = fc.string({
      unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)),
    });
    const piece = fc.oneof(
      visible,
      fc.constantFrom(
        'limit',
        'cursor',
        'order',
        '=',
        '&',
        '?',
        '/',
        '%',
        '%00',
        '%2e',
        '..',
        'm001',
        CANARY,
        '1',
        'asc',
        '*',
        '"',
        '\\',
        ';',
        '+',
        '[]',
      ),
    );
    const target = fc
      .tuple(
        fc.constantFrom(
          '/v1/memories',
          '/v1/memories?',
          '/v1/memories/',
          '/v1/memories/m001',
          '/v1/memories?limit=',
          '/',
          'http://h/v1/memories',
        ),
        fc.array(piece, { maxLength: 6 }),
      )
      .map(([start, rest]) => start + rest.join(''));
    const header = fc
      .tuple(
        fc.constantFrom(
          'accept-encoding',
          'if-none-match',
          'authorization',
          'x-api-key',
          'origin',
          'connection-x',
          'range',
          'accept',
        ),
        fc.oneof(
          latin,
          visible,
          fc.constantFrom(
            '*',
            'gzip, br;q=0',
            'identity;q=0',
            'Bearer',
            `Bearer ${key}`,
            '"',
            'W/""',
            '"a", "b"',
          ),
        ),
      )
      .map(([name, value]) => `${name}: ${value}\r\n`);
    const request = fc.record({
      method: fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'POST', 'OPTIONS', 'DELETE'),
      target,
      headers: fc.array(header, { maxLength: 3 }),
      isKeyed: fc.boolean(),
    });

    const statuses = new Set<number>();
    await fc.assert(
      fc.asyncProperty(request, async ({ method, target: path, headers, isKeyed }) => {
        const own = isKeyed ? `X-API-Key: ${key}\r\n` : '';
        const bytes = `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${own}${headers.join('')}\r\n`;
        const answer = await sendRaw(world.port, bytes);
        statuses.add(answer.status);
        assert.ok(answer.status < 500, bytes);
        assert.ok(
          !answer.text.includes(CANARY) || answer.text.includes('Unknown parameter'),
          bytes,
        );
        if (answer.status >= 400 && method !== 'HEAD') assertFailure(answer, answer.status, bytes);
        else assertAlways(answer, bytes);
      }),
      { numRuns: cases(1500) },
    );
    for (const status of [200, 400, 401, 404, 405, 422])
      assert.ok(statuses.has(status), `${status} never came`);
    assert.deepEqual(
      world.log.filter(({ message }) => message === 'request failed'),
      [],
    );
  });
});
