// File check: warns when the process has no file descriptor left, which Node tells nobody.

import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';

import type { Logger } from 'pino';

/** The time between two warnings. */
const QUIET_MS = 60_000;

const NO_FILES =
  'No more files can be opened, so new connections are closed. Raise the limit of open files (LimitNOFILE, ulimit -n), or lower --max-connections.';

/**
 * Starts to check once a second, and warns at most once a minute. Returns the function that ends it. If no
 * descriptor is left, libuv accepts and closes connections, and neither it nor Node reports an error. So the
 * check opens a file, which takes 10 µs.
 */
export function startFileCheck(logger: Pick<Logger, 'warn'>): () => void {
  let warnedAt = -Infinity;
  const check = () => {
    try {
      closeSync(openSync(devNull, 'r'));
    } catch (error) {
      if (!isOutOfFiles(error) || performance.now() - warnedAt < QUIET_MS) return;
      warnedAt = performance.now();
      logger.warn({ code: error.code }, NO_FILES);
    }
  };
  const checks = setInterval(check, 1000).unref();
  return () => clearInterval(checks);
}

function isOutOfFiles(error: unknown): error is NodeJS.ErrnoException {
  return (
    error instanceof Error && 'code' in error && ['EMFILE', 'ENFILE'].includes(String(error.code))
  );
}
