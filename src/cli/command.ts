// The type of a command: its help, its options, and how it runs.

import type { Args, OptionOverrides } from './args/args.ts';
import type { OptionName } from './args/options/options.ts';
import type { Context } from './context.ts';

/** A command of the program. */
export interface Command {
  /** An instruction of at most 60 characters: `Create an account`. */
  readonly summary: string;
  /** Sentences for help, under the summary. */
  readonly about?: string;
  /** The positional arguments, such as `NAME`. */
  readonly takes?: string;
  readonly options: readonly OptionName[];
  /** The options that the command cannot do without. */
  readonly required?: readonly OptionName[];
  /** Differences of an option in this command. */
  readonly overrides?: OptionOverrides;
  readonly examples: readonly Example[];
  /** A table at the end of help, which only help loads. */
  readonly table?: () => Promise<HelpTable>;
  readonly run: (args: Args, context: Context) => CommandResult | Promise<CommandResult>;
}

/** A group of commands, such as `keys`. */
export interface CommandGroup {
  /** An instruction of at most 60 characters. */
  readonly summary: string;
  readonly about?: string;
}

/** An example: its purpose, and the command line. */
export type Example = readonly [purpose: string, commandLine: string];

/** A table of help. */
export interface HelpTable {
  readonly title: string;
  readonly rows: readonly (readonly [name: string, meaning: string])[];
}

/** The output of a command, and its exit code. */
export interface CommandResult {
  /** For standard output. */
  readonly text?: string;
  /** For standard output with --json. */
  readonly json?: unknown;
  /** For standard error: more for a person. Not printed with --json. */
  readonly note?: string;
  /** For standard error, also with --json: that the result is not all there is. */
  readonly more?: string;
  /** What runs on once the result is printed, such as a server. The program ends with it. */
  readonly running?: Promise<void>;
  /** The exit code; 0 by default. */
  readonly exit?: number;
}
