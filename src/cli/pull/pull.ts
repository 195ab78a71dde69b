// pull: what is new in a product's API, or in another gateway.

import { embeddingsOptionNames } from '../args/embeddings.ts';
import type { Command } from '../command.ts';

/** Imports what is new at a source. Its code is loaded only when it runs. */
export const pullCommand: Command = {
  summary: "Import what is new from a product's API",
  about:
    'Each run continues after the last one, so run it from a timer. Memories that have not changed are not written again. Times without an offset are read as UTC. The credential comes from the environment, from --credential-file or from standard input. Exit code 1 means that the run failed or that items were rejected, 75 that the product asks to wait before the next run, and 130 that you stopped it.',
  takes: 'SOURCE',
  options: [
    'database',
    'account',
    'credential-file',
    'stored',
    'url',
    'since',
    'until',
    'mirror',
    'originals',
    'emails',
    'dry-run',
    ...embeddingsOptionNames,
    'json',
  ],
  overrides: {
    account: { unset: 'the only account', help: 'Account that gets the memories' },
    embeddings: { help: 'Also make the vectors for search by meaning, with this endpoint' },
    'dry-run': { help: 'Request everything and show what would be imported, but write nothing' },
  },
  examples: [
    [
      'Import new lifelogs, with the key from the environment',
      'memory-gateway pull limitless --account mira',
    ],
    [
      'Follow another gateway',
      'memory-gateway pull gateway --account mira --url https://memories.example --credential-file key.txt',
    ],
    [
      'Import everything since a day, whatever was imported before',
      'memory-gateway pull limitless --account mira --since 2026-11-01',
    ],
    [
      'Request everything again, and see what was deleted at the product',
      'memory-gateway pull limitless --account mira --mirror',
    ],
  ],
  table: async () => {
    const { sources } = await import('../../sources/sources.ts');
    const rows = sources.map(({ name, product, credential }) => {
      const variable = credential === undefined ? '' : `, credential in ${credential.variable}`;
      return [name, `${product}${variable}`] as const;
    });
    return { title: 'Sources', rows };
  },
  run: async (args, context) => {
    const { runPullCommand } = await import('./pulling.ts');
    return runPullCommand(args, context);
  },
};
