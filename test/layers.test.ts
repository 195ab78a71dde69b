// The architecture: who may import whom, where each dependency lives, and the house rules that a test can read.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, it } from 'node:test';

import { ROOT } from './support/program.ts';

const SRC = join(ROOT, 'src');
const SCRIPTS = join(ROOT, 'scripts');

/** Each layer and those it may import, beside itself. */
const LAYERS: Record<string, readonly string[]> = {
  contract: [],
  client: ['contract'],
  formats: ['contract'],
  store: ['contract', 'files.ts'],
  gateway: ['contract', 'store', 'files.ts'],
  cli: ['contract', 'store', 'gateway', 'formats', 'files.ts', 'node.ts'],
  'index.ts': ['contract', 'store', 'gateway', 'first.ts'],
  'first.ts': ['node.ts'],
  'files.ts': [],
  'node.ts': [],
};

/** Where a module may be imported as a value; its types may travel. Modules of Node not listed are at home in store, gateway and cli. */
const HOMES: Record<string, readonly string[]> = {
  '@valibot/to-json-schema': ['contract/jsonschema.ts'],
  'better-sqlite3': ['store/sqlite/file.ts'],
  'cli-progress': ['cli/progress.ts'],
  'env-paths': ['cli/demo.ts'],
  kysely: ['store/'],
  'lru-cache': ['gateway/asked.ts', 'gateway/cache.ts', 'gateway/throttle.ts'],
  leven: ['gateway/refuse.ts'],
  negotiator: ['gateway/coding.ts'],
  pg: ['store/postgres/driver.ts'],
  pino: ['cli/logger.ts'],
  'pino-pretty': ['cli/logger.ts'],
  'prom-client': ['cli/admin/metrics.ts'],
  'temporal-polyfill': ['gateway/moment.ts'],
  'stream-chain': ['formats/stream.ts'],
  'stream-json': ['formats/stream.ts', 'formats/assemble.ts'],
  uuid: ['store/', 'formats/id.ts'],
  yauzl: ['cli/import/archive.ts'],
  valibot: ['contract/', 'client/', 'store/', 'gateway/', 'formats/', 'cli/'],
  'node:cluster': ['cli/fork.ts', 'cli/worker.ts', 'cli/workers.ts'],
  'node:http': ['gateway/server.ts', 'gateway/stream.ts'],
  'node:fs': [
    'store/',
    'files.ts',
    'cli/admin/process.ts',
    'cli/demo.ts',
    'cli/doctor/disk.ts',
    'cli/print.ts',
    'cli/logger.ts',
    'cli/import/',
    'cli/export/output.ts',
    'cli/export/folder.ts',
  ],
  'node:fs/promises': ['cli/import/'],
};

interface Import {
  readonly file: string;
  readonly from: string;
  readonly isType: boolean;
}

/** What has timers of its own beside the program: readers, statements and calls that must end. */
const WITH_TIMERS = new Set([
  'contract/pause.ts',
  'gateway/linger.ts',
  'gateway/server.ts',
  'store/postgres/asking.ts',
]);

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.ts'),
);

/** The scripts with their texts, without what is installed beside them. */
function scripts(): [string, string][] {
  return readdirSync(SCRIPTS, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.[cm]?[jt]s$/.test(name) && !name.includes('node_modules/'))
    .map((name) => [join('scripts', name), readFileSync(join(SCRIPTS, name), 'utf8')]);
}

/** Code without its comments. */
function codeOf(text: string): string {
  return text.replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, '');
}

