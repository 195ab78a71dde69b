// The differences between the executable and the package, as plugins of the bundler.

import { join } from 'node:path';

import type { Plugin } from 'esbuild';

import { ROOT } from '../bundling.ts';

const HERE = join(ROOT, 'scripts/binary');

/** Puts the executable's own files, its way to work on jobs, and its addon in the place of those of the package. */
export const instead: Plugin = {
  name: 'instead',
  setup: (builder) => {
    const put = (filter: RegExp, contents: string) =>
      builder.onLoad({ filter }, () => ({ contents, resolveDir: HERE }));
    put(/\/src\/files\.ts$/, `export * from './files.ts';`);
    put(/\/jobs\/start-thread\.ts$/, `export * from './start-thread.ts';`);
    put(/\.node$/, `module.exports = require('./addon.ts').getBinding();`);
  },
};

/**
 * Modules of Node that a snapshot cannot contain, or that Node calls untested in one. Each is
 * loaded on first use.
 */
const LATER =
  /^(node:)?(child_process|http|https|module|perf_hooks|readline|sea|stream\/consumers|tls|tty|worker_threads)$/;

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
