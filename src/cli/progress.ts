// Progress of long work: a bar on a terminal, nothing in a pipe.

import type { SingleBar } from 'cli-progress';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** How far a piece of work is. */
export interface Progress {
  /** Says how far it is, in the unit of its total, and what more there is to say. */
  to(value: number, words?: string): void;
  /** Prints a line on standard error that stays, above the bar. */
  say(line: string): void;
}

/** What is counted: `total` is 0 where nobody knows. */
export interface Counted {
  readonly total: number;
  /** The name of what is counted, or how it is shown. */
  readonly unit: string | ((value: number) => string);
}

/** Works with a bar on standard error, if that is a terminal; it is gone when the work has ended, however it ends. */
export async function withProgress<T>(
  counted: Counted,
  work: (progress: Progress) => T | Promise<T>,
): Promise<T> {
  if (!process.stderr.isTTY) return work({ to: () => {}, say: (line) => sayLine(line) });
  const bar = await drawBar(counted);
  // Who ends it finds the terminal as it was.
  const end = (signal: NodeJS.Signals): void => {
    bar.stop();
    process.kill(process.pid, signal);
  };
  for (const signal of SIGNALS) process.once(signal, end);
  try {
    return await work({
      to: (value, words = '') => bar.update(value, { words: words && ` | ${words}` }),
      // The bar is drawn anew below the line.
      say: (line) => sayLine(`\r\u001B[K${line}`),
    });
  } finally {
    bar.stop();
    for (const signal of SIGNALS) process.off(signal, end);
  }
}

/** Bytes as people say them: `1.2 GB`. */
export function showBytes(bytes: number): string {
  const [size, unit] =
    bytes < 1e6 ? [bytes / 1e3, 'kB'] : bytes < 1e9 ? [bytes / 1e6, 'MB'] : [bytes / 1e9, 'GB'];
  return `${size.toFixed(size < 10 ? 1 : 0)} ${unit}`;
}

async function drawBar({ total, unit }: Counted): Promise<SingleBar> {
  const progress = await import('cli-progress');
  const isName = typeof unit === 'string';
  const show = isName ? String : unit;
  const name = isName ? ` ${unit}` : '';
  const bar = new progress.SingleBar({
    format: (_, { value, progress: part, eta }, { words }: { words: string }) => {
      if (total === 0) return `${show(value)}${name}${words}`;
      const filled = Math.round(part * 30);
      const done = `${'█'.repeat(filled)}${'░'.repeat(30 - filled)} ${Math.floor(part * 100)} %`;
      const left = Number.isFinite(eta) ? ` | ${showSpan(eta)} left` : '';
      return `${done} | ${show(value)} of ${show(total)}${name}${words}${left}`;
    },
    stream: process.stderr,
    clearOnComplete: true,
    forceRedraw: true,
    gracefulExit: false, // would leave the program running
    linewrap: true, // or the terminal stays without, where the program is killed
  });
  bar.start(total, 0, { words: '' });
  return bar;
}

function showSpan(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

function sayLine(line: string): void {
  process.stderr.write(`${line}\n`);
}
