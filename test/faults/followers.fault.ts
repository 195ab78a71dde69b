// Followers of random histories with writers, imports, deletions, backups and restores: each ends equal to the truth.

import { describe, it } from 'node:test';

import { createFileScenes } from '../support/engines/file-scenes.ts';
import { playHistories, PARTS } from '../support/model/play-histories.ts';

for (const part of PARTS)
  describe(`A follower of an SQLite file, part ${part}`, () => {
    it('has every memory and no other after each random history', async (t) => {
      await playHistories(t, { withScene: createFileScenes(t) });
    });
  });
