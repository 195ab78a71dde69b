// What is another in the executable than in the package, as plugins of the bundler.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Plugin } from 'esbuild';

import { ROOT } from '../bundling.ts';

const HERE = join(ROOT, 'scripts/binary');

/** Modules that others take the place of: where they are, and what they export then. */
const INSTEAD: readonly (readonly [RegExp, string])[] = [
  [/\/src\/files\.ts$/, `export * from './files.ts';`],
  // It looks for its addon beside itself.
  [/\/better-sqlite3\/lib\/binding\.js$/, `export { getBinding } from './addon.ts';`],
  // Threads that write logs: nobody asks for them, and a snapshot cannot hold what they load.
  [/\/pino\/lib\/transport\.js$/, `module.exports = () => { throw new Error('no transports'); };`],
];

/** Leaves out of a snapshot the name of the machine that made it: pino asks for it as it is loaded, and no line of ours has it. */
export const nameless: Plugin = {
  name: 'nameless',
  setup: (builder) => {
    builder.onLoad({ filter: /\/pino\/pino\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace('os.hostname()', `''`),
    }));
  },
};

/** Puts modules of the executable in the place of others. */
export const instead: Plugin = {
  name: 'instead',
  setup: (builder) => {
    for (const [filter, contents] of INSTEAD)
      builder.onLoad({ filter }, () => ({ contents, resolveDir: HERE }));
  },
};

/** Modules of Node that a snapshot cannot hold, or of which Node says that nobody has tried it: each is loaded when something of it is first used. */
const LATER = /^(node:)?(http|https|module|perf_hooks|readline|sea|tls|tty|worker_threads)$/;

/** Has modules of Node loaded when something of them is used. */
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
