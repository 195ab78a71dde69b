// Reads the options about the log.

import type { LogFormat, LogLevel } from '../output/logger.ts';
import type { Args } from './args.ts';
import { UsageError } from './parse.ts';
import { readWord } from './values.ts';

/** What is logged. It can change while the program runs. */
export interface LogSettings {
  readonly level: LogLevel;
  readonly accessLog: boolean;
}

/** Reads what is logged. Throws `UsageError`. */
export function readLogSettings(args: Args): LogSettings {
  const level = readWord('log-level', args.need('log-level'), ['info', 'warn', 'error']);
  const accessLog = logsAddress(args) || args.flag('access-log');
  if (accessLog && level !== 'info')
    throw new UsageError(`--access-log writes nothing with --log-level ${level}; use info.`);
  return { level, accessLog };
}

/** Returns whether the access log has the address of the client. */
export function logsAddress(args: Args): boolean {
  return args.text('access-log')?.toLowerCase() === 'address';
}

/** Reads the format of the log. The default depends on where the log goes. Throws `UsageError`. */
export function readLogFormat(args: Args): LogFormat | undefined {
  const format = args.text('log-format');
  return format === undefined ? undefined : readWord('log-format', format, ['json', 'text']);
}
