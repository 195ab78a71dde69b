// What an import reads besides the fields of a memory: times of lines, people, tags, chapters, things to do.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import * as v from 'valibot';

import { ReadDetails } from '../../src/contract/schemas/details.ts';
import type { DraftDetails } from '../../src/formats/details.ts';
import { toReadDetails, withoutEmails } from '../../src/formats/details.ts';
import { toTranscript } from '../../src/formats/turns/turns.ts';
import { speakerOf } from '../../src/text/speaker.ts';
import { readAll, type WholeFile } from '../support/formats/read-file.ts';
import { ROOT } from '../support/world/program.ts';

const FIXTURES = join(ROOT, 'fixtures/formats');
const STARTED = Date.parse('2026-11-18T09:00:00.000Z');
const EMAILS = { keepsEmails: true };

async function detailsOf(name: string, text: string) {
  const [found] = await readAll([{ name, started_at: STARTED, parts: [text] }]);
  assert.ok(found && 'details' in found, JSON.stringify(found));
  return found.details;
}

/** The files of a format, or those of one of its folders. */
function filesOf(format: string, isWanted: (name: string) => boolean): WholeFile[] {
  const folder = join(FIXTURES, format);
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile() && !each.name.endsWith('.expected.json'))
    .map((each) => join(each.parentPath, each.name))
    .map((place) => ({ name: place.slice(folder.length + 1), place, started_at: STARTED }))
    .filter(({ name }) => isWanted(name))
    .map((file) => ({ ...file, parts: [readFileSync(file.place)] }));
}

/** What is kept of memories besides their fields, by the columns of the table in the manual. */
function keptIn(all: readonly ReadDetails[]): Record<string, boolean> {
  const tags = new Set(all.flatMap((each) => each.tags.map(({ kind }) => kind)));
  const people = all.flatMap((each) => each.people);
  return {
    'times of lines': all.some(({ line_starts_ms }) => line_starts_ms !== null),
    'speaking time': people.some(({ speaking_ms }) => speaking_ms !== null),
    'other people': people.some(({ role }) => role !== 'speaker'),
    language: all.some(({ language }) => language !== null),
    folders: tags.has('folder'),
    tags: tags.has('tag'),
    stars: tags.has('star'),
    chapters: all.some(({ chapters }) => chapters.length > 0),
    'action items': all.some(({ action_items }) => action_items.length > 0),
    audio: all.some(({ audio }) => audio !== null),
    link: all.some(({ source }) => source.url !== null),
  };
}

/** Reads the table of the manual: for each format, the columns with a mark. */
function tableOfManual(): Record<string, Record<string, boolean>> {
  const text = readFileSync(join(ROOT, 'docs/reference/import-details.md'), 'utf8');
  const section = text.split('\n## What is kept besides\n')[1]?.split('\n## ')[0] ?? '';
  const [header, , ...rows] = section
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  return Object.fromEntries(
    rows.map(([format = '', ...cells]) => [
      format.replaceAll('`', ''),
      Object.fromEntries(cells.map((cell, i) => [header?.[i + 1] ?? '', cell === '✓'])),
    ]),
  );
}

describe('Every file of the fixtures', () => {
  const table = tableOfManual();

  for (const format of readdirSync(FIXTURES)) {
    it(`has details of the contract, with an entry for each line: ${format}`, async () => {
      const all: ReadDetails[] = [];
      for (const outcome of await readAll(
        filesOf(format, () => true),
        format,
        EMAILS,
      )) {
        if (!('memory' in outcome)) continue;
        const { details, memory } = outcome;
        all.push(details);
        assert.deepEqual(v.parse(v.strictObject(ReadDetails.entries), details), details);
        assert.equal(details.source.format, format);
        if (details.line_starts_ms !== null)
          assert.equal(details.line_starts_ms.length, memory.transcript.split('\n').length);
        const names = details.people.map(({ name }) => name);
        assert.equal(new Set(names).size, names.length, 'a name is there once');
      }
      assert.deepEqual(keptIn(all), table[format], 'the table "What is kept besides"');
    });

    const product = /^(?:bee|fathom|granola|limitless|otter|plaud|zoom)(?=-)/.exec(format)?.[0];
    if (product !== undefined)
      it(`has the name of its product, which has several formats: ${format}`, async () => {
        const outcomes = await readAll(
          filesOf(format, () => true),
          format,
        );
        const found = outcomes.flatMap((each) => ('details' in each ? [each.details] : []));
        assert.ok(found.length > 0);
        for (const { source } of found) assert.equal(source.product, product);
      });

    const expected = join(FIXTURES, format, 'details.read.expected.json');
    if (existsSync(expected))
      it(`becomes the details beside it: ${format}`, async () => {
        const files = filesOf(format, (name) => /^details(?:\.\w+$|\/)/.test(name));
        const outcomes = await readAll(files, format, EMAILS);
        assert.deepEqual(
          outcomes.flatMap((each) => ('details' in each ? [each.details] : [])),
          JSON.parse(readFileSync(expected, 'utf8')),
        );
      });
  }
});

