// A memory, or some lines of it, as one HTML file: it opens anywhere, prints, and has no script and nothing to load.

import type { Memory } from '../../../../../contract/schemas/memory.ts';
import { escapeHtml } from '../../../../../lib/html.ts';
import { bandsOf, createScale } from '../../../../../text/score.ts';
import { type TranscriptLine, beginsTurn } from '../../../../../text/turns.ts';
import type { ShownLines } from '../lines.ts';

/** What a file shows. */
export interface FileContent {
  readonly title: string;
  /** When it was recorded, as people read it. */
  readonly when: string;
  /** The day on which it is saved, as people read it. */
  readonly saved: string;
  readonly summary: Memory['summary'];
  readonly lines: readonly TranscriptLine[];
  /** The lines that were chosen. Without them, the file has the summary and all lines. */
  readonly range?: ShownLines | undefined;
  /** Returns the colour of a speaker on a light page. */
  readonly colorOf: (speaker: string) => string;
}

const STYLE = `:root{color-scheme:light dark}
body{max-width:40rem;margin:3rem auto;padding:0 1.25rem;font:1.0625rem/1.6 Georgia,serif}
p{margin:0}
.note,b{font:.8125rem/1.5 sans-serif}
.line{position:relative;padding-inline-end:3.5rem;overflow-wrap:anywhere}
.line b{display:block;margin-top:.75rem;font-weight:600}
b i{display:inline-block;width:.5rem;height:.5rem;margin-inline-end:.375rem}
.score{display:block;width:100%;height:.75rem;margin:1rem 0;background:#fff}
.line a{position:absolute;inset-inline-end:0;bottom:.25rem}
@page{margin:2cm;@bottom-right{content:counter(page) " / " counter(pages)}}
@media print{body{margin:0;font-size:11pt}}`;

/** Returns the file. Everything that the memory says is text in it. */
export function oneFileOf(content: FileContent): string {
  const { title, when, saved, summary, lines, range } = content;
  const { first, last } = range ?? { first: 1, last: lines.length };
  const shown = lines.slice(first - 1, last).map((_, i) => lineOf(content, first + i));
  const part =
    range === undefined ? '' : `Lines ${first}–${last} of ${lines.length.toLocaleString('en')}. `;
  const items = summary.key_takeaways.map((text) => textOf('li', text)).join('');
  const about = `${textOf('p', summary.quick_summary)}<ul>${items}</ul><hr>`;
  return [
    '<!doctype html><html lang="en"><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    `<title>${escapeHtml(title)}</title><style>${STYLE}</style>`,
    '<main>',
    textOf('h1', title),
    `<p class="note">${escapeHtml(when)}</p>`,
    scoreOf(content),
    '<hr>',
    range === undefined ? about : '',
    ...shown,
    `<hr><p class="note">${part}Saved from Memory Gateway on ${escapeHtml(saved)}.</p></main></html>`,
  ].join('\n');
}

/** The columns of the score. */
const COLUMNS = 600;

/** Returns who speaks where, as one strip. Without speakers there is none. */
function scoreOf({ lines, range, colorOf }: FileContent): string {
  const shown = range === undefined ? lines : lines.slice(range.first - 1, range.last);
  const bands = bandsOf(shown, createScale(shown), COLUMNS).map(
    ({ speaker, from, to }) =>
      `<path fill="${escapeHtml(colorOf(speaker))}" d="M${from} 0h${to - from}v1h${from - to}z"/>`,
  );
  return bands.length === 0
    ? ''
    : `<svg class="score" viewBox="0 0 ${COLUMNS} 1" preserveAspectRatio="none" aria-hidden="true">${bands.join('')}</svg>`;
}

function lineOf({ lines, range, colorOf }: FileContent, number: number): string {
  const { text = '', speaker } = lines[number - 1] ?? {};
  // A part begins with a name, also within a turn.
  const isNamed = number === range?.first || beginsTurn(lines, number);
  const said = text.slice(speaker === undefined ? 0 : speaker.length + 1).trim();
  const name =
    isNamed && speaker !== undefined
      ? `<b><i style="background:${escapeHtml(colorOf(speaker))}"></i>${escapeHtml(speaker)}</b>`
      : '';
  const link = `<a class="note" href="#L${number}">${number}</a>`;
  return `<p class="line" id="L${number}" dir="auto">${name}${escapeHtml(said)}${link}</p>`;
}

function textOf(tag: string, text: string): string {
  return text === '' ? '' : `<${tag} dir="auto">${escapeHtml(text)}</${tag}>`;
}
