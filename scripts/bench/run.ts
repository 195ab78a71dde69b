// Measures the built program: runs it to its end and says what that cost, or serves and says where.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { parseStrictly } from '../../src/cli/args/parse.ts';
import { runToExit } from '../../src/cli/exit.ts';
import { print } from '../../src/cli/output/print.ts';
import { processContext } from '../../src/cli/process.ts';
import { Refusal } from '../../src/store/refusal.ts';

/** The built program. */
export const MAIN = fileURLToPath(new URL('../../dist/cli/main.cjs', import.meta.url));

/** What a run of the program cost. */
export interface Cost {
  readonly seconds: number;
  /** The most memory that it had, in MB. */
  readonly peak: number;
  readonly stdout: string;
}

/** What a measurement gets: a folder of its own, and its command line. */
export interface Setting {
  readonly folder: string;
  readonly positionals: readonly string[];
  /** How many memories are generated. Undefined: the measurement's own number. */
  readonly memories: number | undefined;
}

export const say = (line: string): void => print(processContext.stdout, line);

/** Runs a measurement of this process's command line, in a folder that it removes. Resolves with the exit code. */
export function measureIn(help: string, measure: (setting: Setting) => Promise<void>) {
  return runToExit('bench', processContext, async () => {
    const { values, positionals } = parseStrictly({
      options: { memories: { type: 'string' }, help: { type: 'boolean' } },
      allowPositionals: true,
    });
    if (values.help) {
      say(help.trimEnd());
      return 0;
    }
    if (!existsSync(MAIN)) throw new Refusal('The program is not built; run "npm run build".');
    const folder = mkdtempSync(join(tmpdir(), 'bench-'));
    try {
      const memories = values.memories === undefined ? undefined : Number(values.memories);
      await measure({ folder, positionals, memories });
    } finally {
      rmSync(folder, { recursive: true });
    }
    return 0;
  });
}

/** Serves a database on a free port, with more options. Resolves with the process and its address. */
export async function serve(...args: readonly string[]) {
  const all = [MAIN, 'serve', '--port', '0', '--cache', '0', ...args];
  const server = spawn(process.execPath, all);
  let said = '';
  for await (const part of server.stdout) {
    said += String(part);
    const [url] = /http:\/\/[\d.:]+/.exec(said) ?? [];
    if (url !== undefined && said.includes('"listening"')) return { server, url };
  }
  throw new Refusal(`The server has ended: ${said}`);
}

/** Runs the program to its end. Rejects with `Refusal` if it fails. */
export async function run(...args: readonly string[]): Promise<Cost> {
  const start = performance.now();
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { out: '', err: '' };
  child.stdout.on('data', (part: Buffer) => (said.out += part.toString()));
  child.stderr.on('data', (part: Buffer) => (said.err += part.toString()));
  let peak = 0;
  const closed = once(child, 'close');
  while (child.exitCode === null && child.signalCode === null) {
    peak = Math.max(peak, peakOf(child.pid));
    await Promise.race([closed, sleep(20)]);
  }
  await closed;
  const seconds = (performance.now() - start) / 1000;
  if (child.exitCode === 0) return { seconds, peak, stdout: said.out };
  throw new Refusal(`"${args.join(' ')}" ended with ${child.exitCode}: ${said.err.trim()}`);
}

/** Returns the most memory that a process has had, in MB. Only Linux tells. */
export function peakOf(pid: number | undefined): number {
  try {
    const [, kib] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return (Number(kib ?? 0) * 1024) / 1e6;
  } catch {
    return 0; // it has just ended
  }
}
