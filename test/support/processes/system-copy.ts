// A copy of this system in a namespace of its own, which is gone with the command: what is written goes to memory.

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { newFolder } from '../world/artifacts.ts';

/** Commands by a name for each. */
export type Steps = Readonly<Record<string, string>>;

/** Mounts a copy of the system in $3 at "$1/root", with the folder $2 as /packages. */
const COPY = `
mount -t tmpfs none "$1"
mkdir "$1/upper" "$1/work" "$1/root"
mount -t overlay overlay -o "lowerdir=$3,upperdir=$1/upper,workdir=$1/work" "$1/root"
cd "$1/root"
mount -t proc none proc
mkdir packages
mount --bind "$2" packages
`;

const CHROOT = `${COPY}
mount --bind /dev dev
exec chroot . sh -e /packages/commands
`;

/** Starts systemd as the first process, with a unit that runs the commands and then ends everything. */
const BOOT = `${COPY}
for folder in run tmp dev; do mount -t tmpfs none $folder; done
for device in null zero full random urandom tty; do touch dev/$device; mount --bind /dev/$device dev/$device; done
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
mount -t sysfs -o ro none sys
if grep -q name=systemd: /proc/self/cgroup; then
  mount -t tmpfs none sys/fs/cgroup
  mkdir sys/fs/cgroup/systemd
  mount -t cgroup -o none,name=systemd none sys/fs/cgroup/systemd
else
  mount -t cgroup2 none sys/fs/cgroup
fi
rm -f usr/sbin/policy-rc.d etc/systemd/system/*.wants/*
printf '[Unit]\\nRequires=basic.target commands.service\\nAfter=basic.target\\n' > etc/systemd/system/commands.target
printf '[Unit]\\nAfter=basic.target\\n[Service]\\nType=oneshot\\nExecStart=/bin/sh -e /packages/commands\\nExecStopPost=/bin/systemctl --force --force poweroff\\n' > etc/systemd/system/commands.service
mkdir old
mount --make-rprivate /
pivot_root . old
umount --lazy /old
exec env -i container=lxc PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --unit=commands.target
`;

const ENV = {
  PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
  DEBIAN_FRONTEND: 'noninteractive',
  LC_ALL: 'C.UTF-8',
};

const isRoot = process.getuid?.() === 0;

/** The reason to skip tests in a copy of this system, or false. */
export const NO_COPY =
  !(isRoot && runIn(CHROOT, { try: 'true' }, newFolder()).isDone) &&
  'needs root, to mount a copy of this system';

/** Returns the reason to skip tests in a copy that is booted by systemd, or false. */
export function noBoot(): string | false {
  return (
    !(isRoot && runIn(BOOT, { try: 'systemctl is-active basic.target' }, newFolder()).isDone) &&
    'needs root, and to boot systemd in a namespace'
  );
}

/** Runs commands in a copy, with a folder as /packages. Returns the output of each by its name. Throws if one fails. */
export function runInCopy(folder: string, steps: Steps): Record<string, string> {
  return outputOf(steps, runIn(CHROOT, steps, folder));
}

/** Does the same in a copy that systemd has booted. With DEBIAN_ROOT it is a copy of the system in that folder. */
export function runBooted(folder: string, steps: Steps): Record<string, string> {
  return outputOf(steps, runIn(BOOT, steps, folder));
}

interface Ran {
  readonly isDone: boolean;
  readonly said: string;
}

function runIn(script: string, steps: Steps, folder: string): Ran {
  const lines = Object.entries(steps).map(([name, line]) => `echo "== ${name}"\n${line}`);
  const output = join(folder, 'output');
  const commands = [`exec > /packages/output 2>&1`, ...lines, 'echo "== end"'];
  writeFileSync(output, '');
  writeFileSync(join(folder, 'commands'), `${commands.join('\n')}\n`);
  const words = ['--mount', '--pid', '--fork', '--kill-child'];
  if (script === BOOT) words.push('--cgroup', '--uts', '--ipc', '--net');
  const root = script === BOOT ? (process.env['DEBIAN_ROOT'] ?? '/') : '/';
  const { stdout, stderr } = spawnSync(
    'unshare',
    [...words, 'sh', '-ec', script, 'sh', newFolder(), folder, root],
    { encoding: 'utf8', env: ENV, timeout: 120_000, killSignal: 'SIGKILL' },
  );
  const said = readFileSync(output, 'utf8');
  return { isDone: said.endsWith('== end\n'), said: said + stdout + stderr };
}

function outputOf(steps: Steps, { isDone, said }: Ran): Record<string, string> {
  if (!isDone) throw new Error(`A command failed:\n${said}`);
  const parts = said.split(/^== (.+)\n/m).slice(1);
  return Object.fromEntries(
    Object.keys(steps).map((name) => [name, parts[parts.indexOf(name) + 1] ?? '']),
  );
}
