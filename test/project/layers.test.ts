// The architecture: which layers import which, where each dependency belongs, and the house rules that a test can check.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, it } from 'node:test';

import { ROOT } from '../support/world/program.ts';

const SRC = join(ROOT, 'src');
const SCRIPTS = join(ROOT, 'scripts');

/**
 * The layers, each with the layers that it may import. Single files are below or above all layers.
 */
const LAYERS: Record<string, readonly string[]> = {
  lib: [],
  text: ['lib'],
  contract: ['lib', 'text'],
  client: ['lib', 'text', 'contract'],
  formats: ['lib', 'text', 'contract'],
  sources: ['lib', 'text', 'contract', 'formats'],
  store: ['lib', 'text', 'contract', 'files.ts'],
  // Vectors of texts, from an endpoint of the owner's own: for the importer, and for queries.
  embeddings: ['lib', 'text', 'contract', 'store'],
  // Tools for agents are functions of the Api, so the gateway can serve them, and the program over stdio.
  agents: ['lib', 'text', 'contract', 'formats', 'version.ts'],
  gateway: ['lib', 'text', 'contract', 'store', 'embeddings', 'agents', 'files.ts', 'version.ts'],
  // The settings page shows how to connect an agent.
  // A memory can be downloaded as the Markdown note that the program exports.
  app: [
    'lib',
    'text',
    'contract',
    'client',
    'store',
    'agents',
    'formats',
    'gateway',
    'files.ts',
    'version.ts',
  ],
  // OAuth clients: an authorization server beside the app, whose owner decides. Only the program has it.
  connect: ['lib', 'contract', 'store', 'gateway', 'app'],
  cli: [
    'lib',
    'text',
    'contract',
    'client', // for agents on a remote gateway
    'store',
    'embeddings',
    'agents',
    'gateway',
    'app',
    'connect',
    'formats',
    'sources',
    'files.ts',
    'node-version.ts',
    'version.ts',
  ],
  'index.ts': ['contract', 'store', 'gateway', 'app', 'first.ts', 'setup.ts', 'test-gateway.ts'],
  'setup.ts': ['contract', 'formats', 'store'],
  'test-gateway.ts': ['store', 'gateway', 'app', 'setup.ts'],
  'first.ts': ['node-version.ts'],
  'version.ts': ['files.ts'],
  'files.ts': [],
  'node-version.ts': [],
};

/**
 * The folders that may import each dependency. Elsewhere only its types may be imported. The store,
 * the gateway and the command line may also import modules of Node that are not listed.
 */
const HOMES: Record<string, readonly string[]> = {
  '@modelcontextprotocol/client': ['cli/mcp/'],
  '@modelcontextprotocol/server': ['agents/'],
  'jsonc-parser': ['cli/mcp/'],
  '@preact/signals': ['app/browser/'],
  '@valibot/to-json-schema': ['contract/openapi/', 'agents/'],
  'better-sqlite3': ['store/sqlite/'],
  'cli-progress': ['cli/output/'],
  'env-paths': ['cli/data-folder.ts'],
  '@orama/stemmers': ['text/'],
  kysely: ['store/'],
  stemmer: ['text/'],
  'lru-cache': [
    'gateway/request/',
    'gateway/endpoints/',
    'gateway/response/',
    'store/scoped/',
    'connect/',
  ],
  'oidc-provider': ['connect/'],
  negotiator: ['gateway/request/'],
  pg: ['store/postgres/'],
  pino: ['cli/output/'],
  'pino-pretty': ['cli/output/'],
  preact: ['app/browser/'],
  'prom-client': ['cli/serve/metrics/'],
  sax: ['formats/text/'],
  'stream-chain': ['formats/json/'],
  'stream-json': ['formats/json/'],
  'temporal-polyfill': ['lib/'],
  uqr: ['app/server/'],
  uuid: ['store/', 'formats/', 'connect/'],
  valibot: [
    'setup.ts',
    'contract/',
    'client/',
    'store/',
    'embeddings/',
    'gateway/',
    'agents/',
    'app/',
    'connect/',
    'formats/',
    'sources/',
    'cli/',
  ],
  yauzl: ['cli/import/', 'formats/text/'],
  'csv-parse': ['formats/'],
  entities: ['formats/'],
  'modern-tar': ['cli/import/'],
  'node:fs': ['files.ts', 'test-gateway.ts', 'store/', 'cli/'],
  'node:fs/promises': [
    'lib/inside.ts',
    'cli/import/',
    'cli/serve/imports/',
    'cli/watch/',
    'sources/watch/',
  ],
  'node:path': [
    'files.ts',
    'lib/inside.ts',
    'test-gateway.ts',
    'store/',
    'gateway/',
    'cli/',
    'sources/watch/',
  ],
  // The authorization server takes requests of Node, and clients' documents come over https.
  'node:http': ['gateway/', 'connect/'],
  'node:os': ['test-gateway.ts', 'gateway/', 'cli/'],
  'node:perf_hooks': ['cli/serve/metrics/'],
  'node:stream': ['agents/stdio.ts', 'store/', 'gateway/', 'app/', 'connect/', 'cli/'],
  'node:zlib': ['store/', 'gateway/', 'cli/', 'formats/text/'],
};

