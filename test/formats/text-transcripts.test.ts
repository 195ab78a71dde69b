// Text transcripts: which file is of which product, and odd names, times and line ends in each form.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import * as fc from 'fast-check';

import { formatNames, textFormats } from '../../src/formats/formats.ts';
import type { ReadOutcome } from '../../src/formats/read.ts';
import { isDocument, readDocument } from '../../src/formats/text/docx.ts';
import { SAMPLE } from '../../src/formats/text/lines/plain-lines.ts';
import { readWhole } from '../support/formats/read-file.ts';
import { ROOT } from '../support/world/program.ts';
import { cases } from '../support/world/thorough.ts';

const FOLDER = join(ROOT, 'fixtures/formats');
const MODIFIED = Date.parse('2026-11-20T12:00:00.000Z');
const TRANSCRIPTS = textFormats.filter((format) => 'read' in format && format.inDocuments);

/** The samples of all formats, with the names of the text formats that take them. */
const samples = await Promise.all(
  formatNames.flatMap((format) =>
    readdirSync(join(FOLDER, format), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.\w+$/.test(name) && !name.endsWith('.expected.json'))
      .map(async (name) => ({ format, name, takers: await takersOf(join(FOLDER, format), name) })),
  ),
);

async function takersOf(folder: string, name: string): Promise<string[]> {
  const bytes = readFileSync(join(folder, name));
  const isWord = isDocument(name);
  const found = isWord ? await readDocument(bytes) : { text: bytes.toString('utf8') };
  assert.ok('text' in found);
  const head = found.text
    .replace(/^\uFEFF/, '')
    .slice(0, SAMPLE)
    .trimStart();
  return (isWord ? TRANSCRIPTS : textFormats)
    .filter(({ matches }) => matches(head, name))
    .map((each) => each.name);
}

describe('A sample of a format', () => {
  it('is taken by no other text format', () => {
    for (const { format, name, takers } of samples)
      assert.deepEqual(
        takers.filter((each) => each !== format),
        [],
        `${format}/${name}`,
      );
  });

  it('is taken by its own, if that reads text transcripts', () => {
    for (const { format, name, takers } of samples)
      if (TRANSCRIPTS.some((each) => each.name === format))
        assert.deepEqual(takers, [format], `${format}/${name}`);
  });
});

describe('A text that is no transcript', () => {
  const texts: Record<string, string> = {
    'a to-do list': '# Garden\n\n- [ ] Seeds: beans\n- [ ] 10:30 gate\n',
    'an agenda': 'Agenda\n\n09:00 Welcome\n09:30 Anna: seeds\n10:15 Break\n',
    'an agenda in a table':
      '| Time | Topic | Who |\n|---|---|---|\n| 09:00 | Welcome | Anna |\n| 09:30 | Seeds | Bo |\n',
    'an agenda in columns': '09:00\tWelcome\tAnna\n09:30\tSeeds\tBo\n',
    'lists with headings':
      'Shopping:\nMilk\n\nGarden:\nBeans\n\nShopping:\nBread\n\nGarden:\nPeas\n',
    'numbered appointments': '1. [10:30] Anna comes\n2. [11:15] Bo leaves\n',
    'prices in brackets': '[1.25] Milk\n[2.50] Bread\n[3.00] Seeds\n',
    'a list of songs': 'First Song  3:45\nSecond Song  4:12\nThird Song  2:58\n',
    'a list of songs in columns': 'First Song   3:45\nSecond Song   4:12\n',
    'a log': '10:00:01 Server started\n10:00:02 Client: connected\n',
    'a log in brackets': '[10:00:01] [main/INFO]: started\n[10:00:02] [main/INFO]: ready\n',
    'a table of contents': 'Chapter One   12\nChapter Two   34\n',
    'a letter': 'Dear Anna: thank you.\n\nNote: the gate is open.\nBo\n',
    'notes of a person': '📝 Notes\n\nThe gate is open. Ask Bo.\n',
    'notes about a transcript': '# How to save a Transcript\n\nOpen the document.\n',
    'a recipe': 'Soup  1:30\n\nCut the onions.\nFry them.\n',
    'one turn with a time': 'Anna 0:01\nHello.\n',
    'a front matter': '---\ntitle: Garden - Transcript\n---\n\nSee the shed.\n',
  };
  for (const [what, text] of Object.entries(texts))
    it(`is of no format: ${what}`, () => {
      const takers = textFormats.filter(({ matches }) => matches(text, 'a.md'));
      assert.deepEqual(takers, []);
    });

  it('is of no format: the pages of this manual', () => {
    const pages = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' });
    for (const page of pages.filter((name) => name.endsWith('.md'))) {
      const head = readFileSync(join(ROOT, 'docs', page), 'utf8').slice(0, 4096);
      for (const { name, matches } of textFormats)
        assert.ok(!matches(head, page), `${page} ${name}`);
    }
  });
});

