// Creates the program's log: JSON lines, or a readable form on a terminal.

import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { pino, type Logger, type LoggerOptions } from 'pino';

import type { OutputStream } from '../context.ts';

/** The log of the program. */
export interface ProgramLog {
  readonly logger: Logger;
  /** Writes buffered lines, for one second at most, and closes the log. */
  end(): Promise<void>;
}

/** The least bad level that is logged. */
export type LogLevel = 'info' | 'warn' | 'error';

/** The format of the log. */
export type LogFormat = 'json' | 'text';

/** What to log, and how. */
export interface LoggerChoices {
  /** Default: info. */
  readonly level?: LogLevel | undefined;
  /** Default: text on a terminal, otherwise JSON lines. */
  readonly format?: LogFormat | undefined;
}

type Destination = ReturnType<typeof pino.destination>;

/** If more than this waits for a slow reader, lines are dropped and counted. */
const MAX_BUFFERED_BYTES = 1024 * 1024;
const CLOSE_MS = 1000;

const OPTIONS = {
  timestamp: pino.stdTimeFunctions.isoTime,
  formatters: { level: (label: string) => ({ level: label }) },
  serializers: { err: serializeError },
};

/** Serialises an error. pino joins the messages of its causes with ": ", which reads badly after a full stop. */
function serializeError(error: Error): unknown {
  const serialized = pino.stdSerializers.err(error);
  if (typeof serialized.message !== 'string') return serialized;
  return { ...serialized, message: serialized.message.replaceAll('.: ', ': ') };
}

/** Creates a log on standard output or standard error. */
export async function createLogger(
  output: OutputStream,
  { level = 'info', format }: LoggerChoices = {},
): Promise<ProgramLog> {
  const options = { ...OPTIONS, level, base: null };
  if (format === undefined ? output.isTTY : format === 'text') return createPretty(output, options);
  if (output.fd === undefined) return { logger: pino(options, output.stream), end: async () => {} };
  return createLines(output.fd, options);
}

async function createPretty(output: OutputStream, options: LoggerOptions): Promise<ProgramLog> {
  const { default: pretty } = await import('pino-pretty'); // loading it takes 20 ms
  const stream = pretty({
    destination: output.fd ?? output.stream,
    sync: true,
    translateTime: 'HH:MM:ss',
  });
  return { logger: pino(options, stream), end: async () => {} };
}

/** Creates a log that never waits for its reader: a stuck reader or a full disk must not stop the service. */
function createLines(fd: number, options: LoggerOptions): ProgramLog {
  const destination = pino.destination({ fd, sync: false, maxLength: MAX_BUFFERED_BYTES });
  const logger = pino(options, destination);
  let dropped = 0;
  destination.on('drop', () => dropped++);
  destination.on('drain', () => {
    if (dropped > 0)
      logger.warn({ dropped }, 'log lines dropped: the reader of the log was too slow');
    dropped = 0;
  });
  destination.once('error', (error: NodeJS.ErrnoException) => disable(destination, error));
  destination.on('error', doNothing);
  const end = async (): Promise<void> => {
    const closed = once(destination, 'close');
    destination.end();
    await Promise.race([closed, sleep(CLOSE_MS)]);
    silence(destination);
  };
  return { logger, end };
}

function doNothing(): void {}

function disable(destination: Destination, { code }: NodeJS.ErrnoException): void {
  destination.emit('close');
  silence(destination);
  try {
    writeSync(
      2,
      `memory-gateway: the log cannot be written (${code}); the program goes on without a log.\n`,
    );
  } catch {
    // Standard error is gone as well.
  }
}

/** Closes a destination for good. Later writes are ignored; they would throw otherwise. */
function silence(destination: Destination): void {
  destination.destroy();
  const end = (): void => void destination.emit('close');
  Object.assign(destination, { write: () => true, flushSync: doNothing, destroy: doNothing, end });
}
