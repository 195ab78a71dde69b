// The files of every product in fixtures/formats/ become the memories that are written beside them.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import * as fc from 'fast-check';
import * as v from 'valibot';

import { Memory } from '../src/contract/memory.ts';
import { ITEM_BYTES } from '../src/formats/bytes.ts';
import { formatNames, itemFormats } from '../src/formats/formats.ts';
import { bulletsOf, headingsOf } from '../src/formats/prose.ts';
import type { Outcome } from '../src/formats/read.ts';
import { isItem, itemsIn } from '../src/formats/unwrap.ts';
import { readWhole } from './support/formats.ts';
import { ROOT } from './support/program.ts';

const FOLDER = join(ROOT, 'fixtures/formats');
const MODIFIED = Date.parse('2026-11-20T12:00:00.000Z');

/** What a file must become: memories, and of the rest where and why: how the reason begins. */
type Expected = readonly Record<string, unknown>[];

for (const format of readdirSync(FOLDER)) {
  describe(`The ${format} files`, () => {
    const files = readdirSync(join(FOLDER, format));
    for (const file of files.filter((name) => !name.endsWith('.expected.json'))) {
      it(`are read: ${file}`, async () => {
        const bytes = readFileSync(join(FOLDER, format, file));
        const expected = JSON.parse(
          readFileSync(join(FOLDER, format, file.replace(/\.\w+$/, '.expected.json')), 'utf8'),
        ) as Expected;
        const source = { name: file, started_at: MODIFIED };
        const outcomes = await readWhole(source, [bytes]);
        for (const [i, outcome] of outcomes.entries()) assertIs(outcome, expected[i] ?? {});
        assert.equal(outcomes.length, expected.length);
        for (const each of outcomes) if ('format' in each) assert.equal(each.format, format);
        assert.deepEqual(await readWhole(source, [bytes], format), outcomes, 'named, not detected');
        const byBytes = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
        assert.deepEqual(await readWhole(source, byBytes), outcomes, 'byte by byte');
      });
    }
  });
}

describe('The table of formats', () => {
  it('has files for each', () => {
    assert.deepEqual(readdirSync(FOLDER).toSorted(), formatNames.toSorted());
  });

  for (const own of itemFormats) {
    it(`has none but ${own.name} that takes an item of its files`, () => {
      const items = itemsOf(own.name);
      assert.ok(items.some((item) => own.fits(item)));
      for (const item of items) {
        const others = itemFormats.filter((format) => format !== own && format.fits(item));
        assert.deepEqual(others, [], JSON.stringify(item).slice(0, 200));
      }
    });
  }
});

describe('An item with anything in it', () => {
  const NEIGHBOUR = { started_at: '2026-11-18T10:00:00Z', transcript: 'Hello.' };

  for (const { name } of itemFormats) {
    it(`becomes memories or reasons, and takes nothing from those beside it: ${name}`, async () => {
      const items = fc.constantFrom(...itemsOf(name));
      await fc.assert(
        fc.asyncProperty(items, fc.nat(), ANYTHING, async (item, where, what) => {
          const lines = [
            { id: 'before', ...NEIGHBOUR },
            withAt(item, where, what),
            { id: 'after', ...NEIGHBOUR },
          ].map((each) => JSON.stringify(each));
          const outcomes = await readWhole({ name: 'lines.jsonl' }, [lines.join('\n')]);
          const ids = outcomes.map((each) => 'memory' in each && each.memory.id);
          assert.deepEqual([ids[0], ids.at(-1)], ['before', 'after']);
          for (const each of outcomes)
            if ('memory' in each) assert.ok(v.is(Memory, each.memory), JSON.stringify(each));
            else assert.match('reason' in each ? each.reason : each.passed_over, /\w/);
        }),
        { numRuns: 300 },
      );
    });
  }
});

