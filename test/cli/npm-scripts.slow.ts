// The npm scripts that serve: a signal to npm reaches the server, as `kill $!` in README expects.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';

import { newFolder } from '../support/world/artifacts.ts';
import { ROOT, run } from '../support/world/program.ts';

describe('A server that npm has started', () => {
  for (const words of [
    ['run', '-s', 'cli', '--', 'serve', '--database', 'DATABASE', '--port', '0'],
    ['start', '-s', '--', 'FOLDER', '--port', '0', '--no-open'],
  ])
    it(`ends with npm: npm ${words.slice(0, 5).join(' ')}`, { timeout: 60_000 }, async (t) => {
      const folder = newFolder();
      const database = `${folder}/mine.db`;
      assert.equal((await run(['migrate', '--database', database])).code, 0);
      const args = words.map((word) => ({ DATABASE: database, FOLDER: folder })[word] ?? word);
      // A group of its own, so that a server which outlives npm is ended too.
      const npm = spawn('npm', args, {
        cwd: ROOT,
        detached: true,
        stdio: ['ignore', 'pipe', 'ignore'],
        // tsx moves the sources' functions, so coverage would count lines of others.
        env: { ...process.env, NODE_V8_COVERAGE: '' },
      });
      t.after(() => endGroup(npm.pid));
      const said = text(npm.stdout);
      await new Promise((resolve) => npm.stdout.once('data', resolve));
      npm.kill('SIGTERM');
      // The server holds the other end of the pipe until it has ended.
      assert.match(await said, /http:\/\/127\.0\.0\.1:\d+/);
    });
});

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