describe('A transcript', () => {
  const texts = samples.filter(
    ({ format, name }) => TRANSCRIPTS.some((each) => each.name === format) && !isDocument(name),
  );
  for (const { format, name } of texts)
    it(`is the same memory with every kind of line end, and with a byte order mark: ${name}`, async () => {
      const text = readFileSync(join(FOLDER, format, name), 'utf8').replace(/^\uFEFF/, '');
      const lines = text.replaceAll('\r\n', '\n');
      const expected = await read(lines, name);
      for (const end of ['\r\n', '\r'])
        assert.deepEqual(await read(`\uFEFF${lines.replaceAll('\n', end)}`, name), expected);
    });

  it('never throws, whatever follows a valid beginning', async () => {
    const beginnings = texts.map(({ format, name }) => ({
      name,
      lines: readFileSync(join(FOLDER, format, name), 'utf8').split('\n'),
    }));
    const beginning = fc.constantFrom(...beginnings);
    const line = fc.oneof(
      fc.constantFrom(...beginnings.flatMap(({ lines }) => lines)),
      fc.constantFrom('', '0:0:5.1 --> 0:0:8.2', '99:99:99', '📖 Transcript', 'Attendees', '**:**'),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(
        beginning,
        fc.nat(12),
        fc.array(line),
        async ({ name, lines }, kept, more) => {
          const [outcome] = await read([...lines.slice(0, kept), ...more].join('\n'), name);
          if (outcome && 'reason' in outcome) assert.match(outcome.reason, /\w/);
        },
      ),
      { numRuns: cases(1000) },
    );
  });
});

describe('An Otter transcript', () => {
  it('has the start that the caller gives', async () => {
    const text = 'Anna  0:03  \nHello.\n';
    const [outcome] = await readWhole(
      { name: 'a.txt', started_at: '2026-11-18T09:00:00Z', dated_by: 'caller' },
      [text],
    );
    assert.equal(memoryOf(outcome).started_at, '2026-11-18T09:00:00.000Z');
    assert.deepEqual(await readWhole({ name: 'a.txt' }, [text]), [
      { place: {}, reason: 'it has no start time; give --started-at' },
    ]);
  });

  it('has words that look like a time, and no turn of them', async () => {
    const text = 'Anna  0:03  \nWhen?\n10:30\nBo  0:05\nAt 10:30  12:00 sharp.\n';
    assert.deepEqual(
      await transcriptOf(text),
      'Anna: When? 10:30\nBo: At 10:30  12:00 sharp.'.replace('  12', ' 12'),
    );
  });
});

