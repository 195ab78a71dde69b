// The fuzz test finds planted faults of a gateway, with the request that shows them.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

import { fuzz } from '../fuzz/fuzz.ts';
import { faults } from '../fuzz/planted-faults.ts';
import { tell } from '../support/damage/trial.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { isShort } from '../support/world/thorough.ts';

const FAULTY = fileURLToPath(new URL('../fuzz/planted-faults.ts', import.meta.url));

describe('The fuzz test', () => {
  for (const { name, found } of isShort ? faults.slice(0, 3) : faults)
    it(`finds a gateway that ${name}`, async (t) => {
      const { figures, findings, server } = await fuzz({
        seed: 1,
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
