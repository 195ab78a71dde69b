// Boots systemd in namespaces on a copy of this system, so that units run as they are shipped.

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { ROOT } from '../world/program.ts';

/** A booted system that runs until it is stopped. */
export interface Booted {
  /** Runs lines of bash in the system, in its /srv. Resolves with their output. */
  readonly run: (lines: string) => { status: number | null; said: string };
  readonly end: () => void;
}

const NAMESPACES = ['cgroup', 'mount', 'pid', 'net', 'uts', 'ipc'].map((name) => `--${name}`);
const CGROUPS = ['/sys/fs/cgroup/unified', '/sys/fs/cgroup'].find((path) =>
  existsSync(join(path, 'cgroup.procs')),
);

/** Boots systemd with a folder as its /srv. Returns the reason if it cannot. */
export async function boot(shared: string): Promise<Booted | string> {
  if (process.getuid?.() !== 0) return 'needs root';
  if (CGROUPS === undefined) return 'there is no cgroup version 2';
  const folder = mkdtempSync(join(tmpdir(), 'memory-gateway-systemd-'));
  const cgroup = join(CGROUPS, `memory-gateway-${process.pid}`);
  const words = [
    ...NAMESPACES,
    '--fork',
    '--kill-child',
    'bash',
    `${ROOT}test/support/processes/systemd.sh`,
  ];
  try {
    mkdirSync(join(cgroup, 'inner'), { recursive: true });
  } catch (error) {
    return `cannot make a cgroup: ${String(error)}`;
  }
  const enter = `echo $$ >${cgroup}/inner/cgroup.procs && exec unshare "$@"`;
  const child = spawn('sh', ['-c', enter, 'sh', ...words, folder, shared]);
  let reason = '';
  child.stderr.on('data', (part: Buffer) => (reason += part.toString()));
  const run = (lines: string) => enterAndRun(Number(child.pid), lines);
  const end = () => {
    child.kill('SIGKILL');
    spawnSync('sh', ['-c', `sleep 0.2; find ${cgroup} -depth -type d -exec rmdir {} +`]);
    rmSync(folder, { recursive: true, force: true });
  };
  for (let i = 0; i < 100 && child.exitCode === null; i++) {
    if (run('systemctl is-system-running').said === 'running\n') return { run, end };
    await sleep(100);
  }
  end();
  return `systemd does not boot here: ${reason.trim().split('\n').at(-1)}`;
}

function enterAndRun(parent: number, lines: string): { status: number | null; said: string } {
  const first = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim();
  const inside = ['-t', first, '-m', '-p', '-n', '-u', '-i', '-C', '-r', '-w'];
  const { status, stdout, stderr } = spawnSync('nsenter', [...inside, 'bash', '-e'], {
    input: `cd /srv\n${lines}`,
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { status, said: stdout + stderr };
}
