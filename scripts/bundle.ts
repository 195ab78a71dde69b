// A step of npm run build: bundles the program into one file, its first file and rarely used modules into others, and collects all licences.

import { writeFileSync } from 'node:fs';
import { join, parse } from 'node:path';

import type { Plugin } from 'esbuild';

import { BESIDE, bundle, licences, ROOT } from './bundling.ts';

const to = process.argv[2] ?? join(ROOT, 'dist/cli/');

/**
 * Modules for PostgreSQL, a terminal, metrics, and dates in a time zone before Node 26. Each gets a
 * file of its own, which other runs do not read.
 */
const LATER = ['cli-progress', 'pg', 'pino-pretty', 'prom-client', 'temporal-polyfill'];

/** The MCP SDK and the OAuth library, likewise. */
const LIBRARIES = ['src/agents/sdk.ts', 'src/connect/oidc.ts'];

const later: Plugin = {
  name: 'later',
  setup: (builder) => {
    builder.onResolve({ filter: new RegExp(`^(${LATER.join('|')})$`) }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path: `./${path}.cjs`, external: true } : undefined,
    );
    builder.onResolve({ filter: /\/(?:sdk|oidc)\.ts$/ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path: `./${parse(path).name}.cjs`, external: true } : undefined,
    );
  },
};

/** The first file is separate, because Node can cache only what it compiles later. That of the thread has the same program. */
const program: Plugin = {
  name: 'program',
  setup: (builder) => {
    builder.onResolve({ filter: /\/program\.ts$/ }, ({ kind }) =>
      kind === 'import-statement' ? { path: './program.cjs', external: true } : undefined,
    );
  },
};

// CommonJS has no `import.meta.url`. src/files.ts expects to be one folder below the package, so the
// bundle names a file in dist/. better-sqlite3 looks for its addons in its own package, which has one
// for every machine.
const head = `"use strict";
const __url = require('node:url').pathToFileURL(require('node:path').join(__dirname, '../program.cjs')).href;
const __lib = require('node:path').dirname(require.resolve('better-sqlite3'));`;

const first = await bundle({
  to,
  entries: ['scripts/package/main.ts', 'src/cli/serve/jobs/thread.ts'],
  plugins: [program],
});
const main = await bundle({
  to,
  entries: ['src/cli/program.ts'],
  head,
  define: { 'import.meta.url': '__url', __dirname: '__lib' },
  plugins: [later],
});
const rest = await bundle({ to, entries: [...LATER, ...LIBRARIES] });

writeFileSync(join(to, 'LICENSES.txt'), licences([...first, ...main, ...rest, ...BESIDE]));
