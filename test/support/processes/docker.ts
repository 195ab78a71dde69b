// Docker of its own for a test, in namespaces: its images, containers and networks are gone with it.

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { ROOT } from '../world/program.ts';

/** A Docker that runs until it is stopped. */
export interface Docker {
  /** The folder of this Docker. It is empty outside. */
  readonly folder: string;
  /** Runs lines of bash beside it, Returns their output, and that of errors. */
  readonly run: (lines: string) => { status: number | null; stdout: string; stderr: string };
  readonly end: () => void;
}

const NAMESPACES = ['mount', 'pid', 'net', 'uts', 'ipc'].map((name) => `--${name}`);
const FLAGS = ['--fork', '--kill-child', '--mount-proc'];
const SCRIPT = `${ROOT}test/support/processes/docker.sh`;

/** Starts Docker with an image debian:12-slim. Returns the reason if it cannot. */
export async function startDocker(): Promise<Docker | string> {
  if (process.getuid?.() !== 0) return 'needs root';
  const folder = mkdtempSync(join(tmpdir(), 'memory-gateway-docker-'));
  const child = spawn('unshare', [...NAMESPACES, ...FLAGS, 'bash', SCRIPT, folder]);
  let log = '';
  child.stdout.resume();
  child.stderr.on('data', (part: Buffer) => (log = (log + part.toString()).slice(-4000)));
  const end = () => {
    if (child.exitCode === null)
      run('docker ps --all --quiet | xargs --no-run-if-empty docker rm --force');
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  const run: Docker['run'] = (lines) =>
    enterAndRun(
      Number(child.pid),
      `export DOCKER_HOST=unix://${folder}/docker.sock DOCKER_BUILDKIT=0\n${lines}`,
    );
  for (let i = 0; i < 600 && child.exitCode === null; i++) {
    if (run('docker version').status === 0) {
      const { status, stderr } = run(`docker import ${folder}/base.tar debian:12-slim`);
      if (status === 0) return { folder, run, end };
      log = stderr;
      break;
    }
    await sleep(100);
  }
  end();
  return `Docker does not start here: ${log.trim().split('\n').at(-1)}`;
}

function enterAndRun(parent: number, lines: string): ReturnType<Docker['run']> {
  const children = `/proc/${parent}/task/${parent}/children`;
  const first = existsSync(children) ? readFileSync(children, 'utf8').trim() : '';
  if (first === '') return { status: 1, stdout: '', stderr: 'it does not run' };
  const inside = ['-t', first, '-m', '-p', '-n', '-u', '-i'];
  const { status, stdout, stderr } = spawnSync('nsenter', [...inside, 'bash', '-ec', lines], {
    encoding: 'utf8',
    timeout: 120_000,
    maxBuffer: 64e6,
  });
  return { status, stdout, stderr };
}
