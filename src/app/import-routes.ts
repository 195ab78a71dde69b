// The app's endpoints that bring in files, as data.

import type { Contract } from '../contract/route.ts';
import { FileNumber, Nothing, OneRecord, StartedImport } from './app-inputs.ts';
import { appTargets } from './app-targets.ts';
import { ImportRecord } from './import-records.ts';
import { Done } from './route-parts.ts';

const ofImport = { auth: 'session', failures: [401, 404, 409, 422] } as const;

/** The endpoints of imports. Without an importer, all of them are 403. */
export const importRoutes = {
  imports: {
    create: {
      ...appTargets.imports.create,
      ...ofImport,
      summary: 'Begin an import',
      input: Nothing,
      output: ImportRecord,
    },
    write: {
      ...appTargets.imports.write,
      ...ofImport,
      summary: 'Upload a part of a file, named by Content-Range and X-File-Name',
      input: FileNumber,
      output: Done,
    },
    check: {
      ...appTargets.imports.check,
      ...ofImport,
      summary: 'Read the files without writing, and report what an import would do',
      input: StartedImport,
      output: ImportRecord,
    },
    run: {
      ...appTargets.imports.run,
      ...ofImport,
      summary: 'Import the files',
      input: StartedImport,
      output: ImportRecord,
    },
    get: {
      ...appTargets.imports.get,
      ...ofImport,
      summary: 'Get the state of an import',
      input: OneRecord,
      output: ImportRecord,
    },
    remove: {
      ...appTargets.imports.remove,
      ...ofImport,
      summary: 'Stop an import and remove its files; what was imported stays',
      input: OneRecord,
      output: Done,
    },
  },
} as const satisfies Contract;
