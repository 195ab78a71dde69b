// npm run docs: the manual as a static site with search, in out/docs. It installs VitePress for itself.

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../bundling.ts';
import { flag, runScript, say, word } from '../command.ts';
import { areInstalled, install } from '../on-demand.ts';
import { findForeign } from './foreign.ts';
import { putSite } from './site.ts';

const HELP = `Builds the manual as a static site, with search: out/docs.

Usage: npm run docs -- [OPTIONS]

  --serve      serve the site on 127.0.0.1:4173 until Ctrl+C
  --base PATH  build for a path of a host, such as /memory-gateway/ [default: /]
  --help       show this
`;

const HERE = join(ROOT, 'scripts/docs');
const SITE = join(HERE, 'site');
const OUT = join(ROOT, 'out/docs');

const options = { serve: flag, base: { ...word, default: '/' } };

await runScript({ name: 'docs', help: HELP, options }, async ({ values }) => {
  if (!areInstalled(HERE)) install(HERE);
  putSite(SITE);
  vitepress('build', '.', '--base', values.base);
  requireOwn();
  say(`The site is in ${OUT}. Any web server can serve it.`);
  if (values.serve) vitepress('preview', '.', '--port', '4173');
});

/** Throws if a page or a style of the site loads something from another host. */
function requireOwn(): void {
  const files = readdirSync(OUT, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(html|css)$/.test(name))
    .map((name) => ({ name, text: readFileSync(join(OUT, name), 'utf8') }));
  const foreign = files.flatMap(({ name, text }) =>
    findForeign(text).map((it) => `${name}: ${it}`),
  );
  if (foreign.length > 0)
    throw new Error(`The site loads from other hosts:\n${foreign.join('\n')}`);
}

/**
 * Runs VitePress. Its warnings appear only if it fails, because one of them is always there: it is
 * about tsconfig.json.
 */
function vitepress(...args: string[]): void {
  const program = join(HERE, 'node_modules/vitepress/bin/vitepress.js');
  const { status, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: SITE,
    stdio: ['inherit', 'inherit', 'pipe'],
    encoding: 'utf8',
  });
  if (status === 0) return;
  process.stderr.write(stderr);
  process.exit(1);
}
