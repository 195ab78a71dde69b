// Programs that a test needs: if one is missing, the reason to skip, or to fail with REQUIRE_SYSTEMD=1.

import { spawnSync } from 'node:child_process';

const isRequired = process.env['REQUIRE_SYSTEMD'] === '1';

/** Returns the missing programs as a reason to skip, or throws if they are required. */
export function lacking(...programs: readonly string[]): string | false {
  const reason = absent(...programs);
  if (reason !== false && isRequired) throw new Error(`REQUIRE_SYSTEMD=1: this ${reason}`);
  return reason;
}

/** Returns the reason to skip a test whose programs are never required: `.ci/run` does not install them. */
export function absent(...programs: readonly string[]): string | false {
  const missing = programs.filter((name) => spawnSync(name, ['--version']).error !== undefined);
  return missing.length > 0 && `needs ${missing.join(', ')}`;
}

/** Returns the reason why the programs cannot work here, or throws it if they are required. */
export function refused(reason: string): string {
  if (isRequired) process.stderr.write(`\n*** NOT TRIED: ${reason}\n\n`);
  return reason;
}
