// The app's endpoints that bring in files, as data.

import type { Contract } from '../../contract/route.ts';
import { FileNumber, Nothing, OneRecord, StartedImport } from './app-inputs.ts';
import { appTargets } from './app-targets.ts';
import { ImportRecord } from './import-records.ts';
import { Done, ofMemories } from './route-parts.ts';

/** The endpoints of imports. Without an importer, all of them are 403. */
export const importRoutes = {
  imports: {
    create: {
      ...appTargets.imports.create,
      ...ofMemories,
      summary: 'Begin an import',
      input: Nothing,
      output: ImportRecord,
    },
    write: {
      ...appTargets.imports.write,
      ...ofMemories,
      summary: 'Upload a part of a file, named by Content-Range and X-File-Name',
      input: FileNumber,
      output: Done,
    },
    check: {
      ...appTargets.imports.check,
      ...ofMemories,
      summary: 'Read the files without writing, and report what an import would do',
      input: StartedImport,
      output: ImportRecord,
    },
    run: {
      ...appTargets.imports.run,
      ...ofMemories,
      summary: 'Import the files',
      input: StartedImport,
      output: ImportRecord,
    },
    get: {
      ...appTargets.imports.get,
      ...ofMemories,
      summary: 'Get the state of an import',
      input: OneRecord,
      output: ImportRecord,
    },
    remove: {
      ...appTargets.imports.remove,
      ...ofMemories,
      summary: 'Stop an import and remove its files; what was imported stays',
      input: OneRecord,
      output: Done,
    },
  },
} as const satisfies Contract;
