// Writes the configuration of a client that is installed on this machine, with a copy of what was there.

import { copyFileSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import {
  clientTitle,
  configurationOf,
  reachOf,
  type AgentConnection,
  type ClientName,
  type Configuration,
} from '../../agents/clients/configuration.ts';
import { createFileAsync } from '../../store/files/atomic-file.ts';
import { Refusal } from '../../store/refusal.ts';
import { UsageError } from '../args/parse.ts';
import type { CommandResult } from '../command.ts';
import type { Environment } from '../context.ts';
import { clientFile, installable } from './client-files.ts';
import { withServer } from './merge.ts';
import { tryServer } from './try-server.ts';

/**
 * Adds our server to the configuration of a client, after a call as the client makes it. Rejects with
 * `Refusal`, and writes nothing, if the client is not there or the call fails.
 */
export async function installClient(
  client: ClientName,
  connection: AgentConnection,
  env: Environment,
): Promise<CommandResult> {
  const title = clientTitle(client);
  const file = clientFile(client, env);
  if (file === undefined)
    throw new UsageError(
      `--install writes the configurations of ${installable.join(', ')}. For ${title}, use --print ${client}.`,
    );
  const path = realPath(file.path);
  if (path === undefined)
    throw new Refusal(
      `${title} is not on this machine: there is no folder ${dirname(file.path)}. Start ${title} once, or use --print ${client}.`,
    );
  const before = readIfThere(path);
  const { text, afterwards } = configurationOf(client, connection) as Configuration;
  const after = withServer(before ?? '', text, file.syntax);
  if (after === undefined)
    throw new Refusal(
      `${path} cannot be read as the configuration of ${title}, so it stays as it is. Use --print ${client}, and add the text by hand.`,
    );
  const tools = await tryServer(title, reachOf(client, connection));
  const copy = after === before ? undefined : await write(path, after, before !== undefined);
  const done = after === before ? `${path} already has it.` : `Written to ${path}.`;
  return {
    text: [
      `The server answers ${title} with ${tools} tools.`,
      done,
      ...(copy === undefined ? [] : [`What was there before is in ${copy}.`]),
      ...(after === before || afterwards === undefined ? [] : [afterwards]),
    ].join('\n'),
  };
}

/** Returns the path behind links, because people keep such files elsewhere. Undefined without its folder. */
function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory() ? path : undefined;
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Refusal(`${path} cannot be read: ${(error as Error).message}.`, { cause: error });
  }
}

/** Replaces a file at once, so that the client never reads half of it. Resolves with the path of the copy. */
async function write(path: string, text: string, isThere: boolean): Promise<string | undefined> {
  const copy = isThere
    ? `${path}.${new Date().toISOString().replaceAll(/[:.]/g, '-')}.bak`
    : undefined;
  try {
    if (copy !== undefined) copyFileSync(path, copy);
    // It can hold a key, and nobody else can read what this makes.
    await createFileAsync(path, { where: 'replace' }, async (part) => writeFileSync(part, text));
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(`${path} cannot be written: ${(error as Error).message}.`, { cause: error });
  }
  return copy;
}
