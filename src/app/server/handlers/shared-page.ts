// The public page of a share: the lines that its owner has chosen, and who may open it how often.

import { hash } from 'node:crypto';

import * as v from 'valibot';

import { valuesOf } from '../../../gateway/request/headers.ts';
import type { GatewayRequest } from '../../../gateway/request/request.ts';
import { pathNotFound } from '../../../gateway/request/route.ts';
import { createLimit, type PerMinute } from '../../../gateway/request/throttle.ts';
import type { Content } from '../../../gateway/response/http-response.ts';
import type { AppStore } from '../../../store/app/app-store.ts';
import { ShareContent } from '../../contract/share-records.ts';
import type { AppContext } from '../app-parts.ts';
import { frameOf, onePageOf, PAGE_STYLE } from '../one-page.ts';
import { explaining } from '../store-problems.ts';

const POLICY = `default-src 'none'; style-src 'sha256-${hash('sha256', PAGE_STYLE, 'base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** The headers of the page and of its failures about caching. A link that was revoked must not live on in a cache. */
export const SHARED_CACHING = ['cache-control', 'no-store', 'vary', 'accept-encoding'];

const HEADERS = [
  'content-security-policy',
  POLICY,
  'referrer-policy',
  'no-referrer',
  'x-robots-tag',
  'noindex, nofollow',
  'cross-origin-resource-policy',
  'same-origin',
];

const SECRET = /^\/s\/([A-Za-z0-9_-]{43})$/;

/** How many pages an address gets. */
const PER_MINUTE: PerMinute = {
  most: 60,
  together: 600,
  detail: 'This page was opened too often; wait a minute.',
};

/** Returns whether a path is one of a share. */
export function isShared(path: string): boolean {
  return path.startsWith('/s/');
}

/** Creates the public pages of an app. Without shares, browsers see that there is none. Rejects with a 404 or 429. */
export function createSharedPages(app: Pick<AppContext, 'gateway' | 'store' | 'shares'>) {
  const limit = createLimit(PER_MINUTE);
  return async (request: GatewayRequest, path: string): Promise<Content> => {
    if (app.shares !== true) {
      const isBrowser = valuesOf(request.headers, 'accept').some((each) =>
        /text\/html/i.test(each),
      );
      if (!isBrowser) throw pathNotFound();
      return noSuchPage();
    }
    request.trace.route = 'app.shared';
    limit(app.gateway.clientIp(request));
    const [, secret = ''] = SECRET.exec(path) ?? [];
    const store = await app.store();
    const share = await explaining('reads', () => store.shares.find(secret));
    if (share === undefined) return noSuchPage();
    if (request.method === 'GET') await count(store, secret);
    return page(pageOf(share));
  };
}

/** The mark of the app. A page of a share loads nothing. */
const MARK =
  '<svg viewBox="0 0 32 32" width="32" aria-hidden="true"><rect width="32" height="32" rx="7" fill="#24639f"/><path d="M8 10.5h16M8 16h16M8 21.5h9" stroke="#fff" stroke-width="2.6" stroke-linecap="round"/></svg>';

const ENDED = `<p>This link has ended, or there never was such a page. Ask the person who sent it for another.</p><hr>${MARK}<p class="note">Memory Gateway</p>`;

function noSuchPage(): Content {
  return page(frameOf({ title: 'No such page' }, [ENDED]), 404);
}

/** Counts a visit, unless the database cannot be written now. */
async function count({ shares }: AppStore, secret: string): Promise<void> {
  try {
    await shares.countVisit(secret);
  } catch {
    // The page is shown all the same.
  }
}

function page(html: string, status = 200): Content {
  return { status, type: 'text/html; charset=utf-8', body: Buffer.from(html), headers: HEADERS };
}

/** Returns a day in words. A format that is kept would be in the snapshot of the executable, which takes none. */
export function dayOf(time: number, language: 'en-GB' | 'en-US'): string {
  return new Date(time).toLocaleDateString(language, { dateStyle: 'long', timeZone: 'UTC' });
}

function pageOf(share: { readonly content: string; readonly expires_at: number }): string {
  const content = v.parse(ShareContent, JSON.parse(share.content));
  const { until = dayOf(share.expires_at, 'en-GB') } = content;
  return onePageOf(content, 'Shared from Memory Gateway.', until);
}
