// The environment of the commands that a server runs: for its jobs, and for owners in the app.

import { COMMAND_LINE } from '../../store/app/log.ts';
import { BY_ID } from '../args/args.ts';
import type { Context, Environment } from '../context.ts';

/**
 * Returns an environment for a command on the database of the server, whose address can have a password. The command
 * takes accounts by their ids alone.
 */
export function commandEnv(env: Environment, database: string): Environment {
  // The server has read the files with settings.
  const { MEMORY_GATEWAY_CONFIG: _, MEMORY_GATEWAY_ENV_FILE: __, ...own } = env;
  return { ...own, MEMORY_GATEWAY_DATABASE: database, [BY_ID]: 'on' };
}

/** Returns the variable that tells a command which browser of an owner makes its change. */
export function agentEnv(agent: string) {
  return { MEMORY_GATEWAY_AGENT: agent };
}

/** Returns who makes the change of a command: the browser of an owner if the app runs it. */
export function agentOf({ env }: Pick<Context, 'env'>): string {
  return env['MEMORY_GATEWAY_AGENT'] ?? COMMAND_LINE;
}
