// Followers of random histories on PostgreSQL, with writers, imports, deletions, backups and restores: each ends equal to the truth.

import { describe, it } from 'node:test';

import { noPostgres, startOwn } from '../../support/engines/own-server.ts';
import { createPostgresScenes } from '../../support/engines/postgres-scenes.ts';
import { playHistories, PARTS } from '../../support/model/play-histories.ts';

const LANES = 4; // a history waits for the server most of its time

for (const part of PARTS)
  describe(`A follower of a PostgreSQL database, part ${part}`, { skip: noPostgres }, () => {
    it('has every memory and no other after each random history', async (t) => {
      const { database } = await startOwn(t);
      await playHistories(t, {
        withScene: await createPostgresScenes(t, database, LANES),
        lanes: LANES,
      });
    });
  });