interface Import {
  readonly file: string;
  readonly from: string;
  readonly isType: boolean;
}

/**
 * Files that may set timers, except for the program: pauses, connections and statements with
 * timeouts.
 */
const WITH_TIMERS = ['contract/abort.ts', 'gateway/server/', 'store/postgres/', 'app/browser/'];

/** Files that are small for another reason: entry points, and one file per command and format. */
const MAY_BE_SHORT =
  /(^|\/)(index|main|early|first|part|thread)\.tsx?$|^(cli\/commands|formats\/(captions|products|text)|sources\/products)\//;

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((name) =>
  /\.tsx?$/.test(name),
);

/** The scripts with their texts, without installed packages. */
function scripts(): [string, string][] {
  return readdirSync(SCRIPTS, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.[cm]?[jt]s$/.test(name) && !name.includes('node_modules/'))
    .map((name) => [join('scripts', name), readFileSync(join(SCRIPTS, name), 'utf8')]);
}

/** The modules of the project that each file imports, types included. */
function importGraph(): Map<string, string[]> {
  const graph = new Map(files.map((file) => [file, [] as string[]]));
  for (const { file, from } of imports)
    if (from.startsWith('.')) graph.get(file)?.push(normalize(join(dirname(file), from)));
  return graph;
}

/** The scripts that each script imports, types included. */
function scriptGraph(): Map<string, string[]> {
  return new Map(
    scripts().map(([file, text]) => {
      const froms = Array.from(text.matchAll(/\bfrom '(\.[^']+)'/g), ([, from]) => String(from));
      return [file, froms.map((from) => normalize(join(dirname(file), from)))];
    }),
  );
}

/** Finds an import cycle and returns its files, or nothing. */
function findCycle(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (file: string): string[] => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return [];
    path.push(file);
    for (const next of graph.get(file) ?? []) {
      const cycle = visit(next);
      if (cycle.length > 0) return cycle;
    }
    path.pop();
    done.add(file);
    return [];
  };
  for (const file of graph.keys()) {
    const cycle = visit(file);
    if (cycle.length > 0) return cycle;
  }
  return [];
}

/** Removes comments from code. */
function codeOf(text: string): string {
  return text.replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, '');
}

/** Returns the package of an import, or the module of Node. */
function packageOf(from: string): string {
  return /^(?:@[^/]+\/)?[^/]+/.exec(from)?.[0] ?? from;
}

