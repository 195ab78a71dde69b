// A memory, or some lines of it, as one HTML page: the file that owners save, and the page of a share. It has no script and nothing to load.

import type * as v from 'valibot';

import { Failure } from '../../contract/failure.ts';
import type { Memory } from '../../contract/schemas/memory.ts';
import { escapeHtml } from '../../lib/html.ts';
import { hueIn, huesOf } from '../../text/hues.ts';
import { bandsOf, createScale } from '../../text/score.ts';
import { sharesOf, type Share } from '../../text/shares.ts';
import { nameOwner } from '../../text/speaker.ts';
import { beginsTurn, saidOf, splitTranscript, type TranscriptLine } from '../../text/turns.ts';
import type { ShareContent } from '../contract/share-records.ts';

/** What a page shows. */
export type PageContent = v.InferOutput<typeof ShareContent>;

/** The lines to show, or everything, and when the memory was recorded, as its owner reads it. */
export interface Chosen {
  readonly first_line?: number | undefined;
  readonly last_line?: number | undefined;
  readonly when: string;
}

/** Returns what a page shows: the chosen lines, or everything, with the name of the owner. Throws a 422 if there are no such lines. */
export function contentOf(
  memory: Memory,
  { first_line, last_line, when }: Chosen,
  owner: string,
): PageContent {
  const all = nameOwner(memory.transcript, owner).split('\n');
  const isWhole = first_line === undefined && last_line === undefined;
  const [first, last] = [first_line ?? 1, last_line ?? all.length];
  if (first > last || last > all.length)
    throw new Failure(422, `This memory has the lines 1 to ${all.length}; choose some of them.`);
  const { quick_summary, key_takeaways } = memory.summary;
  return {
    title: memory.name,
    when,
    summary: isWhole ? [quick_summary, ...key_takeaways] : [],
    first,
    total: all.length,
    lines: all.slice(first - 1, last),
  };
}

/** The colours of speakers on light and dark pages, in OKLCH, as the app has them. Those who have none share a grey. */
const COLORS = [
  ['44% 0.13 255', '86% 0.1 255'],
  ['31% 0.14 25', '70% 0.1 25'],
  ['47% 0.12 145', '90% 0.08 145'],
  ['28% 0.13 310', '66% 0.1 310'],
  ['50% 0.11 70', '94% 0.08 70'],
  ['34% 0.07 195', '74% 0.07 195'],
  ['41% 0.14 345', '83% 0.1 345'],
  ['38% 0.08 110', '79% 0.1 110'],
].map(([light, dark], i) => `.hue-${i + 1}{color:light-dark(oklch(${light}),oklch(${dark}))}`);

/** The style of a page. A policy may name its hash. */
export const PAGE_STYLE = `:root{color-scheme:light dark;background:light-dark(#fbfaf7,#16191d);color:light-dark(#1f2328,#e1e6eb)}
body{max-width:40rem;margin:3rem auto;padding:0 1.25rem;font:1.0625rem/1.6 Georgia,serif;overflow-wrap:anywhere}
h1{font-size:1.75rem;line-height:1.25}
p{margin:0}
.note,.names,h2,b{font:.8125rem/1.5 sans-serif}
.note,h2{opacity:.75}
.names,h2,b{font-weight:600}
h2{margin:1.5rem 0 .5rem;letter-spacing:.06em;text-transform:uppercase}
hr{margin:1.5rem 0;border:0;border-top:1px solid light-dark(#dedad1,#343b43)}
ul{margin:0;padding-inline:1.25rem}
.score{display:block;width:100%;height:.75rem;margin:1rem 0 .5rem}
path{fill:currentcolor}
.names{display:flex;flex-wrap:wrap;gap:.25rem 1rem;margin:0 0 1.5rem;padding:0;list-style:none}
.names [class]::before{content:"■ "}
.line{position:relative;padding-inline-end:3.5rem;scroll-margin-top:20vh}
.line:has(b){margin-top:.75rem}
.line b{display:block}
.line a{position:absolute;inset:.25rem 0 auto auto;color:inherit;text-decoration:none}
.line b~a{top:0}
.line:dir(rtl) a{right:auto;left:0}
:target{background:#7773;box-shadow:0 0 0 .375rem #7773}
@media(width<40rem){.line{padding-inline-end:0}.line a,.line b~a{position:static;padding-inline-start:.5rem}}
@page{margin:2cm;@bottom-right{content:counter(page) " / " counter(pages)}}
@media print{body{margin:0;font-size:11pt}}
.hue-0{color:light-dark(#59636e,#9aa5b1)}
${COLORS.join('\n')}`;

