// npm run test:binary: builds the executable and tests it alone, against the package, and with the tests of the program.

import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../support/world/program.ts';

/** The tests of the commands, of HTTP and of connectors. */
const ALSO = ['http/wire', 'cli/commands', 'cli/serve', 'cli/reuse-port', 'connect/program'];

const npm = (...args: string[]) => run('npm', ['run', '--silent', ...args]);

npm('build'); // the package to compare with
npm('binary');
run(
  process.execPath,
  [
    '--test',
    '--test-concurrency=2',
    '--test-timeout=300000',
    '--test-global-setup=test/support/global.ts',
    ...globSync('test/binary/*.binary.ts', { cwd: ROOT }),
    ...ALSO.map((name) => `test/${name}.test.ts`),
  ],
  { BINARY: join(ROOT, 'out/memory-gateway') },
);

function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): void {
  const options = { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...env } } as const;
  const { status, error } = spawnSync(command, args, options);
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}
