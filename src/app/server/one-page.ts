// A memory, or some lines of it, as one HTML page: the file that owners save, and the page of a share. It has no script and nothing to load.

import type * as v from 'valibot';

import { Failure } from '../../contract/failure.ts';
import type { Details } from '../../contract/schemas/details.ts';
import type { Memory } from '../../contract/schemas/memory.ts';
import { escapeHtml } from '../../lib/html.ts';
import { hueClass, huesOf } from '../../text/hues.ts';
import { landmarksOf } from '../../text/landmarks.ts';
import { bandsOf, createScale } from '../../text/score.ts';
import { sharesOf, wordsBySpeaker, type Share } from '../../text/shares.ts';
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
  { memory, details }: { readonly memory: Memory; readonly details: Details },
  { first_line, last_line, when }: Chosen,
  owner: string,
): PageContent {
  const all = nameOwner(memory.transcript, owner).split('\n');
  const isWhole = first_line === undefined && last_line === undefined;
  const [first, last] = [first_line ?? 1, last_line ?? all.length];
  if (first > last || last > all.length)
    throw new Failure(422, `This memory has the lines 1 to ${all.length}; choose some of them.`);
  const { quick_summary, key_takeaways } = memory.summary;
  const lines = all.slice(first - 1, last);
  return {
    title: memory.name,
    when,
    summary: isWhole ? [quick_summary, ...key_takeaways] : [],
    first,
    total: all.length,
    lines,
    places: placesOf(lines, first, details),
  };
}

/** Returns the chapters of the source in these lines, or else their landmarks. */
function placesOf(
  shown: readonly string[],
  first: number,
  { chapters, line_starts_ms }: Details,
): NonNullable<PageContent['places']> {
  const titles = chapters.flatMap(({ title: text, line }) =>
    line === null || line < first || line >= first + shown.length ? [] : [{ text, line }],
  );
  if (titles.length > 0) return titles.toSorted((a, b) => a.line - b.line);
  const lines = splitTranscript(shown.join('\n'));
  const starts = line_starts_ms?.slice(first - 1, first - 1 + lines.length);
  return landmarksOf(lines, createScale(lines), starts).map(({ text, line }) => ({
    text,
    line: line + first - 1,
  }));
}

/** The colours of speakers in OKLCH: lightness on a light page and hue, as the app has them. */
const COLORS = [
  [0.44, 255],
  [0.31, 25],
  [0.47, 145],
  [0.28, 310],
  [0.5, 70],
  [0.34, 195],
  [0.41, 345],
  [0.38, 110],
].map(([l, h], i) => `.hue-${i + 1}{--l:${l};--h:${h}}`);

