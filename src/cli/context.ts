// The context of the program: the streams, the environment and the signals of the process that it runs in.

import type { EventEmitter } from 'node:events';
import type { Readable, Writable } from 'node:stream';

/** Standard input. */
export interface InputStream {
  readonly isTTY: boolean;
  readonly stream: Readable & { setRawMode?(isRaw: boolean): unknown };
}

/** Standard output or standard error. */
export interface OutputStream {
  readonly isTTY: boolean;
  /** The file descriptor, which reports errors that a stream hides. Undefined if the output is only a stream. */
  readonly fd?: number;
  readonly stream: Writable;
}

/** The variables of the environment. The program sets those of `--env-file`, because drivers read theirs from there. */
export type Environment = Record<string, string | undefined>;

/** What the program gets from the process that it runs in. */
export interface Context {
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Environment;
  /** The words that start this program from any folder: the executable, or Node and the first file. */
  readonly program: readonly string[];
  /** Emits signals by their names. */
  readonly signals: Pick<EventEmitter, 'on' | 'off'>;
  /** Ends the process at once, with an exit code or by a signal. */
  readonly end: (how: number | NodeJS.Signals) => void;
}