describe('A note with a transcript', () => {
  const startOf = async (date: string, started_at: string) => {
    const text = `---\ndate: ${date}\n---\n**Anna:** Hello.\n**Bo:** Hello, Anna.\n**Anna:** Come in.\n`;
    const source = { name: 'a.md', started_at, dated_by: 'name' } as const;
    return memoryOf((await readWhole(source, [text]))[0]).started_at;
  };

  it('begins at the time of its front matter if the name of its file has the same day alone', async () => {
    const day = '2026-11-18';
    assert.equal(await startOf('2026-11-18T09:30', day), '2026-11-18T09:30:00.000Z');
    assert.equal(await startOf('2026-11-18', day), '2026-11-18T00:00:00.000Z');
    assert.equal(await startOf('2026-11-20T09:30', day), '2026-11-18T00:00:00.000Z');
    assert.equal(
      await startOf('2026-11-18T09:30', '2026-11-18T10:00:00'),
      '2026-11-18T10:00:00.000Z',
    );
  });
});

describe('A Google Meet transcript', () => {
  const turns = '00:00:00\n\nAnna Ortiz: Hello.\n';
  const startOf = async (title: string, name = 'a.txt', more: object = {}) => {
    const source = { name, started_at: MODIFIED, ...more };
    const [outcome] = await readWhole(source, [`${title}\n${turns}`]);
    return memoryOf(outcome).started_at;
  };

  it('begins in the zone of its title', async () => {
    const zones = {
      GMT: '09:02',
      UTC: '09:02',
      'GMT+1': '08:02',
      'GMT-4': '13:02',
      'GMT+5:30': '03:32',
      PDT: '16:02',
      CEST: '07:02',
    };
    for (const [zone, time] of Object.entries(zones)) {
      const expected = `2026-02-10T${time}:00.000Z`;
      assert.equal(await startOf(`Weekly (2026-02-10 09:02 ${zone}) - Transcript`), expected);
      assert.equal(await startOf(`Weekly - 2026/02/10 09:02 ${zone} - Transcript`), expected);
    }
  });

  it('begins as a title with long dashes says, also in the name of a file', async () => {
    const dated = 'Weekly \u2013 2026/02/10 09:02 GMT+08:00 \u2013 Transcript';
    assert.equal(await startOf(dated), '2026-02-10T01:02:00.000Z');
    for (const end of ['', ' (Spanish)', ' (1)']) {
      const name = `Weekly \u2013 2026_02_10 09_02 GMT+08_00 \u2013 Notes by Gemini${end}.txt`;
      assert.equal(
        await startOf('Feb 10, 2026\nWeekly \u2013 Transcript', name),
        '2026-02-10T01:02:00.000Z',
      );
    }
  });

  it('begins at a local time if the zone has several meanings', async () => {
    assert.equal(
      await startOf('Weekly (2026-02-10 09:02 IST) - Transcript'),
      '2026-02-10T09:02:00.000Z',
    );
  });

  it('begins as the name of its file says, or on the day above its title', async () => {
    const title = 'Apr 24, 2026\nWeekly - Transcript';
    const file = 'Weekly - 2026_04_24 09_02 CEST - Notes by Gemini.txt';
    assert.equal(await startOf(title, file), '2026-04-24T07:02:00.000Z');
    assert.equal(await startOf(title), '2026-04-24T00:00:00.000Z');
    const named = { started_at: '2026-04-24T09:02:00', dated_by: 'name' };
    assert.equal(await startOf(title, 'a.txt', named), '2026-04-24T09:02:00.000Z');
    const later = { started_at: '2026-04-25T09:02:00', dated_by: 'name' };
    assert.equal(await startOf(title, 'a.txt', later), '2026-04-24T00:00:00.000Z');
    const given = { started_at: '2026-04-23T23:30:00Z', dated_by: 'caller' };
    assert.equal(await startOf(title, 'a.txt', given), '2026-04-23T23:30:00.000Z');
  });

  it('has no turns in its head, although the title and the list have colons', async () => {
    const text =
      '1:1: Anna (2026-02-10 09:02 GMT) - Transcript\nAttendees\nOps: Lee, Anna Ortiz\nAnna Ortiz: 你好：世界\nEnd.\nOps: Lee: Hello.\nAnna: Bye.\n';
    assert.equal(
      await transcriptOf(text),
      'Anna Ortiz: 你好：世界 End.\nOps: Lee: Hello. Anna: Bye.',
    );
  });

  it('has speakers who are listed, speak often, or have a name, and no others', async () => {
    const title = 'Weekly (2026-02-10 09:02 GMT) - Transcript';
    const said = 'Anna Ortiz: Hello.\nNote: the gate.\nedwin: Hi.\nedwin: Bye.\n#1 is: C\\D.\n';
    assert.equal(
      await transcriptOf(`${title}\nAttendees\nAnna Ortiz\n${said}`),
      'Anna Ortiz: Hello. Note: the gate.\nedwin: Hi. Bye. #1 is: C\\D.',
    );
    assert.equal(
      await transcriptOf(`${title}\n${said}`),
      'Anna Ortiz: Hello.\nNote: the gate.\nedwin: Hi. Bye. #1 is: C\\D.',
    );
    assert.equal(
      await transcriptOf(`# ${title}\n**Anna:** a\n**Bo**: b\nNote: c\n`),
      'Anna: a\nBo: b Note: c',
    );
  });

  it('can have other lines above its title, as programs add them', async () => {
    const title = '---\ntags: [meeting]\n---\n\n# Weekly (2026-02-10 09:02 GMT) - Transcript';
    assert.equal(await startOf(title), '2026-02-10T09:02:00.000Z');
  });

  it('is rejected if it has only the notes, unless they are wanted', async () => {
    const title = 'Weekly - 2026/02/10 09:02 GMT - Notes by Gemini';
    const [outcome] = await read(`${title}\n📝 Notes\nInvited Anna\nSummary\nAnna: yes.\n`);
    assert.ok(outcome && 'reason' in outcome, JSON.stringify(outcome));
    assert.match(outcome.reason, /^it has no transcript/);
  });

  it('ends with its last mark if it has no other end', async () => {
    const text = `Weekly (2026-02-10 09:02 GMT) - Transcript\n${turns}00:10:00\n`;
    const [outcome] = await read(text);
    assert.equal(memoryOf(outcome).duration_seconds, 600);
  });
});

