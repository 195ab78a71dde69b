// The fuzz: it finds what is planted in a gateway, with the request that shows it.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

import { faults } from '../fuzz/faulty.ts';
import { fuzz } from '../fuzz/fuzz.ts';
import { isShort, tell } from '../support/faults.ts';
import { newFolder } from '../support/left.ts';

const FAULTY = fileURLToPath(new URL('../fuzz/faulty.ts', import.meta.url));

describe('The fuzz', () => {
  for (const { name, found } of isShort ? faults.slice(0, 3) : faults)
    it(`finds a gateway that ${name}`, async (t) => {
      const { figures, findings, server } = await fuzz({
        seed: 'planted',
        minutes: 1,
        most: 1,
        database: join(newFolder(), 'fuzz.db'),
        program: [FAULTY, name],
      });
      const [finding] = findings;
      tell(t, {
        requests: figures.requests,
        found: finding?.kind ?? String(server),
        with: JSON.stringify(finding?.script.parts.map(({ bytes }) => bytes).join('') ?? ''),
      });
      const said = [finding?.kind, server].filter((each) => each !== undefined);
      assert.ok(
        said.some((each) => found.test(each)),
        said.join(),
      );
    });
});