describe('An item of a kind that is none', () => {
  it('is rejected where it cannot be made a text of', async () => {
    const line = '{"type":{"toString":null},"content":{}}';
    const [outcome] = await readWhole({ name: 'lines.jsonl' }, [line]);
    assert.ok(outcome && 'reason' in outcome, JSON.stringify(outcome));
  });

  it('is passed over by the same words as any other, which are counted', async () => {
    const kinds = ['Audio', 'x'.repeat(1000), '\u001b[2J'];
    const lines = kinds.map((type) => JSON.stringify({ type, content: {} }));
    const outcomes = await readWhole({ name: 'lines.jsonl' }, [lines.join('\n')]);
    const passed = outcomes.map((each) => 'passed_over' in each && each.passed_over);
    assert.deepEqual(passed, [false, 'it is not audio', 'it is not audio']);
  });
});

const ANYTHING = fc.oneof(
  fc.constantFrom(
    undefined,
    null,
    '',
    ' ',
    0,
    -1,
    1.5,
    1e300,
    true,
    [],
    {},
    [null],
    [[]],
    '\u0000',
    { toString: null },
    { toJSON: 'no' },
  ),
  fc.jsonValue(),
);

/** A copy of an item with something else in one of its places, however deep. */
function withAt(item: unknown, where: number, what: unknown): unknown {
  let places = 0;
  JSON.stringify(item, (_, each: unknown) => (places++, each));
  let place = 0;
  return JSON.parse(
    JSON.stringify(item, (_, each: unknown) =>
      place++ === 1 + (where % (places - 1)) ? what : each,
    ),
  );
}

const SEGMENTS = 100_000;
const START = Date.parse('2026-11-18T10:00:00.000Z');
const at = (seconds: number) => new Date(START + seconds * 1000).toISOString();

/** A segment a second, by two who take turns, in a page of each product. */
const LONG: Record<string, (segments: readonly number[]) => unknown> = {
  omi: (segments) => {
    const words = (i: number) => ({ text: `Word ${i}.`, speaker_name: NAMES[i % 2], end: i + 1 });
    const conversation = { id: 1, started_at: at(0), transcript_segments: segments.map(words) };
    return { conversations: [conversation, SHORT] };
  },
  granola: (segments) => {
    const words = (i: number) => ({
      text: `Word ${i}.`,
      speaker: { source: 'microphone', diarization_label: NAMES[i % 2] },
      start_time: at(i),
      end_time: at(i + 1),
    });
    return { notes: [{ id: 1, object: 'note', transcript: segments.map(words) }, SHORT] };
  },
  fathom: (segments) => {
    const words = (i: number) => ({ text: `Word ${i}.`, speaker: { display_name: NAMES[i % 2] } });
    const times = { recording_start_time: at(0), recording_end_time: at(segments.length) };
    return { items: [{ recording_id: 1, ...times, transcript: segments.map(words) }, SHORT] };
  },
  fireflies: (segments) => {
    const words = (i: number) => ({ text: `Word ${i}.`, speaker_id: i % 2, end_time: i + 1 });
    const speakers = NAMES.map((name, id) => ({ id, name }));
    const transcript = { id: 1, date: START, speakers, sentences: segments.map(words) };
    return { data: { transcripts: [transcript, SHORT] } };
  },
  bee: (segments) => {
    const words = (i: number) => ({
      text: `Word ${i}.`,
      speaker: NAMES[i % 2],
      spoken_at: START + i * 1000,
    });
    const utterances = segments.toReversed().map(words);
    const times = { start_time: START, end_time: START + segments.length * 1000 };
    return { conversations: [{ id: 1, ...times, transcriptions: [{ utterances }] }, SHORT] };
  },
};
const NAMES = ['Ana', 'Ben'];
const SHORT = { id: 'next', started_at: at(0), transcript: 'The next one.' };