/** The style of a page. A policy may name its hash. The title that sticks to the top lies under the heading until that has gone. */
export const PAGE_STYLE = `:root{color-scheme:light dark;--page:light-dark(#fbfaf7,#16191d);background:var(--page);color:light-dark(#1f2328,#e1e6eb)}
body{max-width:40rem;margin:3rem auto;padding:0 1.25rem;font:1.0625rem/1.6 ui-serif,Georgia,serif;overflow-wrap:anywhere}
h1{margin:0 0 .5rem;font-size:1.75rem;line-height:1.25}
p{margin:0}
.note,.names,nav,h2,h3,b,.top{font:.8125rem/1.5 system-ui,sans-serif}
.note,h2,h3,.top{color:light-dark(#59636e,#9aa5b1)}
.names,h2,b,.top{font-weight:600}
h2{margin:1.5rem 0 .5rem;letter-spacing:.06em;text-transform:uppercase}
hr{margin:1.5rem 0;border:0;border-top:1px solid light-dark(#dedad1,#343b43)}
ul{margin:0;padding-inline:1.25rem}
header,.top,.score,h3{position:sticky;z-index:1;background:var(--page)}
header{position:relative;z-index:2}
.top{display:block;top:0;height:1.75rem;margin-bottom:-1.75rem;line-height:1.75rem;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;text-decoration:none}
.score{display:block;top:1.75rem;width:100%;height:.75rem;padding-block:.25rem;margin-top:.75rem}
path{fill:currentcolor}
rect{fill:#0000}
a:hover rect{fill:#7778}
h3{top:3rem;margin:1rem 0 0;padding-block:.25rem .5rem;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.names{display:flex;flex-wrap:wrap;gap:.25rem 1rem;margin:.375rem 0 1.5rem;padding:0;list-style:none}
.names [class]::before{content:"■ "}
nav ol{margin:0;padding:0;list-style:none;scroll-target-group:auto}
nav a{display:block;padding-block:.25rem;color:inherit;text-decoration:none}
nav a:hover{text-decoration:underline}
nav a:target-current{font-weight:600}
@media(width>=72rem){nav{position:fixed;top:2.5rem;inset-inline-start:calc(50vw - 36rem);width:13rem;max-height:90vh;overflow:auto}nav h2{margin-top:0}}
.line{position:relative;padding-inline-end:3.5rem;scroll-margin-top:20vh}
.line:has(b){margin-top:.625rem}
.line b{display:block}
.line a{position:absolute;inset:.25rem 0 auto auto;color:inherit;text-decoration:none;opacity:.75}
.line b~a{top:0}
.line:dir(rtl) a{right:auto;left:0}
:target{background:#7773;box-shadow:0 0 0 .375rem #7773}
@media screen and (width<40rem){body{margin-block:1.5rem}.line{padding-inline-end:0}.line a{display:none}}
@page{margin:2cm;@bottom-right{content:counter(page) " / " counter(pages)}}
@media print{body{margin:0;font-size:11pt}nav,.top{display:none}header,.score,h3{position:static}}
[class^=hue]{--c:0.13;color:light-dark(oklch(var(--l) var(--c) var(--h)),oklch(calc(.3 + 1.27*var(--l)) .1 var(--h)))}
.hue-0{color:light-dark(#59636e,#9aa5b1)}
${COLORS.join('\n')}
.shade-1{--l:0.52;--c:0.08}
.shade-2{--l:0.25;--c:0.08}`;

/** A transcript of fewer lines is seen at a glance: nothing of it sticks to the top or leads to its lines. */
const LONG = 30;

/**
 * Returns a page. Everything that the memory says is text in it. `note` says at its end where it comes from. The page of a
 * share says first whom it is from, and until when it can be opened.
 */
export function onePageOf(content: PageContent, note: string, until?: string): string {
  const { title, when, summary, first, total, from, places = [] } = content;
  const [lead = '', ...takeaways] = summary;
  const lines = splitTranscript(content.lines.join('\n'));
  const shares = sharesOf(lines);
  const hues = huesOf(shares.map(({ speaker }) => speaker));
  const classOf = (speaker: string) => hueClass(hues, speaker);
  const items = takeaways.map((text) => textOf('li', text)).join('');
  const chosen = rangeOf(first, content.lines.length, total);
  const heads = new Map(places.map(({ line, text }) => [line, text]));
  const notes = [
    `<p class="note" dir="auto">${escapeHtml(when)}</p>`,
    until === undefined
      ? ''
      : `<p class="note">${from === undefined ? '' : `From <bdi>${escapeHtml(from)}</bdi>. `}This page can be opened until ${until}.</p>`,
  ];
  return frameOf({ title, notes, isLong: lines.length > LONG }, [
    scoreOf(lines, first, classOf),
    legendOf(shares, classOf),
    textOf('p', lead),
    items && `<h2>Key takeaways</h2><ul>${items}</ul>`,
    contentsOf(places),
    lines.length === 0 ? '' : chosen === '' ? '<h2>Transcript</h2>' : '<hr>',
    '<section>',
    ...lines.map((line, i) => {
      const { speaker } = line;
      const name =
        speaker !== undefined && beginsTurn(lines, i + 1)
          ? `<b class="${classOf(speaker)}">${escapeHtml(speaker)}</b>`
          : '';
      const number = first + i;
      const link = `<a class="note" href="#L${number}">${number}</a>`;
      const head = textOf('h3', heads.get(number) ?? '');
      return `${head && `</section><section>${head}`}<p class="line" id="L${number}" dir="auto">${name}${escapeHtml(saidOf(line))}${link}</p>`;
    }),
    '</section>',
    `<hr><p class="note">${chosen}${escapeHtml(note)}</p>`,
  ]);
}

