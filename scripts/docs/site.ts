// Puts the manual's pages into a folder in the layout of the site: the README first, and a page for each other file they link.

import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, extname, join, normalize, posix } from 'node:path';

import { ROOT } from '../bundling.ts';
import { readPages, type Page } from './pages.ts';

/** File types that a browser shows by itself. They stay files. */
const MEDIA = new Set(['.png', '.svg', '.jpg', '.webp']);

/** Writes the pages, the files they link, and the menu. */
export function putSite(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  const pages = readPages();
  const linked = new Set<string>();
  for (const page of pages) {
    const text = page.text.replaceAll(/(\]\(|href=")([^)\s"]+)/g, (all, before, link: string) => {
      const to = resolve(page, link);
      if (to === undefined || MEDIA.has(extname(to))) return all;
      if (!to.endsWith('.md')) linked.add(to);
      return `${before}${linkTo(page, link, nameOf(to))}`;
    });
    put(folder, nameOf(page.path), isForContributors(page) ? `${UNSEARCHED}${text}` : text);
  }
  for (const path of linked) put(folder, nameOf(path), `${UNSEARCHED}${pageOf(path)}`);
  for (const path of new Set(pages.flatMap(mediaOf)))
    cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  writeFileSync(join(folder, 'menu.json'), JSON.stringify(menuOf(pages)));
  for (const name of ['settings.mjs', 'anchor.ts'])
    cpSync(join(ROOT, 'scripts/docs', name), join(folder, '.vitepress', name));
  put(
    folder,
    '.vitepress/config.mjs',
    "// VitePress reads its settings from this file.\nexport { settings as default } from './settings.mjs';\n",
  );
}

/** Front matter that keeps a page out of the search. */
const UNSEARCHED = '---\nsearch: false\n---\n\n';

/** Whether a page is for those who change the code. Readers of the manual reach it by links alone. */
const isForContributors = ({ path }: Page): boolean =>
  path === 'CONTRIBUTING.md' || path.startsWith('docs/contributing/');

function put(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/**
 * Returns the path from the root that a link leads to, or undefined for another site or the page
 * itself.
 */
function resolve(page: Page, link: string): string | undefined {
  const [file = ''] = link.split('#');
  if (file === '' || /^[a-z]+:/i.test(file)) return undefined;
  return normalize(join(dirname(page.path), file)).replace(/\/$/, '');
}

const mediaOf = (page: Page): string[] =>
  page.links
    .map((link) => resolve(page, link))
    .filter((path) => path !== undefined)
    .filter((path) => MEDIA.has(extname(path)));

/**
 * Returns the name of a page on the site: the README is its first page, and other files become
 * pages.
 */
function nameOf(path: string): string {
  if (path === 'README.md') return 'index.md';
  // VitePress makes no page of a hidden file.
  return path.endsWith('.md') ? path : `${path.replace(/(^|\/)\./, '$1')}.md`;
}

function linkTo(page: Page, link: string, name: string): string {
  const [, anchor] = link.split('#');
  const path = posix.relative(dirname(page.path), name);
  return `${path.startsWith('.') ? '' : './'}${path}${anchor === undefined ? '' : `#${anchor}`}`;
}

/** Creates a page that shows a file, or lists the files of a folder. */
function pageOf(path: string): string {
  if (!statSync(join(ROOT, path)).isDirectory())
    return `# ${path}\n\n\`\`\`\`\n${readFileSync(join(ROOT, path), 'utf8')}\n\`\`\`\`\n`;
  const files = readdirSync(join(ROOT, path)).map((name) => `- \`${name}\``);
  return `# ${path}\n\n${files.join('\n')}\n`;
}

interface Entry {
  readonly text: string;
  readonly link?: string;
  readonly collapsed?: boolean;
  readonly items?: Entry[];
}

const KINDS = {
  tutorial: 'Tutorials',
  howto: 'How-to',
  reference: 'Reference',
  explanation: 'Explanation',
};

/**
 * Creates the menu: the pages by kind, in the order of the map, then pages that it does not name.
 */
function menuOf(pages: readonly Page[]): { nav: Entry[]; sidebar: Entry[] } {
  const map = pages.find(({ path }) => path === 'docs/index.md');
  const order = map?.links.map((link) => resolve(map, link)) ?? [];
  const place = ({ path }: Page) => {
    const found = order.indexOf(path);
    return found === -1 ? order.length : found;
  };
  const inFolder = (folder: string): Entry[] =>
    pages
      .filter(({ path }) => dirname(path) === folder)
      .toSorted((a, b) => place(a) - place(b))
      .map((page) => ({ ...entry(page), ...within(page.path.replace(/\.md$/, '')) }));
  const within = (folder: string) => {
    const items = inFolder(folder);
    return items.length > 0 ? { items, collapsed: true } : {};
  };
  const kinds = Object.entries(KINDS).map(([name, text]) => {
    const items = inFolder(`docs/${name}`);
    const folders = name === 'reference' ? inFolder('docs/reference/cli') : [];
    if (folders.length > 0) items.push({ text: 'Command line', collapsed: true, items: folders });
    return { text, items, collapsed: false };
  });
  const beside = pages.filter(
    (page) => dirname(page.path) === '.' && page.path !== 'README.md' && !isForContributors(page),
  );
  const first = [{ text: 'Overview', link: '/' }, ...(map ? [{ ...entry(map), text: 'Map' }] : [])];
  return {
    nav: [...first, ...beside.map(entry)],
    sidebar: [...first, ...kinds],
  };
}

const entry = ({ path, title }: Page): Entry => ({
  text: title.replaceAll('`', ''),
  link: `/${nameOf(path).replace(/\.md$/, '')}`,
});
