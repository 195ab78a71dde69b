// watch: memories from the files that arrive in a folder.

import { embeddingsOptionNames } from '../args/embeddings.ts';
import type { Command } from '../command.ts';

/** Watches a folder. Its code is loaded only when it runs. */
export const watchCommand: Command = {
  summary: 'Import files that arrive in a folder, as they arrive',
  about:
    'Reads new and changed files once they are complete, with the formats of import. It looks at the folder again and again, so it works on network shares. After a restart it continues where it was. Without --once it runs until a signal stops it, and its log is JSON, one line for each event. With --once, exit code 1 means that something was rejected or could not be read.',
  takes: 'FOLDER',
  options: [
    'database',
    'account',
    'move',
    'once',
    'interval',
    'settle',
    'format',
    'timezone',
    'encoding',
    'originals',
    'emails',
    'without-transcript',
    ...embeddingsOptionNames,
    'json',
  ],
  overrides: {
    account: { unset: 'the only account', help: 'Account that gets the memories' },
    embeddings: { help: 'Also make the vectors for search by meaning, with this endpoint' },
    format: { unset: 'detected', help: 'Format of the files, one of those of import' },
  },
  examples: [
    [
      'Import what arrives in a folder, until Ctrl+C',
      'memory-gateway watch recordings/ --account mira',
    ],
    [
      'Put files that cannot be read aside',
      'memory-gateway watch recordings/ --account mira --move',
    ],
    ['Look once, from a timer', 'memory-gateway watch recordings/ --account mira --once'],
  ],
  run: async (args, context) => {
    const { runWatchCommand } = await import('../watch/watching.ts');
    return runWatchCommand(args, context);
  },
};
