// The files of every product in fixtures/formats/ become the memories in the JSON files next to them.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, it } from 'node:test';

import { parse as parseCsv } from 'csv-parse/sync';
import * as fc from 'fast-check';
import * as v from 'valibot';

import { Memory } from '../../src/contract/schemas/memory.ts';
import { ITEM_BYTES } from '../../src/formats/bytes.ts';
import { formatNames, itemFormats } from '../../src/formats/formats.ts';
import { isJsonObject, findItems } from '../../src/formats/json/unwrap.ts';
import { bulletsIn, headingsIn } from '../../src/formats/markdown-input.ts';
import {
  readAll,
  readWhole,
  type WholeFile,
  type WholeOutcome,
} from '../support/formats/read-file.ts';
import { ROOT } from '../support/world/program.ts';
import { cases, isThorough, sized } from '../support/world/thorough.ts';

const FOLDER = join(ROOT, 'fixtures/formats');
const MODIFIED = Date.parse('2026-11-20T12:00:00.000Z');

/**
 * The expected result of a file: its memories, and the place and reason of every rejected item.
 * Only the start of a reason is compared.
 */
type Expected = readonly Record<string, unknown>[];

for (const format of readdirSync(FOLDER)) {
  describe(`The ${format} files`, () => {
    const joined = readdirSync(join(FOLDER, format), { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() && existsSync(join(FOLDER, format, `${entry.name}.expected.json`))
        ? [entry.name]
        : [],
    );
    for (const name of joined)
      it(`are joined in any order: ${name}`, async () => {
        const files = filesIn(join(FOLDER, format, name));
        const outcomes = await readAll(files);
        assertAre(outcomes, expectedOf(format, name));
        for (const each of outcomes) if ('format' in each) assert.equal(each.format, format);
        assert.deepEqual(await readAll(files, format), outcomes, 'named, not detected');
        const reverse = await readAll(files.toReversed());
        assert.deepEqual(sorted(reverse), sorted(outcomes), 'in reverse');
      });

    const isAlone = (name: string) => !joined.some((folder) => name.startsWith(`${folder}/`));
    for (const file of samplesOf(format).filter(isAlone)) {
      it(`are read: ${file}`, async () => {
        const bytes = readFileSync(join(FOLDER, format, file));
        const source = { name: file, started_at: MODIFIED };
        const outcomes = await readWhole(source, [bytes]);
        assertAre(outcomes, expectedOf(format, file.replace(/\.\w+$/, '')));
        for (const each of outcomes) if ('format' in each) assert.equal(each.format, format);
        assert.deepEqual(await readWhole(source, [bytes], format), outcomes, 'named, not detected');
        const byBytes = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
        assert.deepEqual(await readWhole(source, byBytes), outcomes, 'byte by byte');
      });
    }
  });
}

function expectedOf(format: string, name: string): Expected {
  return JSON.parse(
    readFileSync(join(FOLDER, format, `${name}.expected.json`), 'utf8'),
  ) as Expected;
}

function assertAre(outcomes: readonly WholeOutcome[], expected: Expected): void {
  for (const [i, outcome] of outcomes.entries()) assertIs(outcome, expected[i] ?? {});
  assert.equal(outcomes.length, expected.length);
}

/** The files of one import. Parts of memories can share a folder. */
function filesIn(folder: string): WholeFile[] {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name))
    .toSorted();
  return names.map((place) => ({
    name: place.slice(folder.length + 1),
    place,
    started_at: MODIFIED,
    parts: [readFileSync(place)],
  }));
}

/** Memories in the order of ids, and reasons in their own order. The order of files changes that of rejects. */
function sorted(outcomes: readonly WholeOutcome[]): string[] {
  return outcomes.map((each) => JSON.stringify({ ...each, place: {} })).toSorted();
}

describe('Items without a transcript', () => {
  const LACKING = /^it has no (?:trans|sentences|segments)|^Omi has locked it/;
  const lacking = async (format: string, withoutTranscript: boolean) => {
    const found = samplesOf(format).map(async (name) => {
      const parts = [readFileSync(join(FOLDER, format, name))];
      const outcomes = await readAll([{ name, started_at: MODIFIED, parts }], format, {
        withoutTranscript,
      });
      return outcomes.filter((each) => 'reason' in each && LACKING.test(each.reason));
    });
    return (await Promise.all(found)).flat().length;
  };

  it('are kept by every format that rejects them otherwise, if that is asked for', async () => {
    const rejecting: string[] = [];
    for (const format of readdirSync(FOLDER)) {
      if ((await lacking(format, false)) > 0) rejecting.push(format);
      assert.equal(await lacking(format, true), 0, format);
    }
    for (const format of ['bee', 'fathom', 'otter-api', 'plaud-api', 'scriberr', 'tldv', 'vexa'])
      assert.ok(rejecting.includes(format), format);
  });
});

