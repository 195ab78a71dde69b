// The systemd units under a running systemd: installed, used, upgraded under load and rolled back as the manual says.

import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import { createSecond } from '../support/damage/old-schemas.ts';
import { tell } from '../support/damage/trial.ts';
import { blockWith, manual } from '../support/manual/code.ts';
import { putExecutable } from '../support/processes/executable.ts';
import { lacking, refused } from '../support/processes/required-programs.ts';
import { boot } from '../support/processes/systemd.ts';
import { issued } from '../support/world/artifacts.ts';
import { ROOT } from '../support/world/program.ts';
import { sized } from '../support/world/thorough.ts';

const UPGRADES = sized(20, 3);

/** The shell of the test is root's already. */
const SUDO = `sudo() {
  if [ "$1" != -u ]; then "$@"; return; fi
  local user=$2; shift 2
  setpriv --reuid "$user" --regid "$user" --clear-groups env -i "$@"
}
`;

/**
 * A loop for bash: sends several requests at once with a key until a file exists, and counts the
 * statuses.
 */
const ASKING = `trap 'touch /tmp/enough' EXIT
ask() {
  while [ ! -e /tmp/enough ]; do
    curl -s -m 30 -o /dev/null -w '%{http_code}\\n' -H "X-API-Key: $1" http://127.0.0.1:8787/v1/memories || echo failed
  done
}
for i in 1 2 3 4; do ask KEY >/tmp/asked-$i & done
`;

const SKIP =
  process.platform !== 'linux'
    ? 'systemd runs only on Linux'
    : lacking('/lib/systemd/systemd', 'systemctl', 'unshare', 'nsenter', 'setpriv', 'curl');

const READY = 'curl -s --fail http://127.0.0.1:8787/readyz\n';

function accounts(words: string): string {
  return `sudo -u memories /usr/local/bin/memory-gateway accounts ${words} --database /var/lib/memories/mine.db\n`;
}

/** Runs lines of bash in the system, asserts that they succeed, and returns their output. */
type Run = (lines: string) => string;

/**
 * Upgrades a database of an earlier schema, restores the safety copy, and lets the same program
 * migrate it again.
 */
function goBackToKept(run: Run, stop: string, upgrade: string): void {
  const listKept = 'ls /var/lib/memories | grep before-migrate-\n';
  run(`${stop}\nrm -f /var/lib/memories/*
    install -o memories -g memories -m 600 second.db /var/lib/memories/mine.db
    ${upgrade}${READY}${accounts('create Since')}`);
  const kept = run(listKept).trim();
  assert.match(kept, /^mine\.db\.before-migrate-\w+Z$/, 'one');
  assert.match(run(accounts('list')), /Since/);
  const back = blockWith('memories/mine.db.before-migrate-');
  run(`${back.replace(/mine\.db\.before-migrate-\w+/, kept)}${READY}`);
  assert.doesNotMatch(run(accounts('list')), /Since/);
  const again = run(listKept).trim();
  assert.match(again, /^mine\.db\.before-migrate-\w+Z$/, 'one');
  assert.notEqual(again, kept, 'the safety copy has another name than before');
}

/** Starts the service with a usage error. It then stays down until the error is fixed. */
function callWrongly(run: Run): void {
  const folder = '/etc/systemd/system/memory-gateway.service.d';
  run(`mkdir ${folder}
    printf '[Service]\\nEnvironment=MEMORY_GATEWAY_THROTTLE=often\\n' >${folder}/wrong.conf
    systemctl daemon-reload
    systemctl restart memory-gateway.service || true
    sleep 3
    systemctl is-failed memory-gateway.service
    rm -r ${folder}
    systemctl daemon-reload
    systemctl start memory-gateway.service
    ${READY}`);
}

describe('The units under a running systemd', { skip: SKIP }, () => {
  it('install, serve, back up, upgrade without downtime, and roll back, as the manual says', async (t) => {
    const shared = mkdtempSync(join(tmpdir(), 'memory-gateway-srv-'));
    t.after(() => rmSync(shared, { recursive: true }));
    await putExecutable(shared);
    const deployed = join(ROOT, 'scripts/deploy');
    for (const name of readdirSync(deployed).filter((each) => each.startsWith('memory-gateway')))
      copyFileSync(join(deployed, name), join(shared, name));
    const lifelogs = join(ROOT, 'fixtures/formats/limitless/week.json');
    copyFileSync(lifelogs, join(shared, 'lifelogs.json'));
    copyFileSync(createSecond(), join(shared, 'second.db'));
    const system = await boot(shared);
    if (typeof system === 'string') return t.skip(refused(`the units: ${system}`));
    t.after(system.end);
    const run: Run = (lines) => {
      const { status, said } = system.run(SUDO + lines);
      const log = () => system.run('tail -n 5 /var/log/units.log').said;
      assert.equal(status, 0, `${said}\n${log()}`);
      return said;
    };

    run(`userdel memories 2>/dev/null || true\n${blockWith('useradd')}`);
    const first = run(`${blockWith('memories import')}echo "$KEY"`);
    const key = issued(/mem_\w{49}/.exec(first)?.[0] ?? '');
    assert.match(first, /3 memories added[^]*No problems found/);

    run('systemctl start memory-gateway-backup');
    assert.match(run('ls -l /var/backups/memories'), /-rw------- .* memories-[1-7]\.db\n$/);

    // The block ends by showing the status of the service.
    const upgrade = `{\n${blockWith('install --backup')}} >/dev/null\nsleep 0.2\n`;
    const asked = run(
      `${ASKING.replace('KEY', key)}${upgrade.repeat(UPGRADES)}touch /tmp/enough\nwait\ncat /tmp/asked-* | sort | uniq -c`,
    );
    assert.match(asked, /^ *\d+ 200\n$/, 'no request was refused or timed out');
    tell(t, { upgrades: UPGRADES, answered: Number.parseInt(asked, 10), lost: 0 });

    const back = blockWith('memory-gateway.old /usr');
    const [stop = '', ...rest] = back.trimEnd().split('\n');
    // Nothing serves the file: a command has removed the -shm.
    run(`${stop}\n${accounts('create Ana')}systemctl start memory-gateway-backup`);
    run(`${rest.join('\n')}\n${READY}`);

    goBackToKept(run, stop, upgrade);
    callWrongly(run);

    // No folder that it tries allows running programs, until one is named.
    run(`mount -o remount,noexec /tmp
      for folder in /var/tmp /dev/shm; do mkdir -p $folder; mount -t tmpfs -o noexec,mode=1777 tmpfs $folder; done
      if systemctl restart memory-gateway.service; then exit 1; fi`);
    assert.match(run('tail -n 1 /var/log/units.log'), /can be loaded from none of these folders/);
    const [, setting = ''] = /`(Environment=TMPDIR=[^`]*)`/.exec(manual) ?? [];
    run(`for unit in memory-gateway memory-gateway-backup; do
        mkdir /etc/systemd/system/$unit.service.d
        printf '[Service]\\n${setting}\\n' >/etc/systemd/system/$unit.service.d/override.conf
      done
      systemctl daemon-reload
      systemctl start memory-gateway-backup
      ${READY}`); // systemd restarts the service by itself
  });
});
