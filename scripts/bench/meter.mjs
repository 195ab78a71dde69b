// Preloaded into every server that is measured: answers over the IPC channel what the process has used so far.

import { readFileSync } from 'node:fs';

const KIB = 1024;

process.on('message', (ask) => {
  if (ask !== 'meter') return;
  const { user, system } = process.cpuUsage();
  const residentBytes = process.memoryUsage.rss();
  process.send?.({ cpuUs: user + system, residentBytes, peakBytes: readPeak() });
});

// A server must neither be kept alive by being measured, nor outlive who measures it.
process.channel?.unref();
process.once('disconnect', () => process.exit());

/** The most that was resident. To Linux's getrusage a process begins with what its parent had: so not from there. */
function readPeak() {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS * KIB;
  const [, kib] = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return Number(kib) * KIB;
}
