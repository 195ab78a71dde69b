// copy: grants, their tokens and registered clients stay where they are, so clients ask again at the new address.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import { copyDatabase } from '../../src/store/copy/copy.ts';
import { withoutProgress } from '../../src/store/progress.ts';
import { addGrant } from '../support/connect/add-grant.ts';
import { engine, engines } from '../support/engines/engine.ts';
import { createApp } from '../support/world/app-store.ts';
import { newFolder } from '../support/world/artifacts.ts';

const TABLES = ['grants', 'grant_tokens', 'oauth_clients'];
const ID = '01a2b3c4-d5e6-7f80-9a1b-2c3d4e5f6071';

describe('A copy', () => {
  for (const to of new Set([engines.sqlite, engine]))
    it(`to ${to.name} has no grants, and takes none away`, async (t) => {
      const { database, app } = await createApp(t);
      await addGrant(app);
      await app.oauthClients.create({ id: ID, metadata: '{}' });
      const target =
        to === engines.sqlite ? join(newFolder(), 'copy.db') : to.create(t, newFolder());
      const copy = () => copyDatabase({ from: database, to: target, stage: withoutProgress });
      const count = (on: typeof engine, place: string) =>
        TABLES.map((table) => on.edit(place, `SELECT * FROM ${table}`).length);
      const first = await copy();
      assert.deepEqual(count(to, target), [0, 0, 0]);
      assert.deepEqual(count(engine, database), [1, 1, 1]);
      // A later grant changes nothing that a copy compares.
      await addGrant(app);
      assert.equal((await copy()).sha256, first.sha256);
      assert.deepEqual(count(to, target), [0, 0, 0]);
    });
});