describe('Captions and chat that Zoom saves', () => {
  const text = '[Anna] 23:59:50\nHello.\n\n[Bo] 00:00:10\nHello.\n';
  const folder = '2026-09-14 23.58.00 Weekly';
  const datesOf = async (more: object) => {
    const source = { name: 'meeting_saved_closed_caption.txt', started_at: MODIFIED, ...more };
    const [outcome] = await readWhole(source, [text]);
    assert.ok(outcome && 'memory' in outcome, JSON.stringify(outcome));
    const { id, name, started_at, ended_at } = outcome.memory;
    return { id, name, started_at, ended_at };
  };

  it('have the same id and the same date, whichever folder the import starts from', async () => {
    const inside = await datesOf({ fullName: `anna/Zoom/${folder}/closed_caption.txt` });
    const above = await datesOf({ name: `Zoom/${folder}/closed_caption.txt` });
    assert.deepEqual(inside, above);
    assert.deepEqual(
      { ...inside, id: '' },
      {
        id: '',
        name: 'Weekly',
        started_at: '2026-09-14T23:58:00.000Z',
        ended_at: '2026-09-15T00:00:10.000Z',
      },
    );
  });

  it('name the sender of a message, and not the words before them, in the languages of the program', async () => {
    const heads = [
      'From Mira Okafor To Everyone',
      'Von Mira Okafor an Alle',
      'Od Mira Okafor do Wszyscy',
      'От Mira Okafor кому Все',
      '从 Mira Okafor 到 所有人',
      '來自 Mira Okafor 到 所有人',
      '開始 Mira Okafor 宛先 全員',
    ];
    for (const head of heads) {
      const message = `16:02:01 ${head}:\n\t12 of 14 are here.\n`;
      const [outcome] = await readWhole({ name: 'chat.txt', started_at: MODIFIED }, [message]);
      assert.equal(memoryOf(outcome).transcript, 'Mira Okafor: 12 of 14 are here.', head);
    }
  });

  it('have the date of another name, and begin with the first words then', async () => {
    const { started_at, ended_at } = await datesOf({ started_at: '2026-09-14', dated_by: 'name' });
    assert.deepEqual(
      [started_at, ended_at],
      ['2026-09-14T23:59:50.000Z', '2026-09-15T00:00:10.000Z'],
    );
  });

  it('have the start that the caller gives, in any time zone', async () => {
    const given = { started_at: '2026-09-15T06:00:00+08:00', dated_by: 'caller' };
    const { started_at, ended_at } = await datesOf({ name: `${folder}/a.txt`, ...given });
    assert.deepEqual(
      [started_at, ended_at],
      ['2026-09-14T22:00:00.000Z', '2026-09-14T22:00:20.000Z'],
    );
  });

  it('begin before midnight if the first words come after it', async () => {
    const source = { name: '2026-09-14 23.59.58 Weekly/chat.txt', started_at: MODIFIED };
    const [outcome] = await readWhole(source, ['00:00:10\t From  Bo : Hello.\n']);
    const { started_at, ended_at } = memoryOf(outcome);
    assert.deepEqual(
      [started_at, ended_at],
      ['2026-09-14T23:59:58.000Z', '2026-09-15T00:00:10.000Z'],
    );
  });

  it('end when a turn without words ends', async () => {
    const source = { name: `${folder}/a.txt`, started_at: MODIFIED };
    const [outcome] = await readWhole(source, ['[Anna] 23:59:00\n\n[] 00:00:00\n[Bo] 23:59:30\n']);
    const { transcript, ended_at } = memoryOf(outcome);
    assert.deepEqual([transcript, ended_at], ['Anna: [] 00:00:00', '2026-09-14T23:59:30.000Z']);
  });
});