/** The package of what is imported, or the module of Node. */
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
  it('is read off the imports: there are files and imports in every layer', () => {
    for (const layer of Object.keys(LAYERS).filter((name) => name !== 'node.ts'))
      assert.ok(
        imports.some(({ file }) => file.startsWith(layer)),
        layer,
      );
    const found = new Set(files.map((file) => file.split('/')[0]));
    assert.deepEqual(found, new Set(Object.keys(LAYERS)), 'a folder without a place in the layers');
  });

  it('lets imports run left only', () => {
    for (const { file, from } of imports.filter((each) => each.from.startsWith('.'))) {
      const target = normalize(join(dirname(file), from));
      const [layer = '', other = ''] = [file.split('/')[0], target.split('/')[0]];
      assert.ok(other === layer || LAYERS[layer]?.includes(other), `${file} imports ${target}`);
    }
  });

  it('gives each dependency one home, and the contract no I/O', () => {
    for (const { file, from, isType } of imports.filter((each) => !each.from.startsWith('.'))) {
      if (isType) continue;
      const homes =
        HOMES[from.startsWith('node:') ? from : packageOf(from)] ??
        (from.startsWith('node:') ? ['store/', 'gateway/', 'cli/'] : []);
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
      if (file.startsWith('cli/') || file === 'node.ts') continue;
      assert.doesNotMatch(codeOf(text), /\b(process\.|console\.)/, file);
      if (!WITH_TIMERS.has(file)) assert.doesNotMatch(text, /\bset(Timeout|Interval)\(/, file);
    }
  });

  it('reads what a run is given when it runs, and never as a module is loaded', () => {
    for (const [file, text] of texts)
      assert.doesNotMatch(
        codeOf(text),
        /^(export )?(const|let) [^=]*=(?!>)(?![^;]*=>)[^;]*\bprocess\.(env|argv|cwd|pid|ppid|std\w+|execPath)\b/m,
        file,
      );
  });

  it('loads what describes the API when that is asked for, and not to serve memories', () => {
    const statically = /^(?:import|export) (?!type )[^;']*?from '([^']*)'/gm;
    for (const [file, text] of texts) {
      if (file === 'contract/openapi.ts') continue;
      for (const [, from] of text.matchAll(statically)) {
        const target = normalize(join(dirname(file), String(from)));
        assert.doesNotMatch(target, /^contract\/(openapi|jsonschema)\.ts$/, file);
      }
    }
  });

  it('has SQL in sql/ alone: every query is written with the builder', () => {
    for (const [file, text] of texts) {
      if (file === 'store/sqlite/file.ts') continue; // counts the tables of a file that may be foreign
      assert.doesNotMatch(text, /['"`](SELECT|INSERT|UPDATE|DELETE|CREATE) /, file);
      assert.doesNotMatch(text, /\bsql`/, file);
    }
  });

  it('keeps files short, each with a first line that says what it is', () => {
    for (const [file, text] of [...texts, ...scripts()]) {
      const lines = text.replace(/^#!.*\n/, '').split('\n');
      assert.match(lines[0] ?? '', /^\/\/ .{20,}[.?]$/, file);
      assert.ok(lines.length <= 151, `${file}: ${lines.length} lines`);
      assert.doesNotMatch(text, /export default|@ts-ignore|oxlint-disable/, file);
    }
  });

  it('says of every exported name what it is', () => {
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

  it('leaves out of coverage only files that hold types and nothing that runs, or that are measured on PostgreSQL', () => {
    const read = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
    const { exclude, lines } = read('.c8rc.json');
    const there = read('test/postgres/c8.json');
    assert.ok(there.lines >= lines);
    for (const path of exclude as string[]) {
      if (there.include.includes(path)) continue;
      const text = codeOf(readFileSync(join(ROOT, path), 'utf8'));
      assert.doesNotMatch(
        text,
        /^(import (?!type )|export (?!type |interface )|const |let |function |class )/m,
        path,
      );
    }
  });

  it('names its dependencies exactly, and takes none that it does not import', () => {
    const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const used = imports
      .filter(({ from }) => !/^[.]|^node:/.test(from))
      .map(({ file, from }) => ({ file, from: packageOf(from) }));
    const byLibrary = new Set(
      used.filter(({ file }) => !/^(cli|formats)\//.test(file)).map(({ from }) => from),
    );
    // What a database on a server takes is not installed for those who have a file.
    const needed = [...byLibrary].filter((name) => !Object.hasOwn(manifest.peerDependencies, name));
    assert.deepEqual(Object.keys(manifest.dependencies).toSorted(), needed.toSorted());
    for (const name of Object.keys(manifest.peerDependencies))
      assert.deepEqual(manifest.peerDependenciesMeta[name], { optional: true });
    // What the program alone uses is in its bundle.
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
