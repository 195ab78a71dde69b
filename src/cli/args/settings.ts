// The settings of a command beside its flags: environment variables, and files that are read again on demand.

import type { Environment } from '../context.ts';
import type { Option } from './options/option.ts';
import { options } from './options/options.ts';
import { fileOptions } from './options/serve-options.ts';
import { readConfigFile, readEnvFile, refuseMisspelt, type Texts } from './settings-file.ts';

/** A setting, and where it comes from. */
export interface Setting {
  readonly text: string;
  /** A variable, or a file: `PORT`, `PORT in .env`, `gateway.conf`. */
  readonly source: string;
}

/** Settings from the environment and from files. */
export interface Settings {
  /** Returns the files, if any were named. */
  files(): readonly string[];
  /** Finds the setting of an option: its environment variables come before the configuration file. */
  find(name: string, variables: readonly string[]): Setting | undefined;
  /**
   * Reads the files, for the first time or again. Variables of the file become variables of this process,
   * unless the environment has them, because drivers read theirs from there. Throws `UsageError`, also for a
   * misspelt variable of the environment, and `Refusal`, and then nothing has changed.
   */
  load(): void;
}

/** The files to read. The environment may name the configuration file. */
export interface SettingsFiles {
  readonly config: string | undefined;
  readonly envFile: string | undefined;
}

const CONFIG = 'MEMORY_GATEWAY_CONFIG';
const NONE: Texts = new Map();

/** Creates the settings of a command. They have nothing of the files until `load()`. */
export function createCommandSettings(
  { config, envFile }: SettingsFiles,
  env: Environment,
): Settings {
  let variables = NONE;
  let configured = NONE;
  let files: string[] = [];
  const load = (): void => {
    refuseMisspelt(Object.keys(env), variableNames());
    const read = envFile === undefined ? NONE : readEnvFile(envFile, variableNames());
    const own = [...read].filter(([name]) => variables.has(name) || !env[name]);
    const fromFile = new Map(own);
    const path = config ?? fromFile.get(CONFIG) ?? env[CONFIG];
    configured = path ? readConfigFile(path, settable()) : NONE;
    files = [envFile, path].flatMap((file) => file || []);
    for (const name of variables.keys()) delete env[name];
    for (const [name, text] of fromFile) env[name] = text;
    variables = fromFile;
  };
  return {
    files: () => files,
    find(name, names) {
      const variable = names.find((each) => Boolean(env[each]));
      if (variable !== undefined) {
        const source = variables.has(variable) ? `${variable} in ${envFile}` : variable;
        return { text: env[variable] ?? '', source };
      }
      const text = names.length === 0 ? undefined : configured.get(name);
      return text ? { text, source: files.at(-1) ?? '' } : undefined;
    },
    load,
  };
}

/** Variables of ours that no option has. Only those that are nearly the name of another one matter here. */
const OTHERS = ['MEMORY_GATEWAY_EMBEDDINGS_KEY'];

/** The environment variables of all options. */
function variableNames(): string[] {
  const all: Option[] = Object.values(options);
  return [...OTHERS, ...all.flatMap(({ env = [] }) => env)];
}

/** The options that a configuration file may have: those that the environment may have, too. */
function settable(): string[] {
  const all: [string, Option][] = Object.entries(options);
  return all.flatMap(([name, { env }]) => (env === undefined || name in fileOptions ? [] : [name]));
}
