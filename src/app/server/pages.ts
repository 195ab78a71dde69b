// The pages of the app: the shell for every address, and its files, with the policy that protects them.

import { createNegotiate, SMALLEST } from '../../gateway/request/encoding.ts';
import { readIfNoneMatch } from '../../gateway/request/etag.ts';
import { valuesOf, type Headers } from '../../gateway/request/headers.ts';
import type { GatewayRequest } from '../../gateway/request/request.ts';
import { pathNotFound } from '../../gateway/request/route.ts';
import type { Content } from '../../gateway/response/http-response.ts';
import type { FindAppFile } from '../app-files.ts';
import { shellHeaders } from '../shell.ts';
import type { Theme } from '../shell.ts';
import type { Address } from './request/address.ts';
import { readCookieOf } from './sign-in/cookie.ts';

/** The pages. */
export interface AppPages {
  /** Returns the page or file at a path below `/app/`. Rejects with a 404. */
  readonly get: (request: GatewayRequest, path: string, address: () => Address) => Promise<Content>;
}

/** The headers about caching of pages, and of paths where there is none. */
export const PAGE_CACHING = ['cache-control', 'no-cache', 'vary', 'accept-encoding'];
const SHELL_CACHING = ['cache-control', 'no-cache', 'vary', 'accept-encoding, cookie'];
const CONSTANT = [
  'cache-control',
  'public, max-age=31536000, immutable',
  'vary',
  'accept-encoding',
];
const OWN_ORIGIN = ['cross-origin-resource-policy', 'same-origin'];
// Browsers ignore it without TLS, and say so in their console.
const ISOLATED = ['cross-origin-opener-policy', 'same-origin'];

/** Creates the pages over the files of the app. `hasAudio`: whether pages may play recordings. */
export function createPages(findFile: FindAppFile, hasAudio: boolean): AppPages {
  const ownHeaders = shellHeaders(hasAudio);
  const negotiate = createNegotiate(SMALLEST);
  return {
    async get({ headers: sent }, path, address) {
      const file = await findFile(path, readTheme(sent));
      if (file === undefined) throw pathNotFound();
      const { type, body, encoded, kind } = file;
      const isMissing = kind === 'missing';
      const isShell = kind === 'shell' || isMissing;
      const encoding = negotiate(valuesOf(sent, 'accept-encoding'));
      const condition = readIfNoneMatch(valuesOf(sent, 'if-none-match'), encoding);
      const negotiated = { encoding, condition };
      // A cached page has the policy that it came with.
      const etag = isShell && hasAudio ? `${file.etag}-audio` : file.etag;
      const common = kind === 'hashed' ? CONSTANT : isShell ? SHELL_CACHING : PAGE_CACHING;
      if (!isMissing && condition.match(etag) !== undefined)
        return { etag, body: null, common, negotiated };
      const isolated = isShell && address().isHttps ? ISOLATED : [];
      const headers = [...OWN_ORIGIN, ...(isShell ? ownHeaders : []), ...isolated];
      const page = { type, body, encoded, common, headers, negotiated };
      return isMissing ? { ...page, status: 404 } : { ...page, etag };
    },
  };
}

/** Reads the colours that the reader has chosen, which the page has to have before its script runs. */
function readTheme(headers: Headers): Theme {
  const theme = readCookieOf(headers, 'memories-theme', /^(?:light|dark)$/);
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}
