// Assembles the executable: Node, the program, and the files that it reads.

import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';

import { VIEWER_FILES } from '../../src/gateway/public/docs.ts';
import { writeApp } from '../app.ts';
import { BESIDE, bundle, licences, ROOT } from '../bundling.ts';
import { ADDON } from './addon.ts';
import { instead, later } from './plugins.ts';

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
  /** The platform, as better-sqlite3 names its entry points. Default: this machine's. */
  readonly platform?: string;
}

/**
 * Hides the host name of the build machine from pino, which reads it while it loads. The program's
 * log entries have none.
 */
const NAMELESS = `if (require('node:v8').startupSnapshot.isBuildingSnapshot())
  require('node:os').hostname = () => '';`;

/** Assembles the executable in a folder. Returns its path. */
export async function assemble(assembling: Assembling): Promise<string> {
  const { stage, node, snapshot, platform = ownPlatform() } = assembling;
  const sources = await bundle({
    to: stage,
    entries: ['scripts/binary/entry.ts'],
    head: NAMELESS,
    tail: '//# sourceURL=memory-gateway.cjs', // the path in stack traces, instead of the build path
    define: { 'import.meta.url': JSON.stringify('sea:///dist/cli/main.cjs') },
    alias: { 'better-sqlite3': `better-sqlite3/${platform}` },
    plugins: [instead, later],
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
    assets: assets(stage, platform),
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
 * Node warns about these modules, but the snapshot can contain them: pino takes names from them
 * while it loads, and uses them only for threads, which the program does not start.
 */
const HARMLESS = new Set(['module', 'worker_threads']);

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
function assets(stage: string, platform: string): Record<string, string> {
  const plain = [
    'package.json',
    'LICENSE',
    'fixtures/accounts.json',
    'fixtures/details.json',
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
    [ADDON]: join(ROOT, `node_modules/better-sqlite3/prebuilds/${platform}.node`),
  };
}

/** Returns this machine's platform, as better-sqlite3 names its entry points. */
function ownPlatform(): string {
  const { platform, arch, report } = process;
  const { header } = report.getReport() as { header: { glibcVersionRuntime?: string } };
  const isMusl = platform === 'linux' && header.glibcVersionRuntime === undefined;
  return `${platform}${isMusl ? 'musl' : ''}-${arch}`;
}

/** Returns the licence of Node, which the package `node` has installed beside the executable. */
function nodeLicence(): string {
  const { platform, arch } = process;
  const isApple = platform === 'darwin' && arch === 'arm64';
  const name = `${isApple ? 'node-bin' : 'node'}-${platform}-${arch}`;
  const { resolve } = createRequire(join(ROOT, 'node_modules/node/package.json'));
  return readFileSync(join(dirname(resolve(`${name}/package.json`)), 'LICENSE'), 'utf8');
}

function files(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(ROOT, join(parentPath, name)))
    .toSorted();
}
