// import: memories from the exports of other products, and from our own.

import { embeddingsOptionNames } from '../args/embeddings.ts';
import type { Command } from '../command.ts';

/** Imports memories. Its code is loaded only when it runs. */
export const importCommand: Command = {
  summary: 'Import memories from files, folders and zip archives',
  about:
    'Pass files, folders, zip archives, or - for standard input. The format of each file is detected. Importing a file again updates what has changed and creates no duplicates. Exit code 1 means that some items were rejected, or that there was nothing to import.',
  takes: 'FILE…',
  options: [
    'database',
    'account',
    'format',
    'map',
    'dry-run',
    'all-or-nothing',
    'started-at',
    'timezone',
    'encoding',
    'without-transcript',
    'originals',
    'emails',
    ...embeddingsOptionNames,
    'json',
  ],
  overrides: {
    account: { unset: "the memory's user_id, or the only one" },
    embeddings: { help: 'Also make the vectors for search by meaning, with this endpoint' },
    format: { unset: 'detected', help: 'Format of the files: csv, or one of those below' },
    'dry-run': { help: 'Read everything and show what would be imported, but write nothing' },
  },
  examples: [
    ['Import an export of another product', 'memory-gateway import --account mira export.zip'],
    ['See what an import would do', 'memory-gateway import --account mira --dry-run recordings/'],
    [
      'A table of your own',
      'memory-gateway import --account mira --format csv --map id=uuid,started_at=when,transcript=text calls.csv',
    ],
    [
      'Captions of a meeting, with its start',
      'memory-gateway import --account mira --started-at 2026-11-18T09:00:00Z standup.vtt',
    ],
  ],
  table: async () => {
    const { products } = await import('../../formats/formats.ts');
    return { title: 'Formats', rows: [...products] };
  },
  run: async (args, context) => {
    const { runImportCommand } = await import('./importing.ts');
    return runImportCommand(args, context);
  },
};
