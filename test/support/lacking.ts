// Programs that a trial needs and that may not be installed: a reason to skip it, or with REQUIRE_SYSTEMD=1 to fail.

import { spawnSync } from 'node:child_process';

const isRequired = process.env['REQUIRE_SYSTEMD'] === '1';

/** Which of these programs are missing, as a reason to skip; fails where they must be there. */
export function lacking(...programs: readonly string[]): string | false {
  const missing = programs.filter((name) => spawnSync(name, ['--version']).error !== undefined);
  if (missing.length === 0) return false;
  const reason = `needs ${missing.join(', ')}`;
  if (isRequired) throw new Error(`REQUIRE_SYSTEMD=1: this ${reason}`);
  return reason;
}

/** Gives back why a system that has the programs does not let them work, where nobody can miss it if they are required. */
export function refused(reason: string): string {
  if (isRequired) process.stderr.write(`\n*** NOT TRIED: ${reason}\n\n`);
  return reason;
}
