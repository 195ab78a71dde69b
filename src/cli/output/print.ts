// Prints results on standard output, completely or with an error.

import { fstatSync, statSync, writeSync, type Stats } from 'node:fs';

import { Refusal } from '../../store/refusal.ts';
import type { Context, OutputStream } from '../context.ts';

/** How long to wait for a slow reader before writing again. */
const RETRY_MS = 5;

/** Writes a line to standard output, all of it. Throws `Refusal` if it is closed or full. */
export function print(output: OutputStream, line: string): void {
  const { fd } = output;
  if (fd === undefined) return void output.stream.write(`${line}\n`);
  let left: Uint8Array = Buffer.from(`${line}\n`);
  while (left.length > 0) {
    try {
      left = left.subarray(writeSync(fd, left));
    } catch (error) {
      // Node makes pipes non-blocking, so a slow reader is an error that goes away.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw toStdoutRefusal(error);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    }
  }
}

/** Prints the result of a command. If that fails, it stops the server that `running` waits for: nobody has its link. */
export async function printResult(
  { stdout, end }: Context,
  text: string,
  running: Promise<void> | undefined,
): Promise<void> {
  try {
    print(stdout, text);
  } catch (error) {
    if (running !== undefined) end('SIGTERM');
    await running;
    throw error;
  }
}

/** Writes a line to standard error. It is lost if nobody can read it. */
export function printError({ stream }: OutputStream, line: string): void {
  stream.write(`${line}\n`);
}

/** The reader of standard output has left, as `head` does. */
export class BrokenPipe extends Refusal {}

/** Creates the error for a failed write to standard output. */
export function toStdoutRefusal(cause: unknown): Refusal {
  const { code } = cause as NodeJS.ErrnoException;
  const Kind = code === 'EPIPE' || code === 'ECONNRESET' ? BrokenPipe : Refusal;
  return new Kind(
    `Standard output could not be written (${code}); check that its reader still runs and its disk has space.`,
    { cause },
  );
}

/** Returns a warning if standard output is a file that other users can read, which is no place for a key. */
export function warnOfReaders(stdout: OutputStream): string | undefined {
  const out = statOf(stdout);
  const isPrivate = !out?.isFile() || process.platform === 'win32' || (out.mode & 0o044) === 0;
  return isPrivate
    ? undefined
    : 'Warning: other users can read the file that has the key now. Run chmod 600 on it, and umask 077 before you write the next one.';
}

/** Throws `Refusal` if standard output is closed, which Node opens on /dev/null, or discarded. */
export function requireStdoutReader(stdout: OutputStream): void {
  const out = statOf(stdout);
  const devNull = statSync('/dev/null', { throwIfNoEntry: false });
  if (devNull === undefined || !out?.isCharacterDevice() || out.rdev !== devNull.rdev) return;
  throw new Refusal(
    'Standard output goes nowhere, but a key is printed only once; send it to a terminal, a file or a program.',
  );
}

/** Returns what an output is for the operating system. Undefined if it is only a stream. */
export function statOf({ fd }: OutputStream): Stats | undefined {
  return fd === undefined ? undefined : fstatSync(fd);
}
