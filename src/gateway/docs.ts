// The reference page at /docs and what it loads: a viewer for /openapi.json, served from the package itself.

import { hash } from 'node:crypto';

import { readOwn } from '../files.ts';
import { packOnce } from './coding.ts';
import type { Document } from './document.ts';

/** The files of swagger-ui-dist that are served, and travel with the built package, under their own names. */
export const VIEWER_FILES = [
  'swagger-ui-bundle.js',
  'swagger-ui.css',
  'swagger-ui-bundle.js.LICENSE.txt',
  'LICENSE',
  'NOTICE',
] as const;

// The viewer is no dependency of the package, for its own dependency reports installs to a third
// party: `npm run build` copies the files, and a clone, which runs the sources, has it installed.
const OWN = new URL('../viewer/', import.meta.url);
const VIEWER = import.meta.url.endsWith('.ts')
  ? new URL('../../node_modules/swagger-ui-dist/', import.meta.url)
  : OWN;

// A key is pasted into this page, so it may talk to its own origin only, and nobody may frame it.
// The arrows and marks in the viewer's style sheet are `data:` images.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE_HEADERS = [
  'content-security-policy',
  POLICY,
  'referrer-policy',
  'no-referrer',
  'cross-origin-opener-policy',
  'same-origin',
];

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
};

// All that can be asked for: no path is ever made of what a caller sends.
const files = new Map<string, URL>([
  ['', new URL('page.html', OWN)],
  ['start.js', new URL('start.js', OWN)],
  ['style.css', new URL('style.css', OWN)],
  ...VIEWER_FILES.map((name) => [name, new URL(name, VIEWER)] as const),
]);

/** Gives the page, named `''`, or a file beside it. Throws when it cannot be read. */
export type DocsFile = (name: string) => Document | undefined;

/** Makes the function that reads each file when it is first asked for, and keeps it. */
export function createDocs(): DocsFile {
  const held = new Map<string, Document>();
  return (name) => {
    const file = files.get(name);
    return file && (held.get(name) ?? hold(name, file));
  };

  function hold(name: string, file: URL): Document {
    const document = read(name, file);
    held.set(name, document);
    return document;
  }
}

function read(name: string, file: URL): Document {
  const extension = file.pathname.slice(file.pathname.lastIndexOf('.') + 1);
  const body = readOwn(file);
  return {
    type: TYPES[extension] ?? 'text/plain; charset=utf-8',
    etag: hash('sha256', body),
    body,
    pack: packOnce(body),
    headers: name === '' ? PAGE_HEADERS : [],
  };
}
