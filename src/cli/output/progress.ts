// Shows the progress of long work: a bar on a terminal, nothing in a pipe.

import type { SingleBar } from 'cli-progress';

import type { Stage } from '../../store/progress.ts';
import type { Context, OutputStream } from '../context.ts';
import { onSignal } from '../signals.ts';
import { createEstimate } from './estimate.ts';
import { printError } from './print.ts';

/** Reports how far the work has come. */
export interface Progress {
  /** Sets the progress, in the unit of the total, and an optional text. */
  to(value: number, text?: string): void;
  /** Prints a line on standard error, above the bar. */
  say(line: string): void;
}

/** The unit and the total of the progress. */
export interface ProgressTotal {
  /** 0 if it is unknown. */
  readonly total: number;
  /** The plural noun, or a function that formats a value. */
  readonly unit: string | ((value: number) => string);
  /** Says what is done, if a signal ends the work. */
  readonly stopped?: () => string;
  /** Whether the work ends by itself after a signal. Default: false. */
  readonly isStoppable?: boolean;
}

/** Runs work with a progress bar, if standard error is a terminal. The bar is removed at the end, also after an error or a signal. */
export async function withProgress<T>(
  context: Context,
  counted: ProgressTotal,
  work: (progress: Progress) => T | Promise<T>,
): Promise<T> {
  const { stderr, env } = context;
  const tell =
    env['MEMORY_GATEWAY_PROGRESS'] === 'json' ? createTeller(stderr, counted) : undefined;
  const bar = stderr.isTTY ? await drawBar(stderr, counted) : undefined;
  const end = (signal: NodeJS.Signals): void => {
    bar?.stop();
    const said = counted.stopped?.();
    if (said !== undefined) printError(stderr, said);
    forget();
    context.end(signal);
  };
  const forget = counted.isStoppable === true ? () => {} : onSignal(context, end);
  const estimate = createEstimate(counted.total, performance.now());
  try {
    return await work({
      to(value, text = '') {
        tell?.(value);
        if (bar === undefined) return;
        const left = counted.total === 0 ? undefined : estimate(value, performance.now());
        const time = left === undefined ? '' : ` | ${formatSeconds(left)} left`;
        bar.update(value, { text: (text && ` | ${text}`) + time });
      },
      // The bar is redrawn below the line.
      say: (line) => printError(stderr, bar === undefined ? line : `\r\u001B[K${line}`),
    });
  } finally {
    bar?.stop();
    forget();
  }
}

/** How often progress is told to another program. */
const TELL_EVERY_MS = 250;

/** Creates what tells the program that has started this one how far the work is, as `{"progress":0.5}`. */
function createTeller(stderr: OutputStream, { total }: ProgressTotal): (value: number) => void {
  let told = 0;
  return (value) => {
    const now = performance.now();
    if (total === 0 || now - told < TELL_EVERY_MS) return;
    told = now;
    printError(stderr, `{"progress":${Math.min(1, value / total).toFixed(3)}}`);
  };
}

/** Creates what shows a bar for each stage of the store's long work. */
export function showStages(context: Context): Stage {
  return (stage, work) =>
    withProgress(context, stage, (progress) => work((done) => progress.to(done)));
}

/** Formats a number of bytes: `1.2 GB`. */
export function formatBytes(bytes: number): string {
  const [size, unit] =
    bytes < 1e6 ? [bytes / 1e3, 'kB'] : bytes < 1e9 ? [bytes / 1e6, 'MB'] : [bytes / 1e9, 'GB'];
  return `${size.toFixed(size < 10 ? 1 : 0)} ${unit}`;
}

async function drawBar(stderr: OutputStream, { total, unit }: ProgressTotal): Promise<SingleBar> {
  const progress = await import('cli-progress');
  const isName = typeof unit === 'string';
  const show = isName ? String : unit;
  const name = isName ? ` ${unit}` : '';
  const bar = new progress.SingleBar({
    format: (_, { value, progress: part }, { text }: { text: string }) => {
      if (total === 0) return `${show(value)}${name}${text}`;
      const filled = Math.round(part * 30);
      const done = `${'█'.repeat(filled)}${'░'.repeat(30 - filled)} ${Math.floor(part * 100)} %`;
      return `${done} | ${show(value)} of ${show(total)}${name}${text}`;
    },
    stream: stderr.stream,
    clearOnComplete: true,
    forceRedraw: true,
    gracefulExit: false, // true would keep the program running after a signal
    linewrap: true, // false would stay in force in the terminal if the program is killed
  });
  bar.start(total, 0, { text: '' });
  return bar;
}

function formatSeconds(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