const texts = new Map(files.map((file) => [file, readFileSync(join(SRC, file), 'utf8')]));
const imports: Import[] = [...texts].flatMap(([file, text]) => [
  ...Array.from(
    text.matchAll(/^(?:import|export) (type )?[^;'"]*?from '([^']+)'/gm),
    ([, type, from]) => ({
      file,
      from: String(from),
      isType: type !== undefined,
    }),
  ),
  ...Array.from(text.matchAll(/(?:\bimport\(|^import )'([^']+)'/gm), ([, from]) => ({
    file,
    from: String(from),
    isType: false,
  })),
]);

describe('The architecture', () => {
  it('is read from the imports: there are files and imports in every layer', () => {
    for (const layer of Object.keys(LAYERS).filter((name) => LAYERS[name]?.length))
      assert.ok(
        imports.some(({ file }) => file.startsWith(layer)),
        layer,
      );
    const found = new Set(files.map((file) => file.split('/')[0]));
    assert.deepEqual(found, new Set(Object.keys(LAYERS)), 'a folder that is no layer');
  });

  it('is on the map in CONTRIBUTING.md: every layer, every folder in it, and a file to start from', () => {
    const map = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
    const rows = Array.from(map.matchAll(/^\| `(\w+)\/` \|(.*)\| `([\w/-]+\.ts)` \|$/gm));
    assert.deepEqual(
      rows.map(([, layer]) => layer),
      Object.keys(LAYERS).filter((name) => !name.includes('.')),
    );
    for (const [, layer = '', folders = '', first = ''] of rows) {
      assert.ok(files.includes(`${layer}/${first}`), `${layer}/${first}`);
      const named = Array.from(folders.matchAll(/`([\w-]+)\/`/g), ([, name]) => name);
      const there = readdirSync(join(SRC, layer), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name);
      assert.deepEqual(new Set(named), new Set(there), layer);
    }
  });

  it('lets a layer import only the layers below it', () => {
    for (const [file, targets] of importGraph())
      for (const target of targets) {
        const [layer = '', other = ''] = [file.split('/')[0], target.split('/')[0]];
        assert.ok(other === layer || LAYERS[layer]?.includes(other), `${file} imports ${target}`);
      }
  });

  it('lets the pages of the app import only what runs in a browser, and nothing import the pages', () => {
    for (const [file, targets] of importGraph())
      for (const target of targets) {
        if (!file.startsWith('app/browser/')) assert.doesNotMatch(target, /^app\/browser\//, file);
        else
          assert.match(
            target,
            /^(lib|text|contract|client|app\/browser)\/|^app\/(?:contract\/(?:app-routes|records|(?:event|import|share|source)-records|app-targets)|samples|screens)\.ts$/,
            file,
          );
      }
  });

  it('has no import cycle, also not of types', () => {
    assert.deepEqual(findCycle(importGraph()), []);
    assert.deepEqual(findCycle(scriptGraph()), []);
    assert.deepEqual(
      findCycle(
        new Map([
          ['a', ['b']],
          ['b', ['c']],
          ['c', ['b']],
        ]),
      ),
      ['b', 'c', 'b'],
    );
  });

  it('has nothing that a bundler of an embedding program follows to a file that is not there', () => {
    const own = [...texts].filter(([file]) => !/^(?:cli|app\/browser)\//.test(file));
    for (const [file, text] of own) {
      const code = text.replaceAll(/^\s*(?:\/\/|\*|\/\*\*).*$/gm, '');
      assert.doesNotMatch(code, /new URL\([^()]*import\.meta\.url/, file);
      for (const [, target = ''] of code.matchAll(/\bimport\(([^)]*)/g))
        assert.match(target, /^'|webpackIgnore: true \*\/ \/\* turbopackIgnore: true/, file);
    }
  });

  it('gives each dependency one home, and the contract no I/O', () => {
    for (const { file, from, isType } of imports.filter((each) => !each.from.startsWith('.'))) {
      if (isType) continue;
      const homes =
        HOMES[from.startsWith('node:') ? from : packageOf(from)] ??
        (from.startsWith('node:')
          ? [
              'store/',
              'embeddings/',
              'gateway/',
              'app/app-files.ts',
              'app/server/',
              'connect/',
              'cli/',
            ]
          : []);
      assert.ok(
        homes.some((home) => file.startsWith(home)),
        `${file} imports ${from}`,
      );
    }
    const known = new Set(imports.flatMap(({ from }) => [from, packageOf(from)]));
    for (const module of Object.keys(HOMES))
      assert.ok(known.has(module), `nothing imports ${module}`);
  });

  it('keeps `process`, `console` and timers out of all but the program', () => {
    for (const [file, text] of texts) {
      if (file.startsWith('cli/') || file === 'node-version.ts') continue;
      assert.doesNotMatch(codeOf(text), /\b(process\.|console\.)/, file);
      if (!WITH_TIMERS.some((home) => file.startsWith(home)))
        assert.doesNotMatch(text, /\bset(Timeout|Interval)\(/, file);
    }
  });

  it('reads the environment and arguments when it runs, never while a module is loaded', () => {
    for (const [file, text] of texts)
      assert.doesNotMatch(
        codeOf(text),
        /^(export )?(const|let) [^=]*=(?!>)(?![^;]*=>)[^;]*\bprocess\.(env|argv|cwd|pid|ppid|std\w+|execPath)\b/m,
        file,
      );
  });

  it('loads the descriptions of the API on demand, and not to serve memories', () => {
    const statically = /^(?:import|export) (?!type )[^;']*?from '([^']*)'/gm;
    for (const [file, text] of texts) {
      if (file.startsWith('contract/openapi/')) continue;
      for (const [, from] of text.matchAll(statically)) {
        const target = normalize(join(dirname(file), String(from)));
        assert.doesNotMatch(target, /^contract\/openapi\//, file);
      }
    }
  });

  it('has SQL in sql/ alone: every query is written with the builder', () => {
    for (const [file, text] of texts) {
      assert.doesNotMatch(codeOf(text), /['"`](SELECT|INSERT|UPDATE|DELETE|CREATE) /, file);
      assert.doesNotMatch(codeOf(text), /\bsql`/, file);
    }
  });

  it('gives the program its streams, environment and signals as a context', () => {
    const real = new Set(['cli/main.ts', 'cli/first.ts', 'cli/process.ts']);
    for (const [file, text] of texts)
      if (file.startsWith('cli/') && !real.has(file))
        assert.doesNotMatch(
          codeOf(text),
          /\bprocess\.(?:argv|env|exit|exitCode|kill|off|on|once|stdin|stdout|stderr)\b/,
          file,
        );
  });

  it('has files of at most 250 lines, each with a sentence in its first line', () => {
    for (const [file, text] of [...texts, ...scripts()]) {
      const lines = text.replace(/^#!.*\n/, '').split('\n');
      assert.match(lines[0] ?? '', /^\/\/ .{20,}\.$/, file);
      assert.ok(lines.length <= 251, `${file}: ${lines.length - 1} lines`);
      assert.doesNotMatch(text, /export default|@ts-ignore|oxlint-disable/, file);
    }
  });

  it('has a file of fewer than 30 lines only if two others import it', () => {
    const importers = new Map<string, number>();
    for (const targets of importGraph().values())
      for (const target of new Set(targets))
        importers.set(target, 1 + (importers.get(target) ?? 0));
    for (const [file, text] of texts)
      if (text.split('\n').length - 1 < 30 && !MAY_BE_SHORT.test(file))
        assert.ok((importers.get(file) ?? 0) >= 2, file);
  });

  it('has a docstring for every exported name', () => {
    for (const [file, text] of texts) {
      const bare = text.matchAll(
        /^(?<!\*\/\n)export (?:async )?(?:function|const|interface|type|class) (\w+)/gm,
      );
      assert.deepEqual(
        Array.from(bare, ([, name]) => name),
        [],
        file,
      );
    }
  });

  it('excludes from coverage only files without code, and those that are measured on PostgreSQL', () => {
    const read = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
    const { exclude, lines } = read('.c8rc.json');
    const there = read('test/postgres/c8.json');
    assert.ok(there.lines >= lines);
    for (const path of exclude as string[]) {
      // The pages run in Chromium, where test/browser/app/ opens every screen.
      if (there.include.includes(path) || path.startsWith('src/app/browser/')) continue;
      const text = codeOf(readFileSync(join(ROOT, path), 'utf8'));
      assert.doesNotMatch(
        text,
        /^(import (?!type )|export (?!type |interface )|const |let |function |class )/m,
        path,
      );
    }
  });

  it('has exact versions of its dependencies, and none that it does not import', () => {
    const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const used = imports
      .filter(({ from }) => !/^[.]|^node:/.test(from))
      .map(({ file, from }) => ({ file, from: packageOf(from) }));
    const byLibrary = new Set(
      used
        .filter(({ file }) => !/^(cli|connect|formats|app\/browser)\//.test(file))
        .map(({ from }) => from),
    );
    // Users of a file do not install the PostgreSQL driver.
    const needed = [...byLibrary].filter((name) => !Object.hasOwn(manifest.peerDependencies, name));
    assert.deepEqual(Object.keys(manifest.dependencies).toSorted(), needed.toSorted());
    for (const name of Object.keys(manifest.peerDependencies))
      assert.deepEqual(manifest.peerDependenciesMeta[name], { optional: true });
    // Packages that only the program uses are in its bundle.
    for (const { from } of used)
      assert.ok(byLibrary.has(from) || Object.hasOwn(manifest.devDependencies, from), from);
    for (const [name, version] of Object.entries({
      ...manifest.dependencies,
      ...manifest.devDependencies,
    })) {
      assert.match(String(version), /^\d+\.\d+\.\d+$/, name);
    }
  });
});
