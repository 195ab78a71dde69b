// Runs Redocly's linter in a process without network access.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';

import { ROOT } from '../world/program.ts';

/** What the linter found. */
export interface Totals {
  readonly errors: number;
  readonly warnings: number;
  readonly ignored: number;
}

/**
 * Lints a file by all recommended rules. The process ends at the first connection or DNS lookup.
 */
export async function lint(file: string): Promise<Totals> {
  const guard = `import net from 'node:net'; import dns from 'node:dns';
    net.Socket.prototype.connect = dns.lookup = () => process.exit(99);`;
  const linter = join(ROOT, 'node_modules/@redocly/cli/bin/cli.js');
  const child = spawn(
    process.execPath,
    [linter, 'lint', file, '--extends=recommended', '--format=json', '--max-problems=1000'],
    {
      cwd: dirname(file), // a folder without settings of the linter
      env: {
        ...process.env,
        NODE_V8_COVERAGE: '',
        NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(guard)}`,
        REDOCLY_TELEMETRY: 'off',
        REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
      },
    },
  );
  const [said, problems, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  assert.notEqual(code, 99, 'the linter uses no network');
  assert.match(said, /^\{/, problems);
  return JSON.parse(said).totals;
}
