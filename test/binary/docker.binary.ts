// The image and Compose in a real Docker, as docs/howto/docker.md says, and the image as Kubernetes would run it.

import assert from 'node:assert/strict';
import { copyFileSync, cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';

import { blockWith } from '../support/manual/code.ts';
import { startDocker, type Docker } from '../support/processes/docker.ts';
import { putExecutable } from '../support/processes/executable.ts';
import { asDocker } from '../support/processes/kubernetes.ts';
import { absent, refused } from '../support/processes/required-programs.ts';
import { issued, leave, newFolder } from '../support/world/artifacts.ts';
import { ROOT } from '../support/world/program.ts';

const SKIP = absent('unshare', 'nsenter', 'dockerd', 'docker', 'curl');
const noCompose = absent('docker-compose', 'caddy');

const SUDO = 'sudo() { "$@"; }\n';
const MG = /^mg\(\) .*\n/m.exec(blockWith('mg migrate'))?.[0] ?? '';
const TRY = 'until curl -s --fail http://127.0.0.1:8787/readyz >/dev/null; do sleep 0.1; done\n';

describe('In Docker', { skip: SKIP }, () => {
  const folder = newFolder();
  let docker: Docker | string = 'not started';

  /** Runs lines in the folder, asserts that they succeed, and returns their output. */
  function run(lines: string): string {
    assert.ok(typeof docker === 'object');
    const { status, stdout, stderr } = docker.run(`cd ${folder}\n${SUDO}${MG}${lines}`);
    for (const [key] of stdout.matchAll(/mem_\w{49}/g)) issued(key);
    leave(stderr);
    assert.equal(status, 0, stdout + stderr);
    return stdout.trim();
  }

  before(async () => {
    docker = await startDocker();
    if (typeof docker === 'string') {
      refused(`the image in Docker: ${docker}`);
      return;
    }
    symlinkSync(join(ROOT, 'scripts'), join(folder, 'scripts'));
    await putExecutable(join(folder, 'out'));
    copyFileSync(join(ROOT, 'fixtures/formats/limitless/week.json'), join(folder, 'lifelogs.json'));
    const built = run(blockWith('docker build').replace(/^npm ci .*$/m, ''));
    assert.match(built, /Successfully tagged memory-gateway:latest\nmemory-gateway \d/);
  });
  after(() => typeof docker === 'object' && docker.end());

  /** Skips a test if there is no Docker. */
  const given = (t: { skip: (reason: string) => void }): boolean => {
    if (typeof docker === 'string') t.skip(docker);
    return typeof docker === 'object';
  };

  it('the image serves what its volume has, read-only and without privileges', (t) => {
    if (!given(t)) return;
    const key =
      run(`${blockWith('mg migrate')}echo "$KEY"`)
        .split('\n')
        .at(-1) ?? '';
    run(blockWith('docker run --detach') + TRY);
    const checks = run(`KEY=${key}\n${MG}${blockWith('docker logs')}`);
    assert.match(checks, /"msg":"listening"[^]*HTTP\/1\.1 200 OK[^]*"transcript":/);
    const health = 'docker exec memory-gateway /usr/local/bin/memory-gateway healthcheck';
    assert.match(run(health), /is ready/);
    const format = `{{.State.Health.Status}} {{.Config.User}}`;
    assert.match(
      run(`docker inspect --format '${format}' memory-gateway`),
      /^(starting|healthy) 65532/,
    );
    const stopped = run(
      'docker stop memory-gateway; docker inspect --format "{{.State.ExitCode}}" memory-gateway',
    );
    assert.equal(stopped, 'memory-gateway\n0', 'as process 1, it ends on SIGTERM');
    assert.equal(run('docker rm --force memory-gateway'), 'memory-gateway');
  });

  it('the image runs as any user, backs up to a folder, and uses a folder as its volume', (t) => {
    if (!given(t)) return;
    const any = 'docker run --rm --user 12345:23456 -v any:/data memory-gateway';
    assert.match(run(`${any} migrate && ${any} verify`), /mine\.db has SQLite schema/);
    assert.match(run(blockWith('/srv/memories:/data')), /mine\.db has SQLite schema/);
    assert.match(run(blockWith('/srv/backups:/backups')), /memories\.db is a backup as of/);
  });

  it('the image starts with what kubernetes.yaml gives to its pod', (t) => {
    if (!given(t)) return;
    const manifest = readFileSync(join(ROOT, 'scripts/deploy/kubernetes.yaml'), 'utf8');
    const { server, job } = asDocker(manifest);
    // Volumes as Kubernetes makes them: the group of fsGroup on claims, and an empty folder that all can write.
    run(`mkdir /srv/memories-claim /srv/backups-claim /srv/tmp
      chgrp 65532 /srv/*-claim && chmod 2775 /srv/*-claim && chmod 2777 /srv/tmp
      docker run --detach --name pod --publish 127.0.0.1:8787:8787 --publish 127.0.0.1:9464:9464 ${server}
      ${TRY}`);
    assert.match(run('curl -s http://127.0.0.1:9464/metrics'), /^memory_gateway_ready 1$/m);
    assert.match(run(`docker run --rm ${job}`), /is a backup as of/);
    assert.match(run('ls /srv/backups-claim; docker rm --force pod'), /^memory-gateway-\w+Z\.db$/m);
  });

  it(
    'compose.yaml serves behind Caddy, watches and backs up, as a user of the host',
    { skip: noCompose },
    (t) => {
      if (!given(t)) return;
      const place = join(folder, 'compose');
      const from = join(ROOT, 'scripts/deploy');
      for (const name of ['Caddyfile.compose', '.env.example'])
        cpSync(join(from, name), join(place, name));
      // Debian's Compose is of a time before this line.
      const text = readFileSync(join(from, 'compose.yaml'), 'utf8').replace(/^name: .*\n/m, '');
      writeFileSync(join(place, 'compose.yaml'), text);
      writeFileSync(join(place, 'Dockerfile'), CADDY);
      const steps = blockWith('cp .env.example').replace('--wait', '').split('\n');
      const prepare = steps.slice(0, 2).join('\n');
      const compose = (words: string) =>
        run(`cd compose; docker-compose --project-name memory-gateway ${words}`);
      // The database of the tests before this one belongs to another user.
      run(`docker volume rm --force memories; cd compose; cp "$(command -v caddy)" caddy; docker build --quiet --tag caddy:2 .
      id() { echo 1000; }
      ${prepare}
      sed -i 's/^# ADDRESS=.*/ADDRESS=https:\\/\\/localhost/; s/^# \\(COMPOSE_PROFILES=\\|MEMORY_GATEWAY_CONNECT=\\)/\\1/' .env
      chown 1000:1000 inbox backups source-key; echo 'no-such-key' >source-key`);
      compose('up --detach');
      const account = compose('run --rm cli accounts create "Mira Okafor"');
      const key = compose(`run --rm cli keys create --account ${account}`);
      const ask = `until curl -sk --fail --max-time 5 -H "X-API-Key: ${key.split('\n').at(-1)}" https://localhost/v1/memories`;
      assert.equal(run(`${ask}; do sleep 0.2; done`), '[]');
      const metadata = 'https://localhost/.well-known/oauth-protected-resource/mcp/connect';
      assert.match(
        run(`curl -sk ${metadata}`),
        /^\{"resource":"https:\/\/localhost\/mcp\/connect"/,
      );
      run(`cd compose; printf 'WATCH_ACCOUNT=%s\\nPULL_ACCOUNT=%s\\n' ${account} ${account} >>.env
      install -o 1000 -g 1000 ../lifelogs.json inbox/`);
      compose('--profile caddy --profile watch up --detach');
      run(`${ask} | grep -q transcript; do sleep 0.2; done`);
      assert.match(
        compose('run --rm cli sign-in "Mira Okafor"'),
        /^https:\/\/localhost\/app\/sign-in#/m,
      );
      assert.match(compose('run --rm backup'), /is a backup as of/);
      assert.match(run('stat -c "%u %a" compose/backups/*'), /^1000 600$/m);
      compose('--profile watch down');
    },
  );
});

/** As the image caddy:2: the program of this system, and the folders of that image. */
const CADDY = `FROM debian:12-slim
COPY caddy /usr/bin/caddy
ENV XDG_CONFIG_HOME=/config XDG_DATA_HOME=/data
CMD ["caddy", "run", "--config", "/etc/caddy/Caddyfile", "--adapter", "caddyfile"]
`;
