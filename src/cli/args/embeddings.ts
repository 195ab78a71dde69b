// Reads the options of search by meaning. The key comes from the environment alone, and is never printed.

import { readTarget, type EmbeddingsOptions } from '../../embeddings/target.ts';
import { Refusal } from '../../store/refusal.ts';
import type { Environment } from '../context.ts';
import type { Args } from './args.ts';
import type { OptionName } from './options/options.ts';
import { UsageError } from './parse.ts';

/** The environment variable with the key of the endpoint. */
const KEY = 'MEMORY_GATEWAY_EMBEDDINGS_KEY';

/** The names of these options. */
export const embeddingsOptionNames = [
  'embeddings',
  'embeddings-model',
  'embeddings-allow-host',
] as const satisfies readonly OptionName[];

/** Reads the endpoint. Returns undefined if there is none, or it is `off`. Throws `UsageError`. */
export function readEmbeddings(args: Args, env: Environment): EmbeddingsOptions | undefined {
  const url = args.text('embeddings');
  if (url === undefined || url === '' || url.toLowerCase() === 'off') return undefined;
  const model = args.text('embeddings-model') ?? '';
  if (model === '')
    throw new UsageError('--embeddings needs --embeddings-model NAME, such as nomic-embed-text.');
  const hosts = (args.text('embeddings-allow-host') ?? '').split(',').map((host) => host.trim());
  const options = { url, model, allowHosts: hosts.filter(Boolean), key: env[KEY] || undefined };
  try {
    readTarget(options);
  } catch (error) {
    throw error instanceof Refusal ? new UsageError(error.message) : error;
  }
  return options;
}

/** Returns an environment in which commands make vectors with an endpoint, or none without one. */
export function withEmbeddings(
  env: Environment,
  embeddings: EmbeddingsOptions | undefined,
): Environment {
  return {
    ...env,
    MEMORY_GATEWAY_EMBEDDINGS: embeddings?.url ?? 'off',
    MEMORY_GATEWAY_EMBEDDINGS_MODEL: embeddings?.model,
    MEMORY_GATEWAY_EMBEDDINGS_ALLOW_HOST: embeddings?.allowHosts?.join(','),
  };
}