/** Returns links to the chapters or landmarks. */
function contentsOf(places: NonNullable<PageContent['places']>): string {
  const links = places.map(
    ({ text, line }) => `<li dir="auto"><a href="#L${line}">${escapeHtml(text)}</a></li>`,
  );
  return links.length === 0
    ? ''
    : `<nav aria-labelledby="contents"><h2 id="contents">Contents</h2><ol>${links.join('')}</ol></nav>`;
}

/** What is above the parts of a page. */
interface Head {
  readonly title: string;
  /** What is below the title, as HTML. */
  readonly notes?: readonly string[];
  /** Whether the title sticks to the top. */
  readonly isLong?: boolean;
}

/** Returns a page of parts that are HTML. */
export function frameOf(
  { title, notes = [], isLong = false }: Head,
  parts: readonly string[],
): string {
  const top = `<a class="top" href="#top" dir="auto" tabindex="-1" aria-hidden="true">${escapeHtml(title)}</a>`;
  return [
    '<!doctype html><html lang="en"><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    `<title>${escapeHtml(title)}</title><style>${PAGE_STYLE}</style>`,
    `<main>${isLong ? top : ''}<header>${textOf('h1', title)}${notes.join('')}</header>`,
    ...parts,
    '</main></html>',
  ].join('\n');
}

function rangeOf(first: number, count: number, total: number): string {
  if (count === total) return '';
  const lines = count === 1 ? `Line ${first}` : `Lines ${first}–${first + count - 1}`;
  return `${lines} of ${total.toLocaleString('en')}. `;
}

/** The columns of the score, and of each link in it. */
const [COLUMNS, REACH] = [600, 10];

/** Returns who speaks where, as one strip of their words. The parts of a long one lead to their lines. Without speakers there is none. */
function scoreOf(
  lines: readonly TranscriptLine[],
  first: number,
  classOf: (speaker: string) => string,
): string {
  const scale = createScale(lines, wordsBySpeaker);
  const bands = bandsOf(lines, scale, COLUMNS).map(
    ({ speaker, from, to }) =>
      `<path class="${classOf(speaker)}" d="M${from} 0h${to - from}v1h${from - to}z"/>`,
  );
  const parts = lines.length > LONG ? COLUMNS / REACH : 0;
  const links = Array.from({ length: parts }, (_, at) => {
    const line = first - 1 + scale.lineAt((at * REACH) / COLUMNS);
    return `<a href="#L${line}" tabindex="-1"><rect x="${at * REACH}" width="${REACH}" height="1"/></a>`;
  });
  return bands.length === 0
    ? ''
    : `<svg class="score" viewBox="0 0 ${COLUMNS} 1" preserveAspectRatio="none" aria-hidden="true">${bands.join('')}${links.join('')}</svg>`;
}

/** Returns whose colours these are, and how many of the words are theirs. */
function legendOf(shares: readonly Share[], classOf: (speaker: string) => string): string {
  const names = shares.map(({ speaker, count, share }) => {
    const part = `${Math.round(share * 100)}\u00a0%`;
    return speaker === undefined
      ? `<li class="hue-0">and ${count} ${count === 1 ? 'other' : 'others'} ${part}</li>`
      : `<li class="${classOf(speaker)}"><bdi>${escapeHtml(speaker)}</bdi> ${part}</li>`;
  });
  return names.length === 0 ? '' : `<ul class="names">${names.join('')}</ul>`;
}

function textOf(tag: string, text: string): string {
  return text === '' ? '' : `<${tag} dir="auto">${escapeHtml(text)}</${tag}>`;
}