describe('The table of formats', () => {
  it('has fixtures for each', () => {
    assert.deepEqual(readdirSync(FOLDER).toSorted(), formatNames.toSorted());
  });

  for (const own of itemFormats) {
    it(`has only ${own.name} for an item of its files`, () => {
      const items = itemsOf(own.name);
      // The format for what no product has written only looks at the rest.
      assert.ok(items.some((item) => own.matches(item) || own.resembles?.(item)));
      for (const item of items) {
        const others = itemFormats.filter((format) => format !== own && format.matches(item));
        assert.deepEqual(others, [], JSON.stringify(item).slice(0, 200));
      }
    });
  }
});

describe('An item with random content', () => {
  const NEIGHBOUR = { started_at: '2026-11-18T10:00:00Z', transcript: 'Hello.' };

  for (const { name } of itemFormats) {
    it(`becomes memories or rejects, without affecting its neighbours: ${name}`, async () => {
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
          const neighbours = ids.filter((id) => id === 'before' || id === 'after');
          assert.deepEqual(neighbours, ['before', 'after']);
          for (const each of outcomes)
            if ('memory' in each) assert.ok(v.is(Memory, each.memory), JSON.stringify(each));
            else assert.match('reason' in each ? each.reason : each.skipped, /\w/);
        }),
        { numRuns: cases(300) },
      );
    });
  }
});

