// embed: makes the vectors with which serve searches by meaning, or removes them.

import { embeddingsOptionNames } from '../args/embeddings.ts';
import type { Command } from '../command.ts';

/** Makes vectors. Its code is loaded only when it runs. */
export const embedCommand: Command = {
  summary: 'Make the vectors for search by meaning, or remove them',
  about:
    'Sends the texts of memories that have no vectors yet to your endpoint, and stores what comes back. Run it again after a stop, it continues. A memory that changes loses its vectors, and the next run makes them again. The endpoint gets names, summaries and transcripts, so it must be on this machine unless you allow its host. If it wants a key, put that into MEMORY_GATEWAY_EMBEDDINGS_KEY.',
  options: ['database', 'account', ...embeddingsOptionNames, 'off', 'json'],
  overrides: {
    account: { unset: 'all accounts' },
    embeddings: {
      unset: 'none',
      help: 'OpenAI-compatible endpoint, such as http://127.0.0.1:11434/v1',
    },
  },
  examples: [
    [
      'Make all vectors that are missing, with Ollama',
      'memory-gateway embed --embeddings http://127.0.0.1:11434/v1 --embeddings-model nomic-embed-text',
    ],
    ['Remove the vectors of an account', 'memory-gateway embed --off --account mira'],
  ],
  run: async (args, context) => {
    const { runEmbedCommand } = await import('./embedding.ts');
    return runEmbedCommand(args, context);
  },
};
