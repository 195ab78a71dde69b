// The units under a systemd that runs: installed, used, upgraded under load and rolled back by the README's own lines.

import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import { putExecutable } from '../support/executable.ts';
import { sized, tell } from '../support/faults.ts';
import { lacking, refused } from '../support/lacking.ts';
import { issued } from '../support/left.ts';
import { createSecond } from '../support/old.ts';
import { ROOT } from '../support/program.ts';
import { blockWith, readme } from '../support/readme.ts';
import { boot } from '../support/systemd.ts';

const UPGRADES = sized(20, 3);

/** Who types is root there already. */
const SUDO = `sudo() {
  if [ "$1" != -u ]; then "$@"; return; fi
  local user=$2; shift 2
  setpriv --reuid "$user" --regid "$user" --clear-groups env -i "$@"
}
`;

/** With a key asks by a few at once until a file is there; says how often which status came. */
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
    ? 'systemd is one of Linux'
    : lacking('/lib/systemd/systemd', 'systemctl', 'unshare', 'nsenter', 'setpriv', 'curl');

const READY = 'curl -s --fail http://127.0.0.1:8787/readyz\n';

function accounts(words: string): string {
  return `sudo -u memories /usr/local/bin/memory-gateway accounts ${words} --database /var/lib/memories/mine.db\n`;
}

/** Runs lines of bash in the system, asserts that they do, and returns what they said. */
type Run = (lines: string) => string;

/** Upgrades a database of an earlier schema, which is kept, and takes the way back; there the same program migrates it again. */
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
  assert.notEqual(again, kept, 'which has its name of before');
}

/** Calls the service wrongly, which then stays down until that is mended. */
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

describe('The units, where systemd runs', { skip: SKIP }, () => {
  it('install, serve, back up, upgrade without loss, and go back, as the README says', async (t) => {
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
    assert.match(first, /\[\][^]*3 memories added[^]*All is well/);

    run('systemctl start memory-gateway-backup');
    assert.match(run('ls -l /var/backups/memories'), /-rw------- .* memories-[1-7]\.db\n$/);

    const upgrade = `${blockWith('install --backup')}sleep 0.2\n`;
    const asked = run(
      `${ASKING.replace('KEY', key)}${upgrade.repeat(UPGRADES)}touch /tmp/enough\nwait\ncat /tmp/asked-* | sort | uniq -c`,
    );
    assert.match(asked, /^ *\d+ 200\n$/, 'nobody was refused, or waited in vain');
    tell(t, { upgrades: UPGRADES, answered: Number.parseInt(asked, 10), lost: 0 });

    const back = blockWith('memory-gateway.old /usr');
    const [stop = '', ...rest] = back.trimEnd().split('\n');
    // Nobody serves it: a command has taken the -shm away.
    run(`${stop}\n${accounts('create Ana')}systemctl start memory-gateway-backup`);
    run(`${rest.join('\n')}\n${READY}`);

    goBackToKept(run, stop, upgrade);
    callWrongly(run);

    // Nothing can be run in any of the folders that it tries, until one is named.
    run(`mount -o remount,noexec /tmp
      for folder in /var/tmp /dev/shm; do mkdir -p $folder; mount -t tmpfs -o noexec,mode=1777 tmpfs $folder; done
      if systemctl restart memory-gateway.service; then exit 1; fi`);
    assert.match(run('tail -n 1 /var/log/units.log'), /can be loaded from none of these folders/);
    const [, setting = ''] = /`(Environment=TMPDIR=[^`]*)`/.exec(readme) ?? [];
    run(`for unit in memory-gateway memory-gateway-backup; do
        mkdir /etc/systemd/system/$unit.service.d
        printf '[Service]\\n${setting}\\n' >/etc/systemd/system/$unit.service.d/override.conf
      done
      systemctl daemon-reload
      systemctl start memory-gateway-backup
      ${READY}`); // the service is tried again by itself
  });
});