describe('A Teams transcript', () => {
  const turn = 'Anna   0:03\nHello.\n';
  const startOf = async (head: string) =>
    memoryOf((await read(`${head}\nAnna started transcription\n${turn}`))[0]).started_at;

  it('begins at the date below its title, which is in UTC', async () => {
    const dates = {
      'July 10, 2026, 8:42PM': '2026-07-10T20:42:00.000Z',
      '15 June 2026, 03:35am': '2026-06-15T03:35:00.000Z',
      'January 1, 2026, 12:05AM': '2026-01-01T00:05:00.000Z',
      '1 January 2026 12:05 pm': '2026-01-01T12:05:00.000Z',
      '15 June 2026, 15:35': '2026-06-15T15:35:00.000Z',
      '9 de julio de 2026, 8:03p.m.': '2026-07-09T20:03:00.000Z',
      '14. M\u00E4rz 2026, 09:05': '2026-03-14T09:05:00.000Z',
    };
    for (const [date, expected] of Object.entries(dates))
      assert.equal(await startOf(`Talk-20250101_000000-Meeting Recording\n${date}`), expected);
  });

  it('begins at the time in its title if the date is in a language that is not known', async () => {
    const date = '10 lipca 2026, 20:42';
    const title = 'Talk-20260710_224212-Nagranie spotkania';
    assert.equal(await startOf(`${title}\n${date}`), '2026-07-10T22:42:12.000Z');
    assert.equal(await startOf(date), new Date(MODIFIED).toISOString());
  });

  it('keeps words in which somebody starts something', async () => {
    const text = `Anna started transcription\n${turn}Bo   0:05\nHe started transcription, then left.\n`;
    assert.equal(
      await transcriptOf(text),
      'Anna: Hello.\nBo: He started transcription, then left.',
    );
  });
});

