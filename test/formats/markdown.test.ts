// Markdown export: a memory as a note whose text stays text, in a file name that every system allows.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import * as fc from 'fast-check';
import MarkdownIt, { type Token } from 'markdown-it';

import type { Memory } from '../../src/contract/schemas/memory.ts';
import { foldName } from '../../src/formats/markdown/filename.ts';
import { toMarkdown } from '../../src/formats/markdown/markdown.ts';
import { anything } from '../support/model/arbitrary-text.ts';
import { cases } from '../support/world/thorough.ts';
import { memory } from '../support/world/world.ts';

const free = () => false;

function noteOf(given: Partial<Memory>) {
  return toMarkdown(memory({ id: 'x', ...given }), free);
}

/** The text below the front matter. */
function bodyOf(text: string): string {
  const [, body] = /^---\n[^]*?\n---\n\n([^]*)$/.exec(text) ?? [];
  assert.ok(body !== undefined, text);
  return body;
}

function transcriptOf(transcript: string): string {
  return bodyOf(noteOf({ transcript }).text).split('## Transcript\n\n')[1] ?? '';
}

const markdown = new MarkdownIt({ html: true });

/**
 * The node types that a note may contain besides text, in a parser for CommonMark and GitHub's
 * tables and strikethrough.
 */
const MARKS = new Set(
  ['heading', 'paragraph', 'bullet_list', 'list_item', 'strong'].flatMap((name) => [
    `${name}_open`,
    `${name}_close`,
  ]),
);

/** Returns the lines that a reader sees. Fails on markup that no note has. */
function linesSeen(body: string): string[] {
  return markdown.parse(body, {}).flatMap((token) => {
    if (token.type === 'inline') return textOf(token.children ?? []).split('\n');
    assert.ok(MARKS.has(token.type), `${token.type} in ${JSON.stringify(body)}`);
    return [];
  });
}

function textOf(tokens: readonly Token[]): string {
  return tokens
    .map(({ type, content }) => {
      assert.ok(['text', 'softbreak'].includes(type) || MARKS.has(type), `${type}: ${content}`);
      return type === 'softbreak' ? '\n' : content;
    })
    .join('');
}

/** Finds Obsidian's own markup in text without its escaped characters. */
const OBSIDIAN = /%%|==|\[\[|\$\$|(?<![\p{L}\p{N}/])#[^\s#]|(?<=\s)\^[\w-]+$/mu;

const pieces = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...'*_`[]()<>#+-=~|$%^&:!\\.;/"\'{}1 \n\ta'.split('')) },
  fc.constantFrom(
    '[[a]]',
    '![a](b)',
    '[^1]',
    '- [ ] ',
    '1. ',
    '> ',
    '---',
    '|--|--|',
    '```',
    '~~~',
    '===',
    '%%',
  ),
  fc.constantFrom(
    '<b>',
    '<!--',
    '&amp;',
    '&#35;',
    '#tag',
    'http://a.b/#c_d_',
    'a@b.c',
    '$x$',
    ' ^ab',
    ': ',
    'Mira: ',
  ),
  fc.constantFrom('é', '中', '\\', '    ', '\r\n', '\u2028', '\u0000', '\ud800', '\u00a0'),
);
const text = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(''));

/** The lines of a text in a note: without control characters and surrounding space. */
function linesGiven(given: string): string[] {
  return given
    .toWellFormed()
    .split(/\r\n|[\r\n\u2028]/)
    .map((line) => line.replaceAll(/[\t\0]/g, ' ').trim())
    .filter(Boolean);
}

