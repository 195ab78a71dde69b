// The manual's pages: README, docs/ and other Markdown pages, with their headings, links and blocks of code.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import MarkdownIt, { type Token } from 'markdown-it';

import { ROOT } from '../bundling.ts';
import { anchorOf } from './anchor.ts';

/** A block of code. */
export interface Block {
  /** The language, such as `sh`. */
  readonly language: string;
  /** The words after the language, such as `no-run needs root`. */
  readonly info: string;
  readonly code: string;
  /** The line that opens the block, from 1. */
  readonly line: number;
}

/** A page of the manual. */
export interface Page {
  /** Its path from the root, such as `docs/index.md`. */
  readonly path: string;
  readonly text: string;
  /** The heading at its top. */
  readonly title: string;
  /** The anchors of its headings, as GitHub makes them. */
  readonly anchors: ReadonlySet<string>;
  /** The targets of its links and pictures. */
  readonly links: readonly string[];
  readonly blocks: readonly Block[];
}

/** Pages outside docs/ whose links and lengths are also checked. */
const BESIDE = ['README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'CHANGELOG.md'];

/** Reads every page of the manual. */
export function readPages(): Page[] {
  const docs = existsSync(join(ROOT, 'docs'))
    ? readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    : [];
  const paths = docs.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`);
  return [...BESIDE, ...paths.toSorted()].map(readPage);
}

const markdown = new MarkdownIt({ html: true, linkify: false });

/** Reads one page. */
export function readPage(path: string): Page {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const tokens = markdown.parse(text, {});
  const all = tokens.flatMap((token) => [token, ...(token.children ?? [])]);
  return {
    path,
    text,
    title: /^# (.+)$/m.exec(text)?.[1] ?? path,
    anchors: anchorsOf(tokens),
    links: all.flatMap(linksOf),
    blocks: tokens
      .filter(({ type }) => type === 'fence')
      .map(({ info, content, map }) => {
        const [language = '', ...rest] = info.trim().split(' ');
        return { language, info: rest.join(' '), code: content, line: (map?.[0] ?? 0) + 1 };
      }),
  };
}

/** Returns the targets of links in Markdown or HTML. */
function linksOf(token: Token): string[] {
  if (token.type.startsWith('html'))
    return Array.from(token.content.matchAll(/\b(?:href|src)="([^"]+)"/g), ([, to]) => String(to));
  const to = token.attrGet('href') ?? token.attrGet('src');
  return typeof to === 'string' ? [to] : [];
}

/** Lists the anchors of a page's headings. A repeated heading gets a number. */
function anchorsOf(tokens: readonly Token[]): Set<string> {
  const anchors = new Set<string>();
  for (const [i, { type }] of tokens.entries()) {
    if (type !== 'heading_open') continue;
    const slug = anchorOf(plainText(tokens[i + 1]?.children ?? []));
    let anchor = slug;
    for (let n = 1; anchors.has(anchor); n += 1) anchor = `${slug}-${n}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** Returns the text of a heading without markup. */
function plainText(heading: readonly Token[]): string {
  return heading
    .filter(({ type }) => type === 'text' || type === 'code_inline')
    .map(({ content }) => content)
    .join('');
}
