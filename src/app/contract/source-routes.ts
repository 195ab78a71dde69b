// The app's endpoints about sources, as data.

import type { Contract } from '../../contract/route.ts';
import { NewSource, Nothing, OneRecord } from './app-inputs.ts';
import { appTargets } from './app-targets.ts';
import { Done, ofMemories } from './route-parts.ts';
import { SourceList } from './source-records.ts';

/** The endpoints of sources. If the app is read-only, all of them are 403. */
export const sourceRoutes = {
  sources: {
    list: {
      ...appTargets.sources.list,
      ...ofMemories,
      summary: 'List the sources of the account with their last runs, and the products to add',
      input: Nothing,
      output: SourceList,
    },
    save: {
      ...appTargets.sources.save,
      ...ofMemories,
      summary: 'Add a source, or change its key or interval, and pull from it',
      input: NewSource,
      output: Done,
    },
    run: {
      ...appTargets.sources.run,
      ...ofMemories,
      summary: 'Pull from a source now',
      input: OneRecord,
      output: Done,
    },
    remove: {
      ...appTargets.sources.remove,
      ...ofMemories,
      summary: 'Remove a source and its key; what was imported stays',
      input: OneRecord,
      output: Done,
    },
  },
} as const satisfies Contract;