describe('An item that is no recording', () => {
  it('is rejected if it cannot become text', async () => {
    const line = '{"type":{"toString":null},"content":{}}';
    const [outcome] = await readWhole({ name: 'lines.jsonl' }, [line]);
    assert.ok(outcome && 'reason' in outcome, JSON.stringify(outcome));
  });

  it('is skipped with the same reason as others, which are counted', async () => {
    const kinds = ['Audio', 'x'.repeat(1000), '\u001b[2J'];
    const lines = kinds.map((type) => JSON.stringify({ type, content: {} }));
    const outcomes = await readWhole({ name: 'lines.jsonl' }, [lines.join('\n')]);
    const passed = outcomes.map((each) => 'skipped' in each && each.skipped);
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

/** Returns a copy of an item with another value in one place at any depth. */
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

const SEGMENTS = cases(sized(100_000, 20_000), 5000);
const START = Date.parse('2026-11-18T10:00:00.000Z');
const at = (seconds: number) => new Date(START + seconds * 1000).toISOString();

/** One segment per second, by two speakers in turn, in a page of each product. */
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
  'otter-api': (segments) => {
    const words = (i: number) => ({
      transcript: `Word ${i}.`,
      speaker_id: i % 2,
      start_offset: i * 16_000,
      end_offset: (i + 1) * 16_000,
    });
    const speakers = NAMES.map((speaker_name, id) => ({ id, speaker_name }));
    const speech = { otid: 'a', title: '', created_at: START / 1000, speakers };
    return { speeches: [{ ...speech, transcripts: segments.toReversed().map(words) }, SHORT] };
  },
  'plaud-api': (segments) => {
    const words = (i: number) => ({
      content: `Word ${i}.`,
      speaker: NAMES[i % 2],
      start_time: i * 1000,
      end_time: (i + 1) * 1000,
    });
    const recording = { id: 'a', filename: '', start_time: START, is_trans: true };
    return { data_file_list: [{ ...recording, trans_result: segments.map(words) }, SHORT] };
  },
  pocket: (segments) => {
    const transcript = segments.map((i) => ({ text: `Word ${i}.`, speaker: NAMES[i % 2] }));
    const recording = { id: 'a', title: '', recordingAt: at(0), duration: segments.length };
    return { data: [{ ...recording, transcript, summarizations: {} }, SHORT] };
  },
  scriberr: (segments) => {
    const words = (i: number) => ({
      text: ` Word ${i}.`,
      speaker: NAMES[i % 2],
      start: i,
      end: i + 1,
    });
    const transcript = JSON.stringify({ segments: segments.map(words) });
    const job = { id: 'a', created_at: at(0), audio_path: 'a', diarization: true, transcript };
    return { jobs: [job, SHORT] };
  },
};
const NAMES = ['Ana', 'Ben'];
const SHORT = { id: 'next', started_at: at(0), transcript: 'The next one.' };

describe('A long recording', () => {
  for (const [format, page] of Object.entries(LONG)) {
    it(`is read completely, and so is the next one: ${format}`, async () => {
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

  const skip = !isThorough && 'reads 64 MiB: see npm run test:slow';
  it('can be one of many in a page that is too long for memory', { skip }, async () => {
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

  it('is not taken for a page of another product', async () => {
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

describe('A memory in our own format', () => {
  it('can have null for every optional field', async () => {
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

describe('A text of spaces only', () => {
  const VEXA = { id: 1, start_time: '2026-11-18T10:00:00Z', native_meeting_id: 'a', segments: [] };
  const SPEAKR = { id: 1, meeting_date: '2026-11-18', transcription: '', audio_duration: 1 };
  const TLDV = { id: 'a', happenedAt: '2026-11-18T10:00:00Z', transcript: [] };
  const LIMITLESS = { id: 'a', startTime: '2026-11-18T10:00:00Z' };

  it('counts as missing', async () => {
    const items = [
      { ...VEXA, title: ' ', data: { title: '\t', name: 'Stand-up' } },
      { ...SPEAKR, summary: ' \n', notes: '- Stand-up' },
      {
        ...LIMITLESS,
        contents: [
          { type: 'blockquote', content: 'Hello.', speakerName: ' ', speakerIdentifier: 'user' },
        ],
      },
      // What is joined comes last.
      { ...TLDV, notes: { markdownContent: ' ', topics: [{ summary: 'Stand-up' }] } },
    ];
    const lines = items.map((each) => JSON.stringify(each)).join('\n');
    const outcomes = await readWhole({ name: 'lines.jsonl' }, [lines]);
    const made = outcomes.flatMap((each) => ('memory' in each ? each.memory : []));
    assert.deepEqual(
      [made[0]?.name, made[1]?.summary, made[3]?.summary.quick_summary, made[2]?.transcript],
      [
        'Stand-up',
        { quick_summary: '- Stand-up', key_takeaways: ['Stand-up'] },
        'Stand-up',
        'User: Hello.',
      ],
    );
  });
});

/** Why a file is rejected that is not of the format of --format. */
function notOf(format: string): string {
  return `it is not of the format ${format}; leave out --format`;
}

describe('A file without recordings', () => {
  const captions = 'WEBVTT\n\n00:01.000 --> 00:02.000\nhello\n';
  const said: [string, string, string | undefined][] = [
    [
      'it is neither JSON, captions nor a transcript of a known form; see "help import" for what is read',
      'Anna 0:01\nHello.\n',
      undefined,
    ],
    [
      'it is neither JSON, captions nor a transcript of a known form; see "help import" for what is read',
      '# Read me\n',
      undefined,
    ],
    [
      'it has lines such as "Ann: …", but may be a list; a conversation has three turns or more, names that come back, and signs such as a full stop after most turns; otherwise begin each turn with a time, as in "[00:00:00] Ann: …"',
      'Ann: Hello there.\nBen: Indeed.\n',
      undefined,
    ],
    [notOf('srt'), captions, 'srt'],
    [notOf('vtt'), '{"id":1}', 'vtt'],
    [notOf('omi'), captions, 'omi'],
    ['it is empty; copy it or export it again', ' \n\n', undefined],
  ];
  for (const [reason, text, format] of said)
    it(`is rejected: ${reason}, of ${JSON.stringify(text.slice(0, 12))}`, async () => {
      assert.deepEqual(
        (await readWhole({ name: 'a.txt' }, [text], format)).map((each) => ({
          ...each,
          place: {},
        })),
        [{ place: {}, reason }],
      );
    });

  it('is known as an answer of Fireflies, although the query did not ask for sentences', async () => {
    const summary = { short_summary: 'Ines orders broad beans.' };
    const transcripts = [{ id: 'a', title: 'Seeds', date: 1794906000000, duration: 9, summary }];
    const [outcome] = await readWhole({ name: 'a.json' }, [
      JSON.stringify({ data: { transcripts } }),
    ]);
    assert.ok(outcome && 'reason' in outcome);
    assert.match(outcome.reason, /^it has no sentences; ask for them in the query/);
  });

  it('is rejected without an id, in our own words', async () => {
    const [outcome] = await readWhole({ name: 'a.json' }, [JSON.stringify({ ...SHORT, id: null })]);
    assert.deepEqual(outcome, { place: {}, reason: 'its "id" is empty' });
    const { id: _, ...none } = SHORT;
    assert.deepEqual(await readWhole({ name: 'a.json' }, [JSON.stringify(none)]), [
      { place: {}, reason: 'it looks like our own format, but has no id' },
    ]);
  });

  it('says what it lacks if it is almost of our own format', async () => {
    for (const [item, reason] of [
      [{ id: 'a', started_at: '2026-11-18T09:00:00Z' }, 'has no transcript'],
      [{ id: 'a', duration_seconds: 5, transcript: 'Hi.' }, 'has no started_at'],
      [{ id: 'a', user_id: 'b', is_processing: false }, 'has no started_at and no transcript'],
    ] as const)
      assert.deepEqual(await readWhole({ name: 'a.json' }, [JSON.stringify(item)]), [
        { place: {}, reason: `it looks like our own format, but ${reason}` },
      ]);
    const [other] = await readWhole({ name: 'a.json' }, ['{"id":"a","name":"b"}']);
    assert.match(JSON.stringify(other), /it is of no format that is known here/);
  });
});

describe('The id of a source', () => {
  const UUID = /^[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
  const idOf = async (id: string) => {
    const [outcome] = await readWhole({ name: 'a.json' }, [JSON.stringify({ ...SHORT, id })]);
    assert.ok(outcome && 'memory' in outcome, JSON.stringify(outcome));
    return outcome.memory.id;
  };

  it('is unchanged if it is a valid id, and encoded otherwise', async () => {
    assert.equal(await idOf('a~2F'), 'a~2F');
    assert.equal(await idOf('a/b~c'), 'a~2Fb~7Ec');
    assert.notEqual(await idOf('a/ ~2F'), await idOf('a~2F /'));
  });

  it('becomes a UUID if it is too long or only dots, always the same one', async () => {
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
    assert.deepEqual(headingsIn(text, 2), ['Learn C#', 'Next', 'Last']);
  });

  it('is read completely, even if it makes no sense', () => {
    const length = cases(1_000_000);
    const brackets = '['.repeat(length);
    assert.deepEqual(bulletsIn(`- ${brackets}`), [brackets]);
    const gap = `a${' '.repeat(length)}b`;
    assert.deepEqual(headingsIn(`## ${gap} ##`, 2), [gap]);
    const broken = `${' '.repeat(length)}a\u2028b`; // U+2028 ends a line for a dot in a pattern, and nowhere else here
    assert.deepEqual(bulletsIn(`- ${broken}`), ['a\u2028b']);
    assert.deepEqual(headingsIn(`## ${broken}`, 2), ['a\u2028b']);
  });
});

/** The files of a format, with the folders that they are in. */
function samplesOf(format: string): string[] {
  return readdirSync(join(FOLDER, format), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.expected.json'))
    .map((entry) => relative(join(FOLDER, format), join(entry.parentPath, entry.name)));
}

function* inChunks(parts: Iterable<string>) {
  for (const part of parts)
    for (let i = 0; i < part.length; i += 65_536) yield part.slice(i, i + 65_536);
}

/** All valid items in the files of a format. */
function itemsOf(format: string) {
  return filesIn(join(FOLDER, format))
    .filter(({ name }) => !name.includes('.expected.'))
    .flatMap(({ name, parts }) => {
      const text = Buffer.concat([...parts] as Uint8Array[])
        .toString()
        .replace(/^\uFEFF/, '')
        .replace(/^sep=.\s+/, '');
      if (name.endsWith('.csv'))
        return parseCsv(text, { columns: true, delimiter: /[,;|]/.exec(text)?.[0] ?? ',' });
      return name.endsWith('.jsonl') ? text.split('\n').map(parse) : [parse(text)];
    })
    .flatMap((value) => findItems(value, itemFormats))
    .filter(isJsonObject);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function assertIs({ place, ...outcome }: WholeOutcome, expected: Record<string, unknown>): void {
  if ('memory' in outcome) return assert.deepEqual(outcome.memory, expected);
  const { reason: why, skipped: what, ...where } = expected;
  assert.deepEqual(place, where);
  if ('skipped' in outcome) return assert.equal(outcome.skipped, what);
  return assert.ok(outcome.reason.startsWith(String(why)), `${outcome.reason}, not ${String(why)}`);
}