describe('A long recording', () => {
  for (const [format, page] of Object.entries(LONG)) {
    it(`is read to its end, and what follows it: ${format}`, async () => {
      const text = JSON.stringify(page(Array.from({ length: SEGMENTS }, (_, i) => i)));
      const [long, short] = await readWhole({ name: 'page.json' }, inChunks([text]));
      assert.ok(long && 'memory' in long, JSON.stringify(long));
      const lines = long.memory.transcript.split('\n');
      assert.equal(lines.length, SEGMENTS);
      assert.deepEqual([lines[0], lines.at(-1)], ['Ana: Word 0.', `Ben: Word ${SEGMENTS - 1}.`]);
      assert.equal(long.memory.ended_at, at(SEGMENTS));
      assert.ok(short && 'memory' in short && short.memory.id === 'next', JSON.stringify(short));
    });
  }

  it('is one of many in a page that is too long to be held', async () => {
    const words = JSON.stringify({ text: 'x'.repeat(1000), speaker_id: 0 });
    const sentences = Array.from({ length: 1500 }, () => words).join();
    const count = Math.ceil(ITEM_BYTES / sentences.length) + 1;
    function* page() {
      yield '{"items":[{"message":"of no page"}],"data":{"transcripts":[';
      for (let i = 0; i < count; i++)
        yield `${i === 0 ? '' : ','}{"id":${i},"date":${START},"sentences":[${sentences}]}`;
      yield ']}}';
    }
    const outcomes = await readWhole({ name: 'page.json' }, inChunks(page()));
    const ids = outcomes.map((each) => ('memory' in each ? each.memory.id : each));
    assert.deepEqual(
      ids,
      Array.from({ length: count }, (_, i) => String(i)),
    );
  });

  it("is no page for having a list where another product's pages have one", async () => {
    const notes = Array.from({ length: 3000 }, () => ({ text: 'x'.repeat(500) }));
    const outcomes = await readWhole(
      { name: 'memory.json' },
      inChunks([JSON.stringify({ items: [{}], notes, memories: notes, ...SHORT })]),
    );
    assert.deepEqual(
      outcomes.map((each) => 'memory' in each && each.memory.transcript),
      ['The next one.'],
    );
  });
});

describe('A memory of our own', () => {
  it('may have null wherever it may have nothing', async () => {
    const least = { id: 'a', started_at: '2026-11-18T10:00:00Z', transcript: 'Hello.' };
    const nothing = { name: null, ended_at: null, duration_seconds: null, is_processing: null };
    const [without] = await readWhole({ name: 'a.json' }, [JSON.stringify(least)]);
    const [outcome] = await readWhole({ name: 'a.json' }, [
      JSON.stringify({ ...least, ...nothing, summary: null }),
    ]);
    assert.ok(outcome && 'memory' in outcome, JSON.stringify(outcome));
    assert.deepEqual(outcome, without);
  });
});

describe('A text of nothing but spaces', () => {
  const VEXA = { id: 1, start_time: '2026-11-18T10:00:00Z', native_meeting_id: 'a', segments: [] };
  const SPEAKR = { id: 1, meeting_date: '2026-11-18', transcription: '', audio_duration: 1 };
  const TLDV = { id: 'a', happenedAt: '2026-11-18T10:00:00Z', transcript: [] };
  const LIMITLESS = { id: 'a', startTime: '2026-11-18T10:00:00Z' };

  it('stands for nothing, and what would be in its place is taken', async () => {
    const items = [
      { ...VEXA, title: ' ', data: { title: '\t', name: 'Stand-up' } },
      { ...SPEAKR, summary: ' \n', notes: '- Stand-up' },
      { ...TLDV, notes: { markdownContent: ' ', topics: [{ summary: 'Stand-up' }] } },
      {
        ...LIMITLESS,
        contents: [
          { type: 'blockquote', content: 'Hello.', speakerName: ' ', speakerIdentifier: 'user' },
        ],
      },
    ];
    const lines = items.map((each) => JSON.stringify(each)).join('\n');
    const outcomes = await readWhole({ name: 'lines.jsonl' }, [lines]);
    const made = outcomes.flatMap((each) => ('memory' in each ? each.memory : []));
    assert.deepEqual(
      [made[0]?.name, made[1]?.summary, made[2]?.summary.quick_summary, made[3]?.transcript],
      [
        'Stand-up',
        { quick_summary: '- Stand-up', key_takeaways: ['Stand-up'] },
        'Stand-up',
        'User: Hello.',
      ],
    );
  });
});

