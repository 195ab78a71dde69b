// The files of this machine in which clients keep their configuration.

import { homedir } from 'node:os';
import { join } from 'node:path';

import type { ClientName } from '../../agents/clients/configuration.ts';
import type { Environment } from '../context.ts';

/** The configuration of a client. */
export interface ClientFile {
  readonly path: string;
  readonly syntax: 'json' | 'toml';
}

/** Where a client's configuration is in the folders of a person. */
interface Folders {
  readonly home: string;
  /** Where programs with windows keep what belongs to them, such as `~/.config`. */
  readonly programs: string;
  readonly env: Environment;
}

const FILES: Partial<Record<ClientName, (folders: Folders) => ClientFile>> = {
  'claude-desktop': ({ programs }) => json(programs, 'Claude', 'claude_desktop_config.json'),
  cursor: ({ home }) => json(home, '.cursor', 'mcp.json'),
  vscode: ({ programs }) => json(programs, 'Code', 'User', 'mcp.json'),
  codex: ({ home, env }) => ({
    path: join(env['CODEX_HOME'] || join(home, '.codex'), 'config.toml'),
    syntax: 'toml',
  }),
  'gemini-cli': ({ home }) => json(home, '.gemini', 'settings.json'),
  opencode: ({ home, env }) =>
    json(env['XDG_CONFIG_HOME'] || join(home, '.config'), 'opencode', 'opencode.json'),
};

/** The clients whose configuration can be written. */
export const installable = Object.keys(FILES) as ClientName[];

/** Returns the file with the configuration of a client, or undefined if it is in none that we know. */
export function clientFile(client: ClientName, env: Environment): ClientFile | undefined {
  const home = env['HOME'] || env['USERPROFILE'] || homedir();
  return FILES[client]?.({ home, programs: programFolder(home, env), env });
}

function programFolder(home: string, env: Environment): string {
  if (process.platform === 'darwin') return join(home, 'Library', 'Application Support');
  if (process.platform === 'win32') return env['APPDATA'] || join(home, 'AppData', 'Roaming');
  return env['XDG_CONFIG_HOME'] || join(home, '.config');
}

function json(...parts: string[]): ClientFile {
  return { path: join(...parts), syntax: 'json' };
}
