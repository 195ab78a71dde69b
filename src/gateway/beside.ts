// Beside /v1: the paths that need no key and tell nothing about accounts.

import { andThen, type Awaitable } from '../contract/awaitable.ts';
import { createDescription } from './description.ts';
import { createDocs } from './docs.ts';
import type { Document } from './document.ts';
import type { Exchange } from './exchange.ts';
import { isRead, methodNotAllowed, nothingHere } from './match.ts';
import { isProbe, type Probes } from './probes.ts';
import type { Found } from './reply.ts';

/** Answers a path outside /v1, or fails with 404. */
export type Beside = (exchange: Exchange, path: string) => Awaitable<Found>;

const DOCS = '/docs/';

/** The addresses on the page are relative to one without a slash at its end. */
const TO_PAGE: Found = {
  status: 308,
  type: 'text/plain; charset=utf-8',
  headers: ['location', '../docs'],
  body: Buffer.from('The page is at ../docs.\n'),
};

/** Joins the paths to what answers them. */
export function createBeside(probes: Probes): Beside {
  const docsFile = createDocs();
  const describeApi = createDescription();
  return (exchange, path) => {
    const answer = find(exchange, path);
    if (answer === undefined) throw nothingHere();
    if (!isRead(exchange.method)) throw methodNotAllowed();
    return answer();
  };

  function find(exchange: Exchange, path: string): (() => Awaitable<Found>) | undefined {
    if (isProbe(path)) return probes[path];
    if (path === '/openapi.json') return () => serve(exchange, describeApi(exchange.base));
    if (path === DOCS) return () => TO_PAGE;
    const file = path === '/docs' ? docsFile('') : undefined;
    const beside = path.startsWith(DOCS) ? docsFile(path.slice(DOCS.length)) : file;
    return beside && (() => serve(exchange, beside));
  }
}

function serve({ condition }: Exchange, document: Awaitable<Document>): Awaitable<Found> {
  return andThen(document, (found) =>
    condition.match(found.etag) === undefined ? found : { ...found, body: null },
  );
}