describe('The times of lines', () => {
  it('are those of the first words of each turn, in milliseconds', async () => {
    const { line_starts_ms } = await detailsOf(
      'talk.vtt',
      [
        'WEBVTT',
        '00:00:02.300 --> 00:00:04.000\n<v Mira>We paint',
        '00:00:04.000 --> 00:00:05.000\n<v Mira>the shed.',
        '00:00:07.050 --> 00:00:08.000\n<v Henrik>When?',
      ].join('\n\n'),
    );
    assert.deepEqual(line_starts_ms, [2300, 7050]);
  });

  it('are null for a line whose time is unknown, and for all lines if no time is known', () => {
    const some = toTranscript([
      { speaker: 'Mira', text: 'Milk.' },
      { speaker: 'Ana', text: 'Bread.', start: 5 },
      { speaker: 'Mira', text: 'Salt.', start: null },
    ]);
    assert.deepEqual(some.line_starts_ms, [null, 5000, null]);
    assert.equal(toTranscript([{ text: 'Milk.' }]).line_starts_ms, null);
  });

  it('are 0 just before the start, and unknown long before it', () => {
    const early = toTranscript([
      { text: 'One.', start: -90 },
      { text: 'Two.', start: -0.4 },
      { text: 'Three.', start: 1e300 },
    ]);
    assert.deepEqual(early.line_starts_ms, [null, 0, null]);
  });
});

describe('The language of captions', () => {
  const cue = '00:00:01.000 --> 00:00:02.000\nHallo.';

  it('is that of their header', async () => {
    const { language } = await detailsOf(
      'a.vtt',
      `WEBVTT\nKind: captions\nLanguage: de-AT\n\n${cue}`,
    );
    assert.equal(language, 'de-AT');
  });

  it('is not what somebody says', async () => {
    const { language } = await detailsOf('a.vtt', `WEBVTT\n\n${cue}\nLanguage: en`);
    assert.equal(language, null);
  });
});

describe('The people of a memory', () => {
  it('are read from its lines, however a source writes their names', () => {
    const long = 'Anna '.repeat(20).trim();
    const names = {
      '🌸 Anna': 'Anna',
      '@mira_o': 'mira_o',
      'Yahoo!': 'Yahoo',
      'Who?': 'Who',
      'Lee; Ops': 'Lee Ops',
      '+49 171 2345': '+49 171 2345',
      '(650) 555-0100': '650 555-0100',
      '"Bo" Lind': 'Bo Lind',
      '🌸': 'Unknown speaker',
      [long]: 'Anna '.repeat(12).trim(),
      'Mira Okafor (Chair, Finance)': 'Mira Okafor (Chair, Finance)',
      '山田 太郎': '山田 太郎',
    };
    for (const [name, readable] of Object.entries(names)) {
      const transcript = toTranscript([
        { speaker: 'Bo', text: 'One.' },
        { speaker: name, text: 'Two.' },
      ]);
      const [, line = ''] = transcript.text.split('\n');
      assert.equal(line, `${readable}: Two.`);
      assert.equal(speakerOf(line), readable);
      const { people } = toReadDetails(
        { people: [{ name }], action_items: [{ text: 'Paint.', owner: name }] },
        { format: 'memories', id: 1, transcript },
      );
      assert.deepEqual(
        people.map((person) => person.name),
        ['Bo', readable],
        'who speaks and takes part is one person',
      );
    }
  });

  it('are the speakers with their lines, words and time, then the others', () => {
    const transcript = toTranscript([
      { speaker: 'Mira', text: 'We paint the shed.', start: 0, end: 2 },
      { speaker: 'Mira', text: 'Tomorrow.', start: 2, end: 3.5 },
      { speaker: 'Ana', text: 'Fine.', start: 4 },
      { speaker: 'Mira', text: 'Good.', start: 6, end: 7 },
      { text: 'Nobody says this.', start: 8, end: 9 },
    ]);
    const people = [
      { name: 'Ana', email: 'ana@example.org', role: 'organiser' as const },
      { name: 'Bo', email: 'bo@example.org' },
      { email: 'cy@example.org' },
      { name: ' ' },
    ];
    const details = toReadDetails({ people }, { format: 'vtt', id: undefined, transcript });
    const none = { lines: 0, words: 0, speaking_ms: null };
    assert.deepEqual(details.people, [
      { name: 'Mira', role: 'speaker', lines: 2, words: 6, speaking_ms: 4500 },
      {
        name: 'Ana',
        role: 'speaker',
        email: 'ana@example.org',
        lines: 1,
        words: 1,
        speaking_ms: null,
      },
      { name: 'Bo', role: 'attendee', email: 'bo@example.org', ...none },
      { name: 'cy@example.org', role: 'attendee', email: 'cy@example.org', ...none },
    ]);
    const names = withoutEmails(details).people;
    assert.deepEqual(
      names.map(({ name }) => name),
      ['Mira', 'Ana', 'Bo'],
    );
    assert.ok(names.every((person) => !('email' in person)));
  });

  it('are read from the lines of a text that names them', async () => {
    const transcript = 'Mira: Milk  and\u00A0\tbread. \nNobody said a word\nAna: Salt.\nMira: Yes.';
    const ours = { id: 'a', started_at: STARTED, transcript };
    const { people, source } = await detailsOf('a.json', JSON.stringify(ours));
    assert.deepEqual(people, [
      { name: 'Mira', role: 'speaker', lines: 2, words: 4, speaking_ms: null },
      { name: 'Ana', role: 'speaker', lines: 1, words: 1, speaking_ms: null },
    ]);
    assert.deepEqual(source, { product: null, format: 'memory', id: 'a', url: null });
  });
});

