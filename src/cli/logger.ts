// The program's log: JSON lines, or a form for people where the output is a terminal.

import { pino, type Logger } from 'pino';

/** Makes a logger on stdout (1) or stderr (2), for what is of `level` or worse. */
export async function createLogger(fd: 1 | 2, level: 'info' | 'warn' = 'info'): Promise<Logger> {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const stream = fd === 1 ? process.stdout : process.stderr;
  if (!stream.isTTY) return pino(options, pino.destination({ fd, sync: true }));
  const { default: pretty } = await import('pino-pretty'); // 20 ms that only a terminal pays
  return pino(options, pretty({ destination: fd, sync: true, translateTime: 'HH:MM:ss' }));
}
