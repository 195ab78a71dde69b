// Preloaded into every measured server: reports over the IPC channel what the process has used so far.

import { readFileSync } from 'node:fs';

const KIB = 1024;

process.on('message', (ask) => {
  if (ask !== 'meter') return;
  const { user, system } = process.cpuUsage();
  const residentBytes = process.memoryUsage.rss();
  process.send?.({ cpuUs: user + system, residentBytes, peakBytes: readPeak() });
});

// The IPC channel must not keep a server alive, and a server must end with its parent.
process.channel?.unref();
process.once('disconnect', () => process.exit());

/**
 * The peak resident memory. It is not from getrusage, because on Linux a process starts there with
 * the value of its parent.
 */
function readPeak() {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS * KIB;
  const [, kib] = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return Number(kib) * KIB;
}
