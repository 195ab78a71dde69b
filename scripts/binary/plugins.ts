// The differences between the executable and the package, as plugins of the bundler.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Plugin } from 'esbuild';

import { ROOT } from '../bundling.ts';

const HERE = join(ROOT, 'scripts/binary');

/** Modules to replace: their paths, and their exports in the executable. */
const INSTEAD: readonly (readonly [RegExp, string])[] = [
  [/\/src\/files\.ts$/, `export * from './files.ts';`],
  // The original looks for its addon in its own package.
  [/\/better-sqlite3\/lib\/binding\.js$/, `export { getBinding } from './addon.ts';`],
  // Threads for logs: the program does not use them, and a snapshot cannot contain the modules that
  // they load.
  [/\/pino\/lib\/transport\.js$/, `module.exports = () => { throw new Error('no transports'); };`],
];

/**
 * Keeps the build machine's host name out of a snapshot: pino reads it while it loads, and the
 * program's log entries have none.
 */
export const nameless: Plugin = {
  name: 'nameless',
  setup: (builder) => {
    builder.onLoad({ filter: /\/pino\/pino\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace('os.hostname()', `''`),
    }));
  },
};

/** Replaces modules by the versions for the executable. */
export const instead: Plugin = {
  name: 'instead',
  setup: (builder) => {
    for (const [filter, contents] of INSTEAD)
      builder.onLoad({ filter }, () => ({ contents, resolveDir: HERE }));
  },
};

/**
 * Modules of Node that a snapshot cannot contain, or that Node calls untested in one. Each is
 * loaded on first use.
 */
const LATER = /^(node:)?(http|https|module|perf_hooks|readline|sea|tls|tty|worker_threads)$/;

/** Makes modules of Node load on first use. */
export const later: Plugin = {
  name: 'later',
  setup: (builder) => {
    builder.onResolve({ filter: LATER }, ({ path, namespace }) =>
      namespace === 'later' ? { path, external: true } : { path, namespace: 'later' },
    );
    builder.onLoad({ filter: /.*/, namespace: 'later' }, async ({ path }) => {
      const names = Object.keys((await import(path)) as object).filter(
        (name) => name !== 'default',
      );
      const getters = names.map((name) => `get ${name}() { return require('${path}').${name}; }`);
      return { contents: `module.exports = {\n${getters.join(',\n')}\n};`, loader: 'js' };
    });
  },
};