/**
 * Returns a page. Everything that the memory says is text in it. `note` says at its end where it comes from. The page of a
 * share says first whom it is from, and until when it can be opened.
 */
export function onePageOf(content: PageContent, note: string, until?: string): string {
  const { title, when, summary, first, total, from } = content;
  const [lead = '', ...takeaways] = summary;
  const lines = splitTranscript(content.lines.join('\n'));
  const shares = sharesOf(lines);
  const hues = huesOf(shares.map(({ speaker }) => speaker));
  const classOf = (speaker: string) => `hue-${hueIn(hues, speaker)}`;
  const items = takeaways.map((text) => textOf('li', text)).join('');
  const chosen = rangeOf(first, content.lines.length, total);
  return frameOf(title, [
    `<p class="note" dir="auto">${escapeHtml(when)}</p>`,
    until === undefined
      ? ''
      : `<p class="note">${from === undefined ? '' : `From <bdi>${escapeHtml(from)}</bdi>. `}This page can be opened until ${until}.</p>`,
    scoreOf(lines, classOf),
    legendOf(shares, classOf),
    textOf('p', lead),
    items && `<h2>Key takeaways</h2><ul>${items}</ul>`,
    lines.length === 0 ? '' : chosen === '' ? '<h2>Transcript</h2>' : '<hr>',
    ...lines.map((line, i) => {
      const { speaker } = line;
      const name =
        speaker !== undefined && beginsTurn(lines, i + 1)
          ? `<b class="${classOf(speaker)}">${escapeHtml(speaker)}</b>`
          : '';
      const number = first + i;
      const link = `<a class="note" href="#L${number}">${number}</a>`;
      return `<p class="line" id="L${number}" dir="auto">${name}${escapeHtml(saidOf(line))}${link}</p>`;
    }),
    `<hr><p class="note">${chosen}${escapeHtml(note)}</p>`,
  ]);
}

/** Returns a page with a title and parts that are HTML. */
export function frameOf(title: string, parts: readonly string[]): string {
  return [
    '<!doctype html><html lang="en"><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    `<title>${escapeHtml(title)}</title><style>${PAGE_STYLE}</style>`,
    `<main>${textOf('h1', title)}`,
    ...parts,
    '</main></html>',
  ].join('\n');
}

function rangeOf(first: number, count: number, total: number): string {
  if (count === total) return '';
  const lines = count === 1 ? `Line ${first}` : `Lines ${first}–${first + count - 1}`;
  return `${lines} of ${total.toLocaleString('en')}. `;
}

/** The columns of the score. */
const COLUMNS = 600;

/** Returns who speaks where, as one strip. Without speakers there is none. */
function scoreOf(lines: readonly TranscriptLine[], classOf: (speaker: string) => string): string {
  const bands = bandsOf(lines, createScale(lines), COLUMNS).map(
    ({ speaker, from, to }) =>
      `<path class="${classOf(speaker)}" d="M${from} 0h${to - from}v1h${from - to}z"/>`,
  );
  return bands.length === 0
    ? ''
    : `<svg class="score" viewBox="0 0 ${COLUMNS} 1" preserveAspectRatio="none" aria-hidden="true">${bands.join('')}</svg>`;
}

/** Returns whose colours these are. */
function legendOf(shares: readonly Share[], classOf: (speaker: string) => string): string {
  const names = shares.map(({ speaker, count }) =>
    speaker === undefined
      ? `<li class="hue-0">and ${count} ${count === 1 ? 'other' : 'others'}</li>`
      : `<li class="${classOf(speaker)}" dir="auto">${escapeHtml(speaker)}</li>`,
  );
  return names.length === 0 ? '' : `<ul class="names">${names.join('')}</ul>`;
}

function textOf(tag: string, text: string): string {
  return text === '' ? '' : `<${tag} dir="auto">${escapeHtml(text)}</${tag}>`;
}