describe('A file that is no recording', () => {
  const captions = 'WEBVTT\n\n00:01.000 --> 00:02.000\nhello\n';
  const said: [string, string, string | undefined][] = [
    ['it is neither JSON nor captions', 'Anna 0:01\nHello.\n', undefined],
    ['it is neither JSON nor captions', '# Read me\n', undefined],
    ['it is not srt', captions, 'srt'],
    ['it is not vtt', '{"id":1}', 'vtt'],
    ['it is not omi', captions, 'omi'],
    ['it is empty', ' \n\n', undefined],
  ];
  for (const [reason, text, format] of said)
    it(`is told so: ${reason}, of ${JSON.stringify(text.slice(0, 12))}`, async () => {
      assert.deepEqual(
        (await readWhole({ name: 'a.txt' }, [text], format)).map((each) => ({
          ...each,
          place: {},
        })),
        [{ place: {}, reason }],
      );
    });

  it('is told where the id is missing, in no words of a library', async () => {
    const [outcome] = await readWhole({ name: 'a.json' }, [JSON.stringify({ ...SHORT, id: null })]);
    assert.deepEqual(outcome, { place: {}, reason: 'id: it is empty' });
    const { id: _, ...none } = SHORT;
    assert.deepEqual(await readWhole({ name: 'a.json' }, [JSON.stringify(none)]), [outcome]);
  });
});

describe('The id of a source', () => {
  const UUID = /^[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
  const idOf = async (id: string) => {
    const [outcome] = await readWhole({ name: 'a.json' }, [JSON.stringify({ ...SHORT, id })]);
    assert.ok(outcome && 'memory' in outcome, JSON.stringify(outcome));
    return outcome.memory.id;
  };

  it('stays where it is one of ours, and is spelt where it is none', async () => {
    assert.equal(await idOf('a~2F'), 'a~2F');
    assert.equal(await idOf('a/b~c'), 'a~2Fb~7Ec');
    assert.notEqual(await idOf('a/ ~2F'), await idOf('a~2F /'));
  });

  it('is a UUID of it where it is too long, or only dots, and always the same', async () => {
    for (const id of ['会'.repeat(43), 'x'.repeat(129), '.', '..']) {
      assert.match(await idOf(id), UUID);
      assert.equal(await idOf(id), await idOf(id));
    }
    assert.notEqual(await idOf('.'), await idOf('..'));
  });
});

describe('Prose', () => {
  it('has headings without the marks that close them', () => {
    const text = '## Learn C#\r\n## Next ##\n### Deeper\n## ##\n   ## Last ###  \n#hash';
    assert.deepEqual(headingsOf(text, 2), ['Learn C#', 'Next', 'Last']);
  });

  it('is read to its end, however little sense it makes', () => {
    const length = 1_000_000;
    const brackets = '['.repeat(length);
    assert.deepEqual(bulletsOf(`- ${brackets}`), [brackets]);
    const gap = `a${' '.repeat(length)}b`;
    assert.deepEqual(headingsOf(`## ${gap} ##`, 2), [gap]);
    const broken = `${' '.repeat(length)}a\u2028b`; // U+2028 ends a line to a dot, and to nothing else here
    assert.deepEqual(bulletsOf(`- ${broken}`), ['a\u2028b']);
    assert.deepEqual(headingsOf(`## ${broken}`, 2), ['a\u2028b']);
  });
});

function* inChunks(parts: Iterable<string>) {
  for (const part of parts)
    for (let i = 0; i < part.length; i += 65_536) yield part.slice(i, i + 65_536);
}

/** All items in the files of a format, broken ones left out. */
function itemsOf(format: string) {
  const files = readdirSync(join(FOLDER, format)).filter((name) => !name.includes('.expected.'));
  return files
    .flatMap((file) => {
      const text = readFileSync(join(FOLDER, format, file), 'utf8').replace(/^\uFEFF/, '');
      return file.endsWith('.jsonl') ? text.split('\n').map(parse) : [parse(text)];
    })
    .flatMap((value) => itemsIn(value, itemFormats))
    .filter(isItem);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function assertIs({ place, ...outcome }: Outcome, expected: Record<string, unknown>): void {
  if ('memory' in outcome) return assert.deepEqual(outcome.memory, expected);
  const { reason: why, passed_over: what, ...where } = expected;
  assert.deepEqual(place, where);
  if ('passed_over' in outcome) return assert.equal(outcome.passed_over, what);
  return assert.ok(outcome.reason.startsWith(String(why)), `${outcome.reason}, not ${String(why)}`);
}