describe('Text that was copied from Fathom', () => {
  const textOf = (day: string) =>
    `Talk - ${day}\nVIEW RECORDING - 1 min (No highlights): \n\n---\n\n0:00 - Anna (Acme)\n  Hello.\n`;
  const startOf = async (day: string, more: object) => {
    const [outcome] = await readWhole({ name: 'a.txt', ...more }, [textOf(day)]);
    return memoryOf(outcome).started_at;
  };

  it('is from the last such day before the date of its file', async () => {
    assert.equal(await startOf('January 29', { started_at: MODIFIED }), '2026-01-29T00:00:00.000Z');
    assert.equal(
      await startOf('December 03', { started_at: MODIFIED }),
      '2025-12-03T00:00:00.000Z',
    );
    assert.equal(
      await startOf('February 29', { started_at: MODIFIED }),
      '2024-02-29T00:00:00.000Z',
    );
    // In another time zone that day had begun.
    assert.equal(
      await startOf('November 21', { started_at: MODIFIED }),
      '2026-11-21T00:00:00.000Z',
    );
    assert.equal(
      await startOf('November 22', { started_at: MODIFIED }),
      '2025-11-22T00:00:00.000Z',
    );
  });

  it('has the time of the name of its file if that is on the day', async () => {
    const named = { started_at: '2026-01-29T15:30:00', dated_by: 'name' };
    assert.equal(await startOf('January 29', named), '2026-01-29T15:30:00.000Z');
    assert.equal(await startOf('January 28', named), '2026-01-28T00:00:00.000Z');
  });

  it('has the start that the caller gives', async () => {
    const given = { started_at: '2024-01-29T15:30:00Z', dated_by: 'caller' };
    assert.equal(await startOf('January 28', given), '2024-01-29T15:30:00.000Z');
  });

  it('is rejected if nothing gives the year', async () => {
    assert.deepEqual(await readWhole({ name: '' }, [textOf('January 29')]), [
      { place: {}, reason: 'it has no year; give --started-at' },
    ]);
  });
});

async function read(text: string, name = 'a.txt'): Promise<ReadOutcome[]> {
  return readWhole({ name, started_at: MODIFIED }, [text]);
}

function memoryOf(outcome: ReadOutcome | undefined) {
  assert.ok(outcome && 'memory' in outcome, JSON.stringify(outcome));
  return outcome.memory;
}

async function transcriptOf(text: string): Promise<string> {
  return memoryOf((await read(text))[0]).transcript;
}

describe('A name that is alone on its line', () => {
  it('has no words of the next speaker if names stand before their words', async () => {
    for (const gap of ['', ' ', '\n'])
      assert.equal(
        await transcriptOf(`Ann: Good day.\nBob: Hi.\nAnn:${gap}\nBob: I bought it.\nAnn: Oh.`),
        'Ann: Good day.\nBob: Hi. I bought it.\nAnn: Oh.',
      );
  });

  it('has the words below it, also if names are alone on their lines', async () => {
    assert.equal(
      await transcriptOf('Ann: Good day.\nBob: Hi.\nAnn:\nIt is late.\nBob: Yes.'),
      'Ann: Good day.\nBob: Hi.\nAnn: It is late.\nBob: Yes.',
    );
    assert.equal(
      await transcriptOf('Ann:\nGood day.\nBob:\nAnn: that is what he said.\nAnn:\nOh.'),
      'Ann: Good day.\nBob: Ann: that is what he said.\nAnn: Oh.',
    );
  });

  it('has no words of the next name that is alone on its line', async () => {
    for (const gap of ['\n', '\n\n', ' \r\n\r\n'])
      for (const [one, other] of [
        ['Ann', 'Bob'],
        ['Speaker 1', 'Speaker 2'],
      ])
        assert.equal(
          await transcriptOf(
            `${one}:\nGood day.\n${other}:${gap}${one}:\nAre you there?\n${other}:\nI am.\n${one}:\n`,
          ),
          `${one}: Good day. Are you there?\n${other}: I am.`,
        );
    assert.equal(
      await transcriptOf('Ann:\nWe need two things:\nMilk.\nBob:\nYes.\nAnn:\nOh.'),
      'Ann: We need two things: Milk.\nBob: Yes.\nAnn: Oh.',
    );
  });
});
