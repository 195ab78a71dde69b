// The app's endpoints about shares, as data.

import * as v from 'valibot';

import type { Contract } from '../../contract/route.ts';
import { Nothing, OneRecord, ShareToCreate } from './app-inputs.ts';
import { appTargets } from './app-targets.ts';
import { Done, ofMemories } from './route-parts.ts';
import { NewShare, ShareEntry } from './share-records.ts';

/** The endpoints of shares. If the app is read-only, all of them are 403. */
export const shareRoutes = {
  shares: {
    list: {
      ...appTargets.shares.list,
      ...ofMemories,
      summary: 'List the links of the account that have not ended, latest first',
      input: Nothing,
      output: v.array(ShareEntry),
    },
    create: {
      ...appTargets.shares.create,
      ...ofMemories,
      summary: 'Create a link to a memory, or to some of its lines, as they are now',
      input: ShareToCreate,
      output: NewShare,
    },
    revoke: {
      ...appTargets.shares.revoke,
      ...ofMemories,
      summary: 'Revoke a link, and delete what it shows',
      input: OneRecord,
      output: Done,
    },
  },
} as const satisfies Contract;