describe('The details in our own format', () => {
  const details: ReadDetails = {
    source: { product: 'omi', format: 'omi', id: 'conv_1', url: 'https://example.org/1' },
    language: 'en',
    line_starts_ms: [0, null],
    audio: null,
    people: [{ name: 'Mira', role: 'speaker', lines: 2, words: 2, speaking_ms: 900 }],
    tags: [{ name: 'work', kind: 'folder' }],
    chapters: [{ title: 'Milk', line: 1 }],
    action_items: [{ text: 'Buy milk', owner: 'Mira', due: null, done: false, line: 2 }],
  };
  const ours = { id: 'conv_1', started_at: STARTED, transcript: 'Mira: Milk.\nMira: Bread.' };
  const read = (more: object) => detailsOf('a.json', JSON.stringify({ ...ours, ...more }));

  it('come back as they are', async () => {
    const stored = { memory_id: 'conv_1', ...details, corrections: [], original: null };
    assert.deepEqual(await read({ details: stored }), details);
  });

  it('have no times of lines that are not there', async () => {
    const transcript = 'Mira: Milk.';
    assert.equal((await read({ transcript, details })).line_starts_ms, null);
  });

  it('count as missing if they are not as the contract says', async () => {
    const { source } = await read({ details: { ...details, people: 'Mira' } });
    assert.deepEqual(source, { product: null, format: 'memory', id: 'conv_1', url: null });
  });
});

describe('Chapters and action items', () => {
  const transcript = toTranscript([
    { speaker: 'Mira', text: 'One.', start: 2.4 },
    { speaker: 'Ana', text: 'Two.', start: 60.9 },
    { speaker: 'Mira', text: 'Three.' },
    { speaker: 'Ana', text: 'Four.', start: 120 },
  ]);
  const read = (details: DraftDetails) =>
    toReadDetails(details, { format: 'fathom', id: 7, transcript });

  it('are at the line that has begun by then', () => {
    const at = (start: number | undefined) =>
      read({ chapters: [{ title: 'A', start }] }).chapters[0]?.line;
    assert.deepEqual([0, 2, 60, 119, 500, undefined].map(at), [1, 1, 2, 3 - 1, 4, null]);
  });

  it('have nothing that the file does not state', () => {
    assert.deepEqual(
      read({ action_items: [{ text: 'Buy a fridge' }, { text: '' }] }).action_items,
      [{ text: 'Buy a fridge', owner: null, due: null, done: null, line: null }],
    );
    assert.deepEqual(read({}), {
      source: { product: 'fathom', format: 'fathom', id: '7', url: null },
      language: null,
      line_starts_ms: [2400, 60_900, null, 120_000],
      audio: null,
      people: read({}).people,
      tags: [],
      chapters: [],
      action_items: [],
    });
  });

  it('keep links of the web only', () => {
    const link = (url: string) => read({ url }).source.url;
    assert.equal(link('https://example.org/call/7'), 'https://example.org/call/7');
    assert.equal(link('javascript:alert(1)'), null);
    assert.equal(link('/files/7'), null);
  });
});
