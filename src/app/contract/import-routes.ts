// The app's endpoints that bring in memories, as data: the imports of files, and the sources.

import type { ByEndpoint } from '../../contract/targets.ts';
import { FileNumber, NewSource, Nothing, OneRecord, StartedImport } from './app-inputs.ts';
import { ImportRecord } from './import-records.ts';
import { Done, ofMemories, type RouteAtTarget } from './route-parts.ts';
import { SavedSource, SourceList } from './source-records.ts';

/** The endpoints of imports and sources. If the app is read-only, all of them are 403. */
export const importRoutes = {
  imports: {
    create: {
      ...ofMemories,
      summary: 'Begin an import',
      input: Nothing,
      output: ImportRecord,
    },
    write: {
      ...ofMemories,
      summary: 'Upload a part of a file, named by Content-Range and X-File-Name',
      input: FileNumber,
      output: Done,
    },
    check: {
      ...ofMemories,
      summary: 'Read the files without writing, and report what an import would do',
      input: StartedImport,
      output: ImportRecord,
    },
    run: {
      ...ofMemories,
      summary: 'Import the files',
      input: StartedImport,
      output: ImportRecord,
    },
    get: {
      ...ofMemories,
      summary: 'Get the state of an import',
      input: OneRecord,
      output: ImportRecord,
    },
    remove: {
      ...ofMemories,
      summary: 'Stop an import and remove its files; what was imported stays',
      input: OneRecord,
      output: Done,
    },
  },
  sources: {
    list: {
      ...ofMemories,
      summary: 'List the sources of the account with their last runs, and the products to add',
      input: Nothing,
      output: SourceList,
    },
    save: {
      ...ofMemories,
      summary:
        'Add a source, or change its key or interval, and pull from it; a key that the product refuses is a 422',
      input: NewSource,
      output: SavedSource,
    },
    run: {
      ...ofMemories,
      summary: 'Pull from a source now',
      input: OneRecord,
      output: Done,
    },
    remove: {
      ...ofMemories,
      summary: 'Remove a source and its key; what was imported stays',
      input: OneRecord,
      output: Done,
    },
  },
} as const satisfies ByEndpoint<RouteAtTarget>;
