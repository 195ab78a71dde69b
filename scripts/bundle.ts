// A step of npm run build: the program in one file, beside it what few runs load, and the licences of all that is in them.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Plugin } from 'esbuild';

import { bundle, licences, ROOT } from './bundling.ts';

const to = process.argv[2] ?? join(ROOT, 'dist/cli/');

/** Loaded for PostgreSQL, for a terminal, for metrics, and for a date in a time zone before Node 26: files of their own, which no other run reads. */
const LATER = ['cli-progress', 'pg', 'pino-pretty', 'prom-client', 'temporal-polyfill'];

const later: Plugin = {
  name: 'later',
  setup: (builder) => {
    builder.onResolve({ filter: new RegExp(`^(${LATER.join('|')})$`) }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path: `./${path}.cjs`, external: true } : undefined,
    );
  },
};

// What ES modules have and CommonJS has not; and where better-sqlite3 looks for its addons, which
// stay in its own package: there is one for every machine.
const head = `"use strict";
const __url = require('node:url').pathToFileURL(__filename).href;
const __lib = require('node:path').dirname(require.resolve('better-sqlite3'));`;

const program = await bundle({
  to,
  entries: ['src/cli/main.ts'],
  head,
  define: { 'import.meta.url': '__url', __dirname: '__lib' },
  plugins: [later],
});
const rest = await bundle({ to, entries: LATER });

writeFileSync(join(to, 'LICENSES.txt'), licences([...program, ...rest]));
