// A memory as one HTML page, for a file and for a link: what is in it, and that it is only text.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import { onePageOf, PAGE_STYLE } from '../../src/app/server/one-page.ts';
import { huesOf } from '../../src/text/hues.ts';
import { ROOT } from '../support/world/program.ts';

const content = {
  title: 'Plan <b>"A"</b> & B',
  when: 'Monday, 16 November 2026, 10:00',
  summary: ['About <i>milk</i>.', 'Buy & drink'],
  first: 1,
  total: 4,
  lines: ['Mira: <script>alert(1)</script>', 'Mira: Milk.', 'no name', 'Tomas: "Yes" &amp; no.'],
};
const [MIRA = '', TOMAS = ''] = huesOf(['Mira', 'Tomas']).values();
/** The same lines again and again: long enough for a score. */
const long = {
  ...content,
  lines: Array.from({ length: 5 }, () => content.lines).flat(),
  total: 20,
};
const NOTE = 'Saved from Memory Gateway on 26 Nov 2026.';

describe('A memory as one page', () => {
  it('has the name, the times, the summary and all lines with names and numbers', () => {
    const html = onePageOf(content, NOTE);
    assert.match(html, /^<!doctype html>/);
    assert.ok(html.includes('<title>Plan &lt;b&gt;&quot;A&quot;&lt;/b&gt; &amp; B</title>'));
    assert.ok(html.includes('Monday, 16 November 2026, 10:00'));
    assert.ok(html.includes('<p dir="auto">About &lt;i&gt;milk&lt;/i&gt;.</p>'));
    assert.ok(html.includes('<li dir="auto">Buy &amp; drink</li>'));
    const lines = html.match(/<p class="line.*<\/p>/g) ?? [];
    assert.equal(lines.length, 4);
    assert.ok(
      lines[3]?.includes(
        `<b class="${TOMAS}">Tomas</b>&quot;Yes&quot; &amp;amp; no.<a class="note" href="#L4">4</a>`,
      ),
    );
    assert.ok(html.includes(NOTE));
    assert.doesNotMatch(html, /Lines? \d/, 'nothing about a part');
  });

  it('shows a name once a turn', () => {
    assert.equal(onePageOf(content, NOTE).match(/>Mira<\/b>/g)?.length, 1);
  });

  it('says below the score whose colours these are, the most words first, and how many share a grey', () => {
    const legendOf = (lines: string[]) =>
      [
        ...onePageOf(
          { ...content, lines: [lines, lines, lines, lines, lines].flat() },
          NOTE,
        ).matchAll(/<li class="([\w -]+)">(?:<bdi>)?(.*?)<\/li>/g),
      ]
        .map(([, color, name]) => [name?.replace('</bdi>', ''), color])
        .slice(0, lines.length);
    assert.deepEqual(legendOf(content.lines).slice(0, 2), [
      ['Tomas 60\u00a0%', TOMAS],
      ['Mira 40\u00a0%', MIRA],
    ]);
    const ten = Array.from('ABCDEFGHIJ', (name) => `${name}: Hm.`);
    const colors = legendOf(ten).slice(0, 8);
    assert.equal(new Set(colors.map(([, color]) => color)).size, 8);
    assert.deepEqual(legendOf(ten)[8], ['and 2 others 20\u00a0%', 'hue-0']);
    assert.doesNotMatch(
      onePageOf({ ...content, lines: long.lines.slice(1) }, NOTE),
      /class="names"|class="score"/,
      'a short one',
    );
    assert.doesNotMatch(
      onePageOf({ ...content, lines: Array(20).fill('Hm.') }, NOTE),
      /class="names"/,
    );
  });

  it('has headings for the takeaways and for a whole transcript', () => {
    const headingsOf = (html: string) => html.match(/(?<=<h2>)[^<]*/g);
    assert.deepEqual(headingsOf(onePageOf(content, NOTE)), ['Key takeaways', 'Transcript']);
    const lines = content.lines.slice(0, 2);
    assert.equal(headingsOf(onePageOf({ ...content, summary: [], lines }, NOTE)), null);
  });

  it('has the score: who speaks where, in the order of the lines and in the colours of the names', () => {
    const bands = [
      ...onePageOf({ ...long, lines: long.lines.toSorted() }, NOTE).matchAll(
        /<path class="([\w -]+)" d="M(\d+) 0h(\d+)/g,
      ),
    ];
    assert.deepEqual(
      bands.map(([, color]) => color),
      [MIRA, TOMAS],
    );
    const [first, second] = bands.map(([, , from, width]) => [Number(from), Number(width)]);
    assert.deepEqual([first?.[0], second?.[0]], [0, first?.[1]], 'no gap between them');
    assert.equal((second?.[0] ?? 0) + (second?.[1] ?? 0), 600, 'to the end');
    const nameless = onePageOf({ ...content, lines: Array(20).fill('Hm.') }, NOTE);
    assert.doesNotMatch(nameless, /<svg/);
  });

  it('gives each speaker as much of the score as of the words, as the reader counts them', () => {
    const lines = [
      ...Array.from({ length: 10 }, () => 'Mira: one two three four five six'),
      ...Array.from({ length: 10 }, () => 'Tomas: Incomprehensibilities, one two'),
    ];
    const html = onePageOf({ ...content, lines }, NOTE);
    const widths = Array.from(
      html.matchAll(/<path class="[\w -]+" d="M\d+ 0h(\d+)/g),
      ([, w]) => w,
    );
    assert.deepEqual(widths, ['400', '200']);
    assert.match(html, /<bdi>Mira<\/bdi> 67\u00a0%.*<bdi>Tomas<\/bdi> 33\u00a0%/);
  });

  it('leads to its parts without a script if it is long: by its contents, its score and its title, which stays', () => {
    const lines = Array.from({ length: 120 }, (_, i) => `${i % 2 ? 'A' : 'B'}: word ${i + 1}`);
    const places = [
      { text: 'Milk & tea', line: 41 },
      { text: 'Bread', line: 81 },
    ];
    const html = onePageOf({ ...content, first: 11, total: 200, lines, places }, NOTE);
    assert.match(
      html,
      /<h2 id="contents">Contents<\/h2><ol><li dir="auto"><a href="#C11">Beginning<\/a><\/li>\n?<li dir="auto"><a href="#C41">Milk &amp; tea</,
    );
    assert.match(
      html,
      /<\/section><section id="C81"><h3 dir="auto">Bread<\/h3><p class="line" id="L81"/,
    );
    const ours = onePageOf(
      { ...content, first: 11, total: 200, lines, places, are_landmarks: true },
      NOTE,
    );
    assert.match(ours, /<h2 id="contents">From the transcript<\/h2>/);
    assert.match(
      ours,
      /<section id="C81"><p class="line" id="L81"/,
      'words of the app are no heading in the text',
    );
    assert.match(html, /<a class="top" href="#top"/);
    const targets = Array.from(html.matchAll(/href="#(L\d+)" tabindex/g), ([, id = '']) => id);
    assert.deepEqual([targets.length, targets[0], targets.at(-1)], [60, 'L11', 'L129']);
    for (const id of targets) assert.ok(html.includes(`id="${id}"`), id);
    assert.doesNotMatch(onePageOf(content, NOTE), /class="top"|<nav|tabindex/);
  });

  it('has no contents if it is short, and no heading that repeats a takeaway', () => {
    const lines = ['Ana: One.', 'Bo: Two.', 'Ana: Three.'];
    const places = [
      { text: 'Buy milk.', line: 1 },
      { text: 'Bread', line: 2 },
    ];
    const summary = ['They plan.', 'Buy milk.'];
    const html = onePageOf({ ...content, first: 1, total: 3, lines, places, summary }, NOTE);
    assert.doesNotMatch(html, /<nav/);
    assert.equal(html.match(/Buy milk\./g)?.length, 1);
    assert.match(html, /<h3 dir="auto">Bread<\/h3>/);
  });

  it('says of who says little that it is not nothing', () => {
    const lines = [...Array.from({ length: 300 }, () => 'Ana: one two'), 'Bo: Yes.'];
    const html = onePageOf({ ...content, first: 1, total: 301, lines }, NOTE);
    assert.match(html, /<bdi>Ana<\/bdi> 100\u00a0%.*<bdi>Bo<\/bdi> &lt;\u00a01\u00a0%/);
  });

  it('has the colours of the reader, also if two names have the same one', () => {
    const names = ['Mira Okafor', 'Ines Berg'];
    const html = onePageOf({ ...content, lines: names.map((name) => `${name}: Yes.`) }, NOTE);
    for (const [name, hue] of huesOf(names))
      assert.ok(html.includes(`<b class="${hue}">${name}</b>`), name);
  });

  it('names the eight who say most, and counts all others, who share a grey', () => {
    const lines = Array.from({ length: 50 }, (_, i) => `S${i}:${' word'.repeat(60 - i)}`);
    const html = onePageOf({ ...content, lines }, NOTE);
    assert.match(html, /<li class="hue-0">and 42 others \d+\u00a0%<\/li><\/ul>/);
    const colours = Array.from(
      html.matchAll(/<b class="hue-(\d)[^"]*">S(\d+)</g),
      ([, hue, at]) => [Number(at) < 8, Number(hue) > 0],
    );
    assert.equal(colours.length, 50);
    for (const [isNamed, hasColour] of colours) assert.equal(hasColour, isNamed);
    const few = lines.slice(0, 9);
    const nine = onePageOf({ ...content, lines: [few, few, few].flat() }, NOTE);
    assert.match(nine, /and 1 other \d+\u00a0%<\/li>/);
  });

  it('has chosen lines alone, which begin with a name and keep their numbers', () => {
    const lines = content.lines.slice(1, 3);
    const html = onePageOf({ ...content, summary: [], first: 2, lines }, NOTE);
    assert.equal(html.match(/<p class="line/g)?.length, 2);
    assert.ok(html.includes(`id="L2" dir="auto"><b class="${MIRA}">Mira</b>Milk.`));
    assert.match(html, /<header>.*Lines 2–3 of 4\..*<\/header>/, 'below the title');
    assert.equal(
      html.match(/<p class="note">…<\/p>/g)?.length,
      2,
      'lines are left out before and after',
    );
    assert.ok(!html.includes('<ul>'), 'no summary');
    assert.match(onePageOf({ ...content, first: 3, lines: ['no name'] }, NOTE), /Line 3 of 4\./);
  });

  it('has no script, no address that it loads, and forbids both', () => {
    const html = onePageOf(content, NOTE);
    assert.doesNotMatch(html, /<script|https?:|src=/);
    assert.match(
      html,
      /Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/,
    );
  });

  it('has the colours of the app', () => {
    const app = readFileSync(join(ROOT, 'src/app/browser/style/lines.css'), 'utf8');
    const rules = [...app.matchAll(/^\.hue-[1-9] \{[^}]+\}/gm)];
    assert.equal(rules.length, 8);
    const bare = (text: string) => text.replaceAll(/\s|;(?=\s*\})|\b0(?=\.)/g, '');
    for (const [rule] of rules) assert.ok(bare(PAGE_STYLE).includes(bare(rule)), rule);
    const [, color = '?'] = /\[class\*='hue-'\] \{\s+(--c: [^}]+);\s*\}/.exec(app) ?? [];
    assert.ok(bare(PAGE_STYLE).includes(bare(color)), color);
    const tokens = readFileSync(join(ROOT, 'src/app/browser/style/tokens.css'), 'utf8');
    const [, grey = '?'] = /--faint: (.*);/.exec(tokens) ?? [];
    assert.ok(bare(PAGE_STYLE).includes(bare(`.hue-0{color:${grey}}`)), 'of all who have none');
  });

  it('has no list or line without a summary, takeaways or words', () => {
    const empty = onePageOf({ ...content, summary: [''], total: 1, lines: [''] }, NOTE);
    assert.equal(empty.match(/<hr>/g)?.length, 1);
    assert.doesNotMatch(empty, /<ul|<h2|class="line"|<svg|Lines/);
  });
});
