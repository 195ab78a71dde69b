// Assembles the executable: Node, the program, and the files that it reads.

import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';

import { VIEWER_FILES } from '../../src/gateway/public/docs.ts';
import { writeApp } from '../app.ts';
import { BESIDE, bundle, licences, quiet, ROOT } from '../bundling.ts';
import { ADDON } from './addon.ts';
import { instead, later, nameless } from './plugins.ts';

/** Node's configuration for the executable: sea.json. Paths are relative to its folder. */
export interface SeaConfig {
  readonly main: string;
  readonly mainFormat: 'commonjs';
  /** The Node executable to use. */
  readonly executable: string;
  readonly output: string;
  readonly disableExperimentalSEAWarning: true;
  /** Whether the program is loaded now into a snapshot, and continues from there when it starts. */
  readonly useSnapshot: boolean;
  /** `none`: NODE_OPTIONS and `--node-options` are for running scripts. */
  readonly execArgvExtension: 'none';
  readonly execArgv: readonly string[];
  /** The assets, by their names in the package. */
  readonly assets: Readonly<Record<string, string>>;
}

/** The settings of an assembly. */
export interface Assembling {
  /** The folder for its files. */
  readonly stage: string;
  readonly node: string;
  readonly snapshot: boolean;
  /** The file of better-sqlite3's addon for another platform. Default: the one of this machine. */
  readonly addon?: string | undefined;
}

/** Assembles the executable in a folder. Returns its path. */
export async function assemble({ stage, node, snapshot, addon }: Assembling): Promise<string> {
  const sources = await bundle({
    to: stage,
    entries: ['scripts/binary/entry.ts'],
    tail: '//# sourceURL=memory-gateway.cjs', // the path in stack traces, instead of the build path
    define: { 'import.meta.url': JSON.stringify('sea:///dist/cli/main.cjs') },
    plugins: [instead, later, nameless, quiet],
  });
  writeFileSync(
    join(stage, 'LICENSES.txt'),
    `${nodeLicence()}\n${licences([...sources, ...BESIDE])}`,
  );
  await writeApp(join(stage, APP));
  const config: SeaConfig = {
    main: 'entry.cjs',
    mainFormat: 'commonjs',
    executable: relative(stage, node),
    output: 'built',
    disableExperimentalSEAWarning: true,
    useSnapshot: snapshot,
    execArgvExtension: 'none',
    execArgv: [],
    assets: assets(stage, addon),
  };
  writeFileSync(join(stage, 'sea.json'), JSON.stringify(config));
  // Runs there, because the path of the program gets into the executable. npm's environment is
  // removed, because the program is loaded now and would see it.
  const options = { cwd: stage, env: { TZ: 'UTC', LANG: 'C.UTF-8' } };
  const { stderr } = await promisify(execFile)(
    process.execPath,
    ['--build-sea', 'sea.json'],
    options,
  );
  requireTried(stderr);
  return join(stage, config.output);
}

/**
 * Node warns about this module, but the snapshot can contain it: sonic-boom only reads from it
 * whether this is the main thread.
 */
const HARMLESS = new Set(['worker_threads']);

/** Throws if the snapshot contains an untested module of Node. */
function requireTried(said: string): void {
  const untried = Array.from(
    said.matchAll(/built-in module "(?:node:)?([^"]+)"/g),
    ([, name = '']) => name,
  );
  const found = untried.filter((name) => !HARMLESS.has(name));
  if (found.length > 0)
    throw new Error(
      `The snapshot holds ${found.join(', ')}: see LATER in scripts/binary/plugins.ts.`,
    );
}

/** The pages of the app, in the package and in the stage. */
const APP = 'dist/app/files';

/** Returns the paths of the files that the program reads, by their names in the package. */
function assets(stage: string, addon: string | undefined): Record<string, string> {
  const plain = [
    'package.json',
    'LICENSE',
    'fixtures/accounts.json',
    ...files('fixtures/memories'),
    ...files('sql'),
  ];
  const viewer = VIEWER_FILES.map((name) => `node_modules/swagger-ui-dist/${name}`);
  const page = [...files('src/gateway/public/viewer'), ...viewer];
  return {
    ...Object.fromEntries(plain.map((path) => [path, join(ROOT, path)])),
    ...Object.fromEntries(
      page.map((path) => [`dist/viewer/${path.replace(/.*\//, '')}`, join(ROOT, path)]),
    ),
    ...Object.fromEntries(
      readdirSync(join(stage, APP)).map((name) => [`${APP}/${name}`, join(stage, APP, name)]),
    ),
    'dist/cli/LICENSES.txt': join(stage, 'LICENSES.txt'),
    [ADDON]: addon === undefined ? addonPath() : join(PREBUILDS, addon),
  };
}

const PREBUILDS = join(ROOT, 'node_modules/better-sqlite3/prebuilds');

/** The path of better-sqlite3's addon for this machine. */
function addonPath(): string {
  const require = createRequire(import.meta.url);
  const file = join(ROOT, 'node_modules/better-sqlite3/lib/binding.js'); // which it does not export
  return (require(file) as { getPrebuildPath(): string }).getPrebuildPath();
}

function nodeLicence(): string {
  return readFileSync(new URL('NODE-LICENSE.txt', import.meta.url), 'utf8');
}

function files(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(ROOT, join(parentPath, name)))
    .toSorted();
}
