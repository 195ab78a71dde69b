// How busy the machine is with other programs while something is measured.

import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';

/** Returns the load from the start of watching until now, as a clause. */
export type MachineLoad = () => string;

/** Starts to watch the machine. */
export function watchMachine(): MachineLoad {
  const [before = 0] = loadavg();
  const start = readTicks();
  return () => {
    const average = `load average ${before.toFixed(1)} before`;
    const end = readTicks();
    if (start === undefined || end === undefined) return average;
    const others = end.busy - start.busy - (end.own - start.own);
    // The counters of the system are approximate, so the difference can be less than 0.
    const share = Math.max(0, others) / Math.max(1, end.all - start.all);
    const cores = (share * availableParallelism()).toFixed(2);
    return `${average}, other programs took ${cores} of ${availableParallelism()} cores`;
  };
}

interface Ticks {
  readonly all: number;
  readonly busy: number;
  /** This process and its children that have ended. */
  readonly own: number;
}

/** Returns the clock ticks since the start of the machine. Undefined if the system is not Linux. */
function readTicks(): Ticks | undefined {
  if (process.platform !== 'linux') return undefined;
  const [, ...counts] = readFileSync('/proc/stat', 'utf8').split('\n')[0]?.split(/\s+/) ?? [];
  // User, nice, system, idle, iowait, irq, softirq, steal. Guests are part of user.
  const ticks = counts.slice(0, 8).map(Number);
  const all = ticks.reduce((sum, each) => sum + each, 0);
  const idle = (ticks[3] ?? 0) + (ticks[4] ?? 0);
  // The name of the program is in parentheses and may have spaces. Fields 14 to 17 are the times.
  const [, fields = ''] = /\) (.*)/.exec(readFileSync('/proc/self/stat', 'utf8')) ?? [];
  const own = fields.split(' ').slice(11, 15);
  return { all, busy: all - idle, own: own.reduce((sum, each) => sum + Number(each), 0) };
}
