// Runs the reverse proxies of scripts/deploy as they are shipped, over TLS with a test certificate.

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { newFolder } from '../world/artifacts.ts';
import { freePort } from '../world/free-port.ts';
import { ROOT } from '../world/program.ts';

export interface Proxy {
  /** The ports with and without TLS. */
  readonly port: number;
  readonly plain: number;
  readonly ca: string;
  /** All of its output: its logs, and the files that it wrote. */
  readonly folder: string;
}

/** The settings of a proxy. */
interface Setting {
  readonly folder: string;
  readonly port: number;
  readonly plain: number;
  readonly gateway: number;
  /** The path in front of the gateway's own, which the proxy passes on. */
  readonly prefix: string;
}

const setUp = { nginx: setUpNginx, caddy: setUpCaddy };

/** The names of the proxies, which equal those of their programs. */
export const proxies = Object.keys(setUp) as (keyof typeof setUp)[];

/** Returns the reason to skip a test, or false. */
export function lacks(name: string): string | false {
  const missing = [name, 'openssl'].find((each) => spawnSync(each, ['version']).error);
  if (missing === undefined) return false;
  if (process.env['REQUIRE_PROXIES'] === '1') throw new Error(`there is no ${missing}`);
  return `there is no ${missing}`;
}

/** Starts a proxy with its shipped configuration in front of a gateway, until the test ends. The gateway may be below a path. */
export async function startProxy(
  t: TestContext,
  name: keyof typeof setUp,
  gateway: number,
  prefix = '',
): Promise<Proxy> {
  const folder = newFolder();
  certify(folder);
  const setting = { folder, gateway, prefix, port: await freePort(), plain: await freePort() };
  const child = spawn(name, setUp[name](setting), {
    env: { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => {
      said += part.toString();
      writeFileSync(join(folder, 'said.log'), said);
    });
  t.after(async () => {
    if (child.exitCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'close');
  });
  for (const port of [setting.port, setting.plain])
    while (!(await listens(port))) {
      if (child.exitCode !== null) throw new Error(`${name} ended: ${said}`);
      await sleep(20);
    }
  return { ...setting, ca: readFileSync(join(folder, 'fullchain.pem'), 'utf8') };
}

function setUpNginx({ folder, gateway, prefix, port, plain }: Setting): string[] {
  const own = shipped('nginx.conf')
    .replaceAll('/etc/ssl/memories.example', folder)
    .replaceAll('/var/log/nginx', folder)
    .replaceAll('memories.example', 'localhost')
    .replace('127.0.0.1:8787', `127.0.0.1:${gateway}`)
    .replace('location /app/v1/', `location ${prefix}/app/v1/`)
    .replace('location ~ ^/(?:mcp', `location ~ ^${prefix}/(?:mcp`)
    .replaceAll(/listen \[::\].*/g, '') // not every machine has IPv6
    .replace('listen 443', `listen 127.0.0.1:${port}`)
    .replace('listen 80;', `listen 127.0.0.1:${plain};`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => {
    return `${kind}_temp_path ${folder}/temporary/${kind};`;
  });
  mkdirSync(join(folder, 'temporary'));
  const file = join(folder, 'nginx.conf');
  const around = `daemon off; worker_processes 1; pid ${folder}/pid; error_log stderr crit;`;
  writeFileSync(file, `${around}\nevents {}\nhttp {\n${temporary.join('\n')}\n${own}\n}\n`);
  return ['-e', 'stderr', '-p', folder, '-c', file];
}

function setUpCaddy({ folder, gateway, port, plain }: Setting): string[] {
  const tls = `tls ${folder}/fullchain.pem ${folder}/privkey.pem`;
  const own = shipped('Caddyfile')
    .replace('\n{\n', `\n{\nadmin off\nhttp_port ${plain}\nhttps_port ${port}\n`)
    .replace('\nmemories.example {\n', `\nlocalhost {\n${tls}\n`)
    .replaceAll('memories.example', 'localhost')
    .replace('127.0.0.1:8787', `127.0.0.1:${gateway}`);
  const file = join(folder, 'Caddyfile');
  writeFileSync(file, own);
  return ['run', '--adapter', 'caddyfile', '--config', file];
}

function shipped(name: string): string {
  return readFileSync(join(ROOT, 'scripts/deploy', name), 'utf8');
}

function certify(folder: string): void {
  const [key, chain] = ['privkey.pem', 'fullchain.pem'].map((name) => join(folder, name));
  const kind = '-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2';
  const whom = '-subj /CN=localhost -addext subjectAltName=DNS:localhost';
  const words = `req ${kind} ${whom} -keyout ${key} -out ${chain}`.split(' ');
  execFileSync('openssl', words, { stdio: 'ignore' });
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
