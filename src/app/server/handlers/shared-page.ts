// The public page of a share: the lines that its owner has chosen, without a script, a link or anything to load.

import { hash } from 'node:crypto';

import * as v from 'valibot';

import type { GatewayRequest } from '../../../gateway/request/request.ts';
import { createFailureCounts, RateLimited } from '../../../gateway/request/throttle.ts';
import type { Content } from '../../../gateway/response/http-response.ts';
import { escapeHtml } from '../../../lib/html.ts';
import type { AppStore } from '../../../store/app/app-store.ts';
import { speakerOf } from '../../../text/speaker.ts';
import { ShareContent } from '../../contract/share-records.ts';
import type { AppContext } from '../app-parts.ts';
import { explaining } from '../store-problems.ts';

const STYLE = `:root{color-scheme:light dark}
body{max-width:40rem;margin:3rem auto;padding:0 1.25rem;font:1.0625rem/1.6 Georgia,serif}
p{margin:0}
.note,b,i{font:.8125rem/1.5 sans-serif}
.line{position:relative;padding-inline-end:3.5rem;overflow-wrap:anywhere}
.line b{display:block;margin-top:.75rem;font-weight:600}
.line i{position:absolute;inset-inline-end:0;bottom:.25rem;opacity:.75}
@page{margin:2cm}
@media print{body{margin:0;font-size:11pt}}`;

const POLICY = `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

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

/** How many pages an address gets in a minute. Callers whose address is not known count together. */
const PER_MINUTE = 60;
const PER_MINUTE_TOGETHER = 600;

/** Returns whether a path is one of a share. */
export function isShared(path: string): boolean {
  return path.startsWith('/s/');
}

/** Creates the public pages of an app. Rejects with a 429. */
export function createSharedPages(app: Pick<AppContext, 'gateway' | 'store'>) {
  const counts = createFailureCounts();
  return async (request: GatewayRequest, path: string): Promise<Content> => {
    request.trace.route = 'app.shared';
    limit(app.gateway.clientIp(request));
    const [, secret = ''] = SECRET.exec(path) ?? [];
    const store = await app.store();
    const share = await explaining('reads', () => store.shares.find(secret));
    if (share === undefined) return page({ title: 'No such page', body: [ENDED] }, 404);
    if (request.method === 'GET') await count(store, secret);
    return page(pageOf(share));
  };

  function limit(ip: string | undefined): void {
    const who = ip ?? '';
    const entry = counts.get(who) ?? { failed: 0 };
    if (entry.failed >= (ip === undefined ? PER_MINUTE_TOGETHER : PER_MINUTE))
      throw new RateLimited(60, 'This page was opened too often; wait a minute.');
    if (entry.failed++ === 0) counts.set(who, entry);
  }
}

const ENDED =
  '<p>This link has ended, or there never was such a page. Ask who sent it for another.</p>';

/** Counts a visit, unless the database cannot be written now. */
async function count({ shares }: AppStore, secret: string): Promise<void> {
  try {
    await shares.countVisit(secret);
  } catch {
    // The page is shown all the same.
  }
}

interface Shown {
  readonly title: string;
  readonly body: readonly string[];
}

function page({ title, body }: Shown, status = 200): Content {
  const text = [
    '<!doctype html><html lang="en"><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width">',
    '<meta name="robots" content="noindex">',
    `<title>${escapeHtml(title)}</title><style>${STYLE}</style>`,
    `<main>${textOf('h1', title)}`,
    ...body,
    '</main></html>',
  ].join('\n');
  return { status, type: 'text/html; charset=utf-8', body: Buffer.from(text), headers: HEADERS };
}

function pageOf({
  content,
  expires_at,
}: {
  readonly content: string;
  readonly expires_at: number;
}): Shown {
  const { title, when, summary, first, total, lines } = v.parse(ShareContent, JSON.parse(content));
  const last = first + lines.length - 1;
  const part =
    lines.length === total ? '' : `Lines ${first} to ${last} of ${total.toLocaleString('en')}. `;
  const ends = new Date(expires_at).toISOString().slice(0, 10);
  const body = [
    `<p class="note" dir="auto">${escapeHtml(when)}</p><hr>`,
    ...(summary.length === 0 ? [] : [...summary.map((text) => textOf('p', text)), '<hr>']),
    ...lines.map((text, i) => lineOf(text, { number: first + i, before: lines[i - 1] })),
    `<hr><p class="note">${part}Shared from Memory Gateway until ${ends}.</p>`,
  ];
  return { title, body };
}

interface LinePlace {
  readonly number: number;
  readonly before: string | undefined;
}

/** Returns a line. The name of a speaker stands above the turn. */
function lineOf(text: string, { number, before }: LinePlace): string {
  const speaker = speakerOf(text);
  const isNamed = speaker !== undefined && (before === undefined || speakerOf(before) !== speaker);
  const said = speaker === undefined ? text : text.slice(speaker.length + 1).trim();
  const name = isNamed ? `<b>${escapeHtml(speaker)}</b>` : '';
  return `<p class="line" dir="auto">${name}${escapeHtml(said)} <i>${number}</i></p>`;
}

function textOf(tag: string, text: string): string {
  return `<${tag} dir="auto">${escapeHtml(text)}</${tag}>`;
}