/** A line of a summary as it is seen: a heading, a bullet or bold text. */
function withoutMarks(line: string): string {
  return line
    .replace(/^(?:#{1,6}|[-*+])\s+(?=\S)/, '')
    .replaceAll(/(?<!\*)\*\*([\p{L}\p{N}](?:[^*\\]*[\p{L}\p{N}])?)\*\*(?!\*)/gu, '$1');
}

/** Replaces each run of visible space by one space. */
const spaced = (lines: readonly string[]) => lines.map((line) => line.replaceAll(/\s+/gu, ' '));

describe('A note', () => {
  it('has front matter, summary, takeaways and one paragraph per turn', () => {
    const { name, text: note } = noteOf({
      id: 'call-1',
      name: 'Call: "the lake"',
      started_at: '2026-11-18T23:59:59.999Z',
      ended_at: '2026-11-19T00:10:00.000Z',
      duration_seconds: 600,
      summary: {
        quick_summary: 'Of a lake.\n\nAnd a boat.',
        key_takeaways: ['Swim.', 'Row\nback.'],
      },
      transcript: 'Mira: Hello.\nTom Ito (he/him): Hi: yes.\n\n[laughs]\nMira:\n',
    });
    assert.equal(name, '2026/2026-11-18 Call the lake.md');
    assert.equal(
      note,
      `---
id: "call-1"
name: "Call: \\"the lake\\""
started_at: "2026-11-18T23:59:59.999Z"
ended_at: "2026-11-19T00:10:00.000Z"
duration_seconds: 600
is_processing: false
date: 2026-11-18
tags: [memory]
---

# Call: "the lake"

Of a lake.

And a boat.

## Key takeaways

- Swim.
- Row
  back.

## Transcript

**Mira:** Hello.

**Tom Ito (he/him):** Hi: yes.

\\[laughs]

**Mira:**
`,
    );
  });

  it('keeps the headings, lists and bold text of a summary, below its own title', () => {
    const quick_summary = [
      '# Plan',
      'For **Friday**:',
      '',
      '* Seeds',
      '    - Garlic **5 bags**',
      '    - Beans <b>',
      '\t- #tag',
      '* Mice',
      '###### Open',
      '> a quote, and **"more"**',
      '- ---',
      '- [ ] a task',
      '1. one',
    ].join('\n');
    const summary = { quick_summary, key_takeaways: [] };
    assert.equal(
      bodyOf(noteOf({ name: 'x', summary, transcript: '' }).text),
      `# x

### Plan
For **Friday**:

- Seeds
  - Garlic **5 bags**
  - Beans \\<b>
  - \\#tag
- Mice
###### Open
\\> a quote, and \\*\\*"more"\\*\\*
- \\---
- \\[ ] a task
1\\. one
`,
    );
  });

  it('leaves out parts that a memory does not have', () => {
    const nothing = { quick_summary: '', key_takeaways: [' '] };
    assert.equal(
      bodyOf(noteOf({ name: '\n', summary: nothing, transcript: '' }).text),
      '# Untitled\n',
    );
  });

  it('escapes text that would be markup', () => {
    for (const [given, written] of [
      ['#tag', '\\#tag'],
      ['see #tag', 'see \\#tag'],
      ['# no heading', '\\# no heading'],
      ['[[link]]', '\\[\\[link]]'],
      ['![[embed]]', '!\\[\\[embed]]'],
      ['[a](http://b)', '\\[a](http://b)'],
      ['<script>x</script>', '\\<script>x\\</script>'],
      ['<!-- x', '\\<!-- x'],
      ['---', '\\---'],
      ['===', '\\=\\=\\='],
      ['- a list', '\\- a list'],
      ['+ a list', '\\+ a list'],
      ['* a list', '\\* a list'],
      ['1. a list', '1\\. a list'],
      ['12) a list', '12\\) a list'],
      ['> a quote', '\\> a quote'],
      ['|-|-|', '\\|-|-|'],
      ['```js', '\\`\\`\\`js'],
      ['~~~', '\\~\\~\\~'],
      ['%%hidden%%', '\\%\\%hidden\\%\\%'],
      ['==bright==', '\\=\\=bright\\=\\='],
      ['*so* _so_ __so__', '\\*so\\* \\_so\\_ \\_\\_so\\_\\_'],
      ['it is $x$', 'it is $x\\$'],
      ['a block ^name', 'a block \\^name'],
      ['&lt; &#35;', '\\&lt; \\&\\#35;'],
      ['\\*', '\\\\\\*'],
      ['at the end \\', 'at the end \\\\'],
    ] as const)
      assert.equal(transcriptOf(given), `${written}\n`);
  });

  it('escapes only markup', () => {
    for (const plain of [
      '2 * 3 = 6, a < b & c > d',
      'snake_case, C#, issue 5, 50 %',
      'about ~5 minutes for $5, or 10!',
      'C:\\new',
      'http://a.example/b_c/#d?e=f&g=h',
      '-1 or +1, 3.5, 1.5. (so) "quoted" it\'s',
      'x^2 | y',
    ])
      assert.equal(transcriptOf(plain), `${plain}\n`);
  });

  it('renders every line of any text as it was, without markup from it', () => {
    fc.assert(
      fc.property(
        text,
        text,
        fc.array(text, { maxLength: 3 }),
        text,
        (title, quick, list, said) => {
          const body = bodyOf(
            noteOf({
              name: title,
              summary: { quick_summary: quick, key_takeaways: list },
              transcript: said,
            }).text,
          );
          const takeaways = list.flatMap(linesGiven);
          const turns = linesGiven(said);
          assert.deepEqual(
            spaced(linesSeen(body)),
            spaced([
              linesGiven(title).join(' ') || 'Untitled',
              ...linesGiven(quick).map(withoutMarks),
              ...(takeaways.length > 0 ? ['Key takeaways', ...takeaways] : []),
              ...(turns.length > 0 ? ['Transcript', ...turns] : []),
            ]),
          );
          const unescaped = body
            .replaceAll(/\\[!-/:-@[-`{-~]/g, '!')
            .replaceAll(/^ *(?:- )?#{1,6} /gm, '');
          assert.doesNotMatch(unescaped, OBSIDIAN);
        },
      ),
      { numRuns: cases(3000) },
    );
  });

  it('has its fields as YAML that is also JSON, which no text can end', () => {
    fc.assert(
      fc.property(anything, (name) => {
        const { text: note } = noteOf({ name });
        const [, head = ''] = /^---\n([^]*?)\n---\n/.exec(note) ?? [];
        const value = /^name: (.*)$/m.exec(head)?.[1] ?? '';
        assert.equal(JSON.parse(value), name);
        assert.doesNotMatch(head, /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/);
        assert.equal(head.split('\n').length, 8);
      }),
    );
  });
});

describe('The name of a note', () => {
  const titles = fc.oneof(
    anything,
    fc.string({ unit: 'grapheme', maxLength: 150 }),
    fc.constantFrom(
      'Call',
      'call',
      'CALL',
      'Ca\u200bll',
      'Café',
      'Cafe\u0301',
      'STRASSE',
      'straße',
    ),
    fc.constantFrom('', '.', '..hidden', 'CON', 'a.', 'a ', '👨‍👩‍👧'.repeat(20), '\ud800'),
  );
  const days = fc.constantFrom('2026-11-18', '2026-11-19', '0001-01-01');

  it('is allowed on every system and unique, whatever the memory is called', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(titles, days), { maxLength: 20 }), (all) => {
        const taken = new Set<string>();
        for (const [i, [name, day]] of all.entries()) {
          const started_at = `${day}T10:00:00.000Z`;
          const given = memory({ id: i % 2 ? `A${'x'.repeat(127)}` : `b${i}`, name, started_at });
          const note = toMarkdown(given, (each) => taken.has(foldName(each)));
          assert.match(note.name, /^\d{4}\/\d{4}-\d\d-\d\d [^]*[^.\s]\.md$/);
          const file = note.name.slice('2026/'.length);
          assert.doesNotMatch(file, /[*"\\/<>:|?#^[\]\p{Cc}\p{Cs}\u202e]/u);
          assert.equal(file, file.normalize('NFC'));
          assert.ok(Buffer.byteLength(file) <= 120, file);
          assert.ok(!taken.has(foldName(note.name)));
          taken.add(foldName(note.name));
        }
        // As Windows and macOS compare names.
        const seen = new Set([...taken].map((name) => name.normalize('NFD').toLowerCase()));
        assert.equal(seen.size, all.length);
      }),
      { numRuns: cases(1000) },
    );
  });

  it('gets the id if there is a similar one, and then a number', () => {
    const taken = new Set<string>();
    const names = ['aa', 'Aa', 'AA', 'b'].map((id, i) => {
      const given = memory({ id, name: i === 3 ? 'Other' : 'Call' });
      const { name } = toMarkdown(given, (each) => taken.has(foldName(each)));
      taken.add(foldName(name));
      return name.slice('2026/2026-11-16 '.length);
    });
    assert.deepEqual(names, ['Call.md', 'Call Aa.md', 'Call AA 2.md', 'Other.md']);
  });

  it('has no characters that change the writing direction or are invisible', () => {
    assert.equal(noteOf({ name: 'Ca\u061cll\ufeff' }).name, '2026/2026-11-16 Ca ll.md');
    for (const name of [
      '',
      ' ',
      '\u00ad',
      '\u3164',
      '\ufe0f',
      '\u200d \u00ad',
      '\u3164'.repeat(99) + 'a',
    ])
      assert.equal(noteOf({ name }).name, '2026/2026-11-16 Untitled.md', JSON.stringify(name));
    assert.equal(noteOf({ name: '❤\ufe0f' }).name, '2026/2026-11-16 ❤\ufe0f.md');
  });

  it('is cut between visible characters', () => {
    const { name } = noteOf({ name: '👨‍👩‍👧'.repeat(30) });
    assert.match(name, /^2026\/2026-11-16 (?:👨‍👩‍👧)+\.md$/u);
    assert.equal(noteOf({ name: 'Q3/Q4: 1:1 a|b' }).name, '2026/2026-11-16 Q3-Q4 1-1 a-b.md');
  });
});
