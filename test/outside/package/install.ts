// Packs the package and installs it in an empty project, once for all tests of it.

import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** The folder of the project. */
export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
export const BIN = join(ROOT, 'node_modules/.bin');
export const folder = mkdtempSync(join(tmpdir(), 'memory-gateway-package-'));
after(() => rmSync(folder, { recursive: true }));

/** An environment without npm's settings for this project, except for the registry. */
function environment(node?: string) {
  const ours = /^(npm_(?!config_)|npm_config_(\w*prefix|strict_\w+)|NODE_(OPTIONS|TEST|V8))/;
  const clean = Object.entries(process.env).filter(([name]) => !ours.test(name));
  const path = [...(node === undefined ? [] : [dirname(node)]), process.env['PATH']].join(':');
  return { ...Object.fromEntries(clean), PATH: path };
}

/** Runs a program in another folder. Returns its output. */
export async function run(
  file: string,
  args: readonly string[],
  { cwd = folder, node = undefined as string | undefined } = {},
) {
  const { stdout } = await promisify(execFile)(file, args, { cwd, env: environment(node) });
  return stdout;
}

/** Creates an empty project and installs packages in it. */
export async function install(name: string, ...packages: string[]): Promise<string> {
  const project = join(folder, name);
  mkdirSync(project);
  const manifest = {
    private: true,
    type: 'module',
    allowScripts: { node: true, deno: true, bun: true },
  };
  writeFileSync(join(project, 'package.json'), JSON.stringify(manifest));
  const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  await run('npm', ['install', ...quiet, ...packages], { cwd: project });
  return project;
}

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

const listing = await run(
  'npm',
  ['pack', '--json', '--loglevel=error', '--pack-destination', folder],
  { cwd: ROOT },
);
export const [packed] = JSON.parse(listing.slice(listing.search(/^\[/m))) as [Packed];
export const tarball = join(folder, packed.filename);
export const project = await install('project', tarball, '@types/node');
export const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const [oldest] = /\d+\.\d+/.exec(manifest.engines.node) ?? [];
export const nodes = {
  newest: process.execPath,
  oldest: join(await install('oldest', `node@${oldest}.0`), 'node_modules/node/bin/node'),
};
export const PROGRAM = join(project, 'node_modules/.bin/memory-gateway');

/** Creates a database with an account and a key, with the installed program. */
export async function makeDatabase(node: string, database: string) {
  const program = async (...args: readonly string[]) =>
    (await run(node, [PROGRAM, ...args, '--database', database], { node })).trim();
  await program('migrate');
  const account = await program('accounts', 'create', 'Ana');
  return { account, key: await program('keys', 'create', '--account', account) };
}

/** Serves a database with the installed program, on a free port. Rejects if the program ends. */
export async function serve(node: string, database: string, more: readonly string[] = []) {
  const args = [PROGRAM, 'serve', '--port', '0', '--database', database, ...more];
  const child = spawn(node, args, { env: environment(node) });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (part) => {
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(String(part));
      if (found) resolve(found[0]);
    });
    child.once('close', (code) => reject(new Error(`ended with ${code}`)));
  });
  return { child, url };
}
