// The program's log: JSON lines, or a form for people where the output is a terminal.

import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isatty } from 'node:tty';

import { pino, type Logger, type LoggerOptions } from 'pino';

/** A log, and how to end it. */
export interface ProgramLog {
  readonly logger: Logger;
  /** Takes a line that another process has logged, as it is, with its line feed. */
  readonly take: (line: string) => void;
  /** Writes what is left, for a second at most. */
  end(): Promise<void>;
}

type Level = 'info' | 'warn';
type Destination = ReturnType<typeof pino.destination>;

/** How much may wait for a reader that does not read: then lines are dropped, and counted. */
const MAX_WAITING = 1024 * 1024;
const END_MS = 1000;

const OPTIONS = {
  timestamp: pino.stdTimeFunctions.isoTime,
  formatters: { level: (label: string) => ({ level: label }) },
};

/** What every line has. */
type Base = Readonly<Record<string, unknown>> | null;

/** Makes a logger on stdout (1) or stderr (2), for what is of `level` or worse; `base` is in every line. */
export async function createLogger(
  fd: 1 | 2,
  level: Level = 'info',
  base: Base = null,
): Promise<ProgramLog> {
  const options = { ...OPTIONS, level, base };
  return isatty(fd) ? createPretty(fd, options) : createLines(fd, options);
}

async function createPretty(fd: 1 | 2, options: LoggerOptions): Promise<ProgramLog> {
  const { default: pretty } = await import('pino-pretty'); // 20 ms that only a terminal pays
  const stream = pretty({ destination: fd, sync: true, translateTime: 'HH:MM:ss' });
  const take = (line: string): void => void stream.write(line);
  return { logger: pino(options, stream), take, end: async () => {} };
}

/** Never waits for its reader: a log that nobody reads, or a full disk, must not stop the service. */
function createLines(fd: 1 | 2, options: LoggerOptions): ProgramLog {
  const destination = pino.destination({ fd, sync: false, maxLength: MAX_WAITING });
  const logger = pino(options, destination);
  let dropped = 0;
  destination.on('drop', () => dropped++);
  destination.on('drain', () => {
    if (dropped > 0) logger.warn({ dropped }, 'log lines dropped: nobody read them');
    dropped = 0;
  });
  destination.once('error', (error: NodeJS.ErrnoException) => giveUp(destination, error));
  destination.on('error', doNothing);
  const end = async (): Promise<void> => {
    const closed = once(destination, 'close');
    destination.end();
    await Promise.race([closed, sleep(END_MS)]);
    silence(destination);
  };
  const take = (line: string): void => void destination.write(line);
  return { logger, take, end };
}

function doNothing(): void {}

function giveUp(destination: Destination, { code }: NodeJS.ErrnoException): void {
  destination.emit('close');
  silence(destination);
  try {
    writeSync(2, `memory-gateway: the log cannot be written (${code}); going on without it.\n`);
  } catch {
    // There is nobody left to tell.
  }
}

/** Ends a destination for good: what is still written to it goes nowhere, where it would throw. */
function silence(destination: Destination): void {
  destination.destroy();
  const end = (): void => void destination.emit('close');
  Object.assign(destination, { write: () => true, flushSync: doNothing, destroy: doNothing, end });
}
