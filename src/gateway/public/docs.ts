// The reference page at /docs and its files: a viewer for /openapi.json, served from the package.

import { hash } from 'node:crypto';

import { isSource, readOwn } from '../../files.ts';
import { createEncoded, type Encoded } from '../response/compression.ts';

/** A public document: its whole body and its headers. */
export interface PublicDocument {
  /** The media type with its charset. */
  readonly type: string;
  /** The SHA-256 of the body. */
  readonly etag: string;
  readonly body: Uint8Array<ArrayBuffer>;
  /** Encodes the body once per encoding, so that callers without a key cannot make us compress it repeatedly. */
  readonly encoded: Encoded;
  /** Additional headers: name, value, name, value, … */
  readonly headers: readonly string[];
}

/** The files of swagger-ui-dist that are served and packaged, under their own names. */
export const VIEWER_FILES = [
  'swagger-ui-bundle.js',
  'swagger-ui.css',
  'swagger-ui-bundle.js.LICENSE.txt',
  'LICENSE',
  'NOTICE',
] as const;

// The viewer is no dependency of the package, because one of its own dependencies reports installs to a
// third party. A clone has it installed, and `npm run build` copies its files.
const OWN_FOLDER = isSource ? 'src/gateway/public/viewer/' : 'dist/viewer/';
const VIEWER_FOLDER = isSource ? 'node_modules/swagger-ui-dist/' : OWN_FOLDER;

// People paste keys into this page, so it connects only to its own origin and cannot be framed.
// The viewer's style sheet has `data:` images.
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

// A page without an origin. The viewer takes keys in a form, which goes nowhere, shows the document in a new tab, and
// offers bodies as downloads.
const SANDBOX = 'sandbox allow-scripts allow-forms allow-popups allow-downloads';

function pageHeaders(isSandboxed: boolean): string[] {
  const policy = isSandboxed ? `${POLICY}; ${SANDBOX}` : POLICY;
  return [
    'content-security-policy',
    policy,
    'referrer-policy',
    'no-referrer',
    'cross-origin-opener-policy',
    'same-origin',
  ];
}

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
};

// Every file that can be requested. No path is made from a request.
const FILES = new Map<string, string>([
  ['', `${OWN_FOLDER}page.html`],
  ['start.js', `${OWN_FOLDER}start.js`],
  ['style.css', `${OWN_FOLDER}style.css`],
  ...VIEWER_FILES.map((name) => [name, VIEWER_FOLDER + name] as const),
]);

/** Returns a file by its name, or the page for `''`. Returns undefined if there is none. Throws if it cannot be read. */
export type DocsFile = (name: string) => PublicDocument | undefined;

/** Creates the function that reads each file at its first request and caches it. In a sandbox, the page has no origin and no cookies. */
export function createDocs(isSandboxed: boolean): DocsFile {
  const cached = new Map<string, PublicDocument>();
  return (name) => {
    const path = FILES.get(name);
    return path === undefined ? undefined : (cached.get(name) ?? readAndCache(name, path));
  };

  function readAndCache(name: string, path: string): PublicDocument {
    const document = readDocument(path, name === '' ? pageHeaders(isSandboxed) : []);
    cached.set(name, document);
    return document;
  }
}

function readDocument(path: string, headers: readonly string[]): PublicDocument {
  const extension = path.slice(path.lastIndexOf('.') + 1);
  const body = readOwn(path);
  return {
    type: TYPES[extension] ?? 'text/plain; charset=utf-8',
    etag: hash('sha256', body),
    body,
    encoded: createEncoded(body),
    headers,
  };
}
