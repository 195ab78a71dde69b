// The command of the Debian package: which database and which settings the program gets.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';

import { newFolder } from '../support/world/artifacts.ts';
import { ROOT, run } from '../support/world/program.ts';

const SERVICE = '/var/lib/memories/mine.db';

describe('The command of the Debian package', () => {
  const folder = newFolder();
  const [command, settings] = [join(folder, 'command'), join(folder, 'env')];
  /** Runs the command. Returns what the program is given. */
  const given = (env: Readonly<Record<string, string>> = {}, ...args: readonly string[]) =>
    execFileSync('sh', [command, ...args], {
      encoding: 'utf8',
      env: { PATH: String(process.env['PATH']), ...env },
    }).trim();
  before(() => {
    const program = join(folder, 'program');
    const shown = '$MEMORY_GATEWAY_DATABASE|$MEMORY_GATEWAY_ENV_FILE|$*';
    writeFileSync(program, `#!/bin/sh\necho "${shown}"\n`, { mode: 0o755 });
    const text = readFileSync(join(ROOT, 'scripts/deb/command'), 'utf8')
      .replace('/usr/lib/memory-gateway/memory-gateway', program)
      .replace('/etc/memory-gateway/env', settings);
    writeFileSync(command, text);
  });

  it('has the database of the service, also for a user who may not read its settings', () => {
    assert.equal(
      given({}, 'accounts', 'create', 'Mira Okafor'),
      `${SERVICE}||accounts create Mira Okafor`,
    );
  });

  it('has its settings, whose database comes before the usual one', () => {
    writeFileSync(settings, '# MEMORY_GATEWAY_DATABASE=x\n');
    assert.equal(given(), `${SERVICE}|${settings}|`);
    writeFileSync(settings, 'MEMORY_GATEWAY_DATABASE=postgres://db.example/memories\n');
    assert.equal(given(), `|${settings}|`);
  });

  it('leaves a database and settings that you name', () => {
    const own = { MEMORY_GATEWAY_DATABASE: 'a.db', MEMORY_GATEWAY_ENV_FILE: 'b' };
    assert.equal(given(own, 'doctor'), 'a.db|b|doctor');
  });
});

describe('MEMORY_GATEWAY_ENV_FILE', () => {
  it('names the file with variables for every command, and --env-file comes before it', async () => {
    const folder = newFolder();
    const file = (name: string) => {
      const path = join(folder, name);
      writeFileSync(path, `MEMORY_GATEWAY_DATABASE=/none/${name}.db\n`);
      return path;
    };
    const env = { MEMORY_GATEWAY_ENV_FILE: file('a') };
    assert.match((await run(['accounts', 'list'], { env })).stderr, /no database at \/none\/a\.db/);
    const { stderr } = await run(['accounts', 'list', '--env-file', file('b')], { env });
    assert.match(stderr, /no database at \/none\/b\.db/);
  });
});
