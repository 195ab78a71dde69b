// Assembles the executable: Node, the program, and the files that it reads.

import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';

import { VIEWER_FILES } from '../../src/gateway/docs.ts';
import { bundle, licences, ROOT } from '../bundling.ts';
import { ADDON } from './addon.ts';
import { instead, later, nameless } from './plugins.ts';

/** What Node is told to make of its parts: sea.json. Paths are relative to the folder that it is in. */
export interface SeaConfig {
  readonly main: string;
  readonly mainFormat: 'commonjs';
  /** The Node that is taken. */
  readonly executable: string;
  readonly output: string;
  readonly disableExperimentalSEAWarning: true;
  /** Whether the program is loaded now, and goes on from there when it is started. */
  readonly useSnapshot: boolean;
  /** `none`: NODE_OPTIONS and `--node-options` are for those who run scripts. */
  readonly execArgvExtension: 'none';
  readonly execArgv: readonly string[];
  /** Files that are in it, by the names they have in the package. */
  readonly assets: Readonly<Record<string, string>>;
}

/** How it is assembled. */
export interface Assembling {
  /** The folder it is made in. */
  readonly stage: string;
  readonly node: string;
  readonly snapshot: boolean;
}

/** Assembles the executable in a folder; returns its path. */
export async function assemble({ stage, node, snapshot }: Assembling): Promise<string> {
  const sources = await bundle({
    to: stage,
    entries: ['scripts/binary/entry.ts'],
    tail: '//# sourceURL=memory-gateway.cjs', // what stack traces name, and not where it was built
    define: { 'import.meta.url': JSON.stringify('sea:///dist/cli/main.cjs') },
    plugins: [instead, later, nameless],
  });
  writeFileSync(join(stage, 'LICENSES.txt'), `${nodeLicence()}\n${licences(sources)}`);
  const config: SeaConfig = {
    main: 'entry.cjs',
    mainFormat: 'commonjs',
    executable: relative(stage, node),
    output: 'built',
    disableExperimentalSEAWarning: true,
    useSnapshot: snapshot,
    execArgvExtension: 'none',
    execArgv: [],
    assets: assets(stage),
  };
  writeFileSync(join(stage, 'sea.json'), JSON.stringify(config));
  // Run there, as the path of the program gets into the executable; and without the environment of npm,
  // as what is loaded now sees it.
  const options = { cwd: stage, env: { TZ: 'UTC', LANG: 'C.UTF-8' } };
  const { stderr } = await promisify(execFile)(
    process.execPath,
    ['--build-sea', 'sea.json'],
    options,
  );
  requireTried(stderr);
  return join(stage, config.output);
}

/** What Node warns of that is in a snapshot all the same: sonic-boom asks it whether this is the main thread, and no more. */
const HARMLESS = new Set(['worker_threads']);

/** Fails where a module of Node has got into the snapshot that nobody has tried in one. */
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

/** Where the files are that the program reads, by their names in the package. */
function assets(stage: string): Record<string, string> {
  const plain = [
    'package.json',
    'LICENSE',
    'fixtures/accounts.json',
    ...files('fixtures/memories'),
    ...files('sql'),
  ];
  const viewer = VIEWER_FILES.map((name) => `node_modules/swagger-ui-dist/${name}`);
  const page = [...files('src/viewer'), ...viewer];
  return {
    ...Object.fromEntries(plain.map((path) => [path, join(ROOT, path)])),
    ...Object.fromEntries(
      page.map((path) => [`dist/viewer/${path.replace(/.*\//, '')}`, join(ROOT, path)]),
    ),
    'dist/cli/LICENSES.txt': join(stage, 'LICENSES.txt'),
    [ADDON]: addonPath(),
  };
}

/** Where better-sqlite3 has the addon for this machine. */
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
