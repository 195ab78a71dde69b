// A memory, or some lines of it, as one HTML page: the file that owners save, and the page of a share. It has no script and nothing to load.

import type * as v from 'valibot';

import { escapeHtml } from '../../lib/html.ts';
import { hueClass, huesOf } from '../../text/hues.ts';
import { percentOf } from '../../text/percent.ts';
import { bandsOf, createScale } from '../../text/score.ts';
import { sharesOf, wordsBySpeaker, type Share } from '../../text/shares.ts';
import { beginsTurn, saidOf, splitTranscript, type TranscriptLine } from '../../text/turns.ts';
import type { ShareContent } from '../contract/share-records.ts';

/** What a page shows. */
export type PageContent = v.InferOutput<typeof ShareContent>;

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
p{margin:0}ul{margin:0;padding-inline:1.25rem}
.open{list-style:"☐ "}.done{list-style:"✓ "}
.note,.names,nav,h2,h3,b,.top{font:.8125rem/1.5 system-ui,sans-serif}
.note,h2,h3,.top{color:light-dark(#59636e,#9aa5b1)}
.names,h2,b,.top{font-weight:600}
h2{margin:1.5rem 0 .5rem;letter-spacing:.06em;text-transform:uppercase}
hr{margin:1.5rem 0;border:0;border-top:1px solid light-dark(#dedad1,#343b43)}
header,.top,.score,h3{position:sticky;z-index:1;background:var(--page)}
header{position:relative;z-index:2}
.top::before{content:"↑ "}
.top{display:block;top:0;height:1.75rem;margin-bottom:-1.75rem;line-height:1.75rem;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;text-decoration:none}
.score{top:1.75rem;height:.75rem;border:solid var(--page);border-width:.25rem 0;margin-top:.75rem}
.score svg{display:block;width:100%;height:100%}path{fill:currentcolor}.score p{position:absolute;inset:0;display:flex;scroll-target-group:auto}
.score a{flex:1}.score a:hover{background:#7778}.score a:target-current{box-shadow:0 0 0 2px light-dark(#1f2328,#e1e6eb)}
h3{top:3rem;margin:1rem 0 0;padding-block:.25rem .5rem;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.names{display:flex;flex-wrap:wrap;gap:.25rem 1rem;margin:.375rem 0 1.5rem;padding:0;list-style:none}
.names [class]::before{content:"■ "}
nav ol{margin:0;padding:0;list-style:none;scroll-target-group:auto}
section{scroll-margin-top:3rem}section+.note{margin-top:.625rem}
nav a{display:block;padding-block:.25rem;color:inherit;text-decoration:none}nav a:hover{text-decoration:underline}nav a:target-current{font-weight:600}
.line{position:relative;padding-inline-end:3.5rem;scroll-margin-top:20vh}.line:has(b){margin-top:.625rem}.line b{display:block}
.line a{position:absolute;inset:.25rem 0 auto auto;color:inherit;text-decoration:none;opacity:.75}.line b~a{top:0}.line:dir(rtl) a{right:auto;left:0}
.line:target{background:#7773;box-shadow:0 0 0 .375rem #7773}
@media screen and (width>=60rem){body{padding-inline-start:9.25rem}.top,.score,h3{box-shadow:-8rem 0 var(--page)}.line b{position:absolute;top:.375rem;right:calc(100% + 1rem);width:7rem;max-height:2.4em;overflow:hidden;line-height:1.2;text-align:end}.line b~a{top:.25rem}}
@media(width>=80rem){nav{position:fixed;top:3rem;left:calc(50vw - 38.5rem);width:12rem;max-height:90vh;overflow:auto}nav h2{margin-top:0}}
@media screen and (width<40rem){body{margin-block:1.5rem}.line{padding-inline-end:0}.line a{display:none}}
@page{margin:2cm;@bottom-right{content:counter(page) " / " counter(pages)}}
@media print{:root{color-scheme:light;--page:#fff;font-size:9pt}body{max-width:none;margin:0;padding:0 0 0 8.5rem;font-size:1.125rem;line-height:1.4;orphans:3;widows:3}
nav,.top,.score p{display:none}header,.score,h3{position:static}h2,h3{break-after:avoid}hr,hr~p{break-before:avoid}
.line{display:flow-root}.line:not(.breaks){break-inside:avoid}.line:has(b){margin-top:.5rem}.line b{float:left;width:7.5rem;margin-left:-8.5rem;padding-top:.25rem;line-height:1.25;text-align:right}.line:target{background:none;box-shadow:none}}
[class^=hue]{--c:0.13;color:light-dark(oklch(var(--l) var(--c) var(--h)),oklch(calc(.3 + 1.27*var(--l)) .1 var(--h)))}
.hue-0{color:light-dark(#59636e,#9aa5b1)}
${COLORS.join('\n')}`;

/** A transcript of fewer lines is seen at a glance: it has no score and no contents, and nothing of it sticks to the top. */
const LONG = 20;

/** A line with more characters may be continued on the next page of paper. The name of a shorter one would go there without its line. */
const BREAKS = 600;

/** Returns a page. All that the memory says is text in it, and `note` is its end. A share begins with whom it is from, and until when. */
export function onePageOf(content: PageContent, note: string, until?: string): string {
  const { title, when, summary, first, total, from, places = [], are_landmarks = false } = content;
  const { items: toDo = [] } = content;
  const [lead = '', ...takeaways] = summary;
  const lines = splitTranscript(content.lines.join('\n'));
  const shares = sharesOf(lines);
  const names = shares.map(({ speaker }) => speaker);
  const hues = huesOf(names, content.hues);
  const classOf = (speaker: string) => hueClass(hues, speaker);
  const items = takeaways.map((text) => textOf('li', text)).join('');
  const count = content.lines.length;
  const isLong = lines.length >= LONG;
  const isSaid = (text: string) => are_landmarks || takeaways.includes(text);
  const heads = new Map(places.map(({ line, text }) => [line, isSaid(text) ? '' : text]));
  const notes = [
    `<p class="note" dir="auto">${escapeHtml(when)}</p>`,
    count === total ? '' : `<p class="note">${rangeOf(first, count, total)}</p>`,
    until === undefined
      ? ''
      : `<p class="note">${from === undefined ? '' : `From <bdi>${escapeHtml(from)}</bdi>. `}This page can be opened until ${until}.</p>`,
  ];
  return frameOf({ title, notes, isLong }, [
    ...(isLong ? [scoreOf(lines, first, classOf), legendOf(shares, classOf)] : []),
    textOf('p', lead),
    items && `<h2>Key takeaways</h2><ul>${items}</ul>`,
    toDo.length > 0 ? `<h2>Action items</h2><ul>${toDo.map(itemOf).join('')}</ul>` : '',
    isLong ? contentsOf(content) : '',
    lines.length === 0 ? '' : lead || items || toDo.length > 0 ? '<h2>Transcript</h2>' : '<hr>',
    first > 1 ? GAP : '',
    `<section id="${heads.has(first) ? '' : PLACE + first}">`,
    ...lines.map((line, i) => {
      const { speaker } = line;
      const name =
        speaker !== undefined && beginsTurn(lines, i + 1)
          ? `<b class="${classOf(speaker)}">${escapeHtml(speaker)}</b>`
          : '';
      const number = first + i;
      const link = `<a class="note" href="#L${number}">${number}</a>`;
      const head = heads.get(number);
      const kind = line.text.length > BREAKS ? 'line breaks' : 'line';
      return `${head === undefined ? '' : `</section><section id="${PLACE}${number}">${textOf('h3', head)}`}<p class="${kind}" id="L${number}" dir="auto">${name}${escapeHtml(saidOf(line))}${link}</p>`;
    }),
    '</section>',
    first + count - 1 < total ? GAP : '',
    `<hr><p class="note">${escapeHtml(note)}</p>`,
  ]);
}

function itemOf({ text, note, is_done }: NonNullable<PageContent['items']>[number]): string {
  const behind = note && ` <span class="note" dir="auto">${escapeHtml(note)}</span>`;
  return `<li class="${is_done ? 'done' : 'open'}" dir="auto">${escapeHtml(text)}${behind}</li>`;
}

const GAP = '<p class="note">…</p>';

/** The ids of chapters and landmarks begin with it. A jump to one ends where its heading sticks. */
const PLACE = 'C';

/** Returns links to the beginning and to the chapters or landmarks. Without the first link, the next one would be marked too early. */
function contentsOf({ places = [], are_landmarks = false, first }: PageContent): string {
  if (places.length === 0) return '';
  const start = places[0]?.line === first ? [] : [{ text: 'Beginning', line: first }];
  const links = [...start, ...places].map(
    ({ text, line }) => `<li dir="auto"><a href="#${PLACE}${line}">${escapeHtml(text)}</a></li>`,
  );
  const title = are_landmarks ? 'From the transcript' : 'Contents';
  return `<nav aria-labelledby="contents"><h2 id="contents">${title}</h2><ol>${links.join('')}</ol></nav>`;
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

/** Returns which lines are shown, as people read it. */
function rangeOf(first: number, count: number, total: number): string {
  const lines = count === 1 ? `Line ${first}` : `Lines ${first}–${first + count - 1}`;
  return `${lines} of ${total.toLocaleString('en')}.`;
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
  const links = Array.from({ length: COLUMNS / REACH }, (_, at) => {
    const line = first - 1 + scale.lineAt((at * REACH) / COLUMNS);
    return `<a href="#L${line}" tabindex="-1"></a>`;
  });
  return bands.length === 0
    ? ''
    : `<div class="score" aria-hidden="true"><svg viewBox="0 0 ${COLUMNS} 1" preserveAspectRatio="none">${bands.join('')}</svg><p>${links.join('')}</p></div>`;
}

/** Returns whose colours these are, and how many of the words are theirs. */
function legendOf(shares: readonly Share[], classOf: (speaker: string) => string): string {
  const names = shares.map(({ speaker, count, share }) => {
    const part = escapeHtml(percentOf(share));
    return speaker === undefined
      ? `<li class="hue-0">and ${count} ${count === 1 ? 'other' : 'others'} ${part}</li>`
      : `<li class="${classOf(speaker)}"><bdi>${escapeHtml(speaker)}</bdi> ${part}</li>`;
  });
  return names.length === 0 ? '' : `<ul class="names">${names.join('')}</ul>`;
}

function textOf(tag: string, text: string): string {
  return text === '' ? '' : `<${tag} dir="auto">${escapeHtml(text)}</${tag}>`;
}
