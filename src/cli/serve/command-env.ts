// The environment of the commands that a server runs: for its jobs, and for imports in the app.

import type { Environment } from '../context.ts';

/** Returns an environment for a command on the database of the server, whose address can have a password. */
export function commandEnv(env: Environment, database: string): Environment {
  // The server has read the files with settings.
  const { MEMORY_GATEWAY_CONFIG: _, MEMORY_GATEWAY_ENV_FILE: __, ...own } = env;
  return { ...own, MEMORY_GATEWAY_DATABASE: database };
}
