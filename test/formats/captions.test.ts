// Captions (WebVTT and SRT): compared with another parser, and the speakers in them.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';

import * as fc from 'fast-check';

import { describeFile } from '../../src/formats/captions/captions.ts';
import type { Cue } from '../../src/formats/captions/cue-store.ts';
import { createCueReader } from '../../src/formats/captions/cues.ts';
import { splitSpeaker } from '../../src/formats/captions/speaker-names.ts';
import { readSpeech } from '../../src/formats/captions/speech.ts';
import { linesOf } from '../../src/formats/turns/lines.ts';
import { toOneLine, toTranscript, type Segment } from '../../src/formats/turns/turns.ts';
import { readWhole } from '../support/formats/read-file.ts';
import { cases } from '../support/world/thorough.ts';

const START = '2026-11-18T09:00:00.000Z';

function readCues(text: string): Cue[] {
  const reader = createCueReader();
  linesOf(text).forEach(reader.add);
  return [...reader.end()];
}

describe('WebVTT', () => {
  it("is read as the W3C's parser reads it", () => {
    fc.assert(
      fc.property(file, (text) => {
        const { cues, errors } = parser.parse(text);
        assert.deepEqual(errors, [], 'the file is valid');
        const ours = readCues(text);
        assert.deepEqual(
          ours.map(({ start, end }) => [start.toFixed(3), end.toFixed(3)]),
          cues.map(({ startTime, endTime }) => [startTime.toFixed(3), endTime.toFixed(3)]),
        );
        for (const [i, cue] of ours.entries())
          assert.deepEqual(join(readSpeech([cue])), join(spokenIn(cues[i]?.tree)));
      }),
      { numRuns: cases(500) },
    );
  });

  it('is the same memory with every kind of line end, and with a byte order mark', async () => {
    const text =
      'WEBVTT\n\nNOTE\nx\n\n1\n00:01.000 --> 00:02.000\nAnna: one\ntwo\n\n2\n00:02.000 --> 00:03.000\n';
    const [expected] = await read('a.vtt', text);
    for (const end of ['\r\n', '\r'])
      assert.deepEqual(await read('a.vtt', `\uFEFF${text.replaceAll('\n', end)}`), [expected]);
  });
});

describe('A file without a title', () => {
  // The ids stay those of the files, so that an import again finds the same memories.
  for (const [file, name] of Object.entries({
    '2026-11-25 09.00 Board meeting, two hours.txt': 'Board meeting, two hours',
    'old/20261118_0900_Stand-up.transcript.vtt': 'Stand-up',
    '2026-11-18.srt': '2026-11-18',
    '2026-11-18 0900 (2).srt': '2026-11-18 0900 (2)',
    '2026-13-45 Never.vtt': '2026-13-45 Never',
    'Review of 2026-11-18.vtt': 'Review of 2026-11-18',
    'GMT20261119-090000_Recording.transcript.vtt': 'Zoom recording',
    'talk.en.vtt': 'talk',
    'My talk.pt-BR.srt': 'My talk',
    'meeting.v2.vtt': 'meeting.v2',
  }))
    it(`${file} is named ${name}`, () => {
      const described = describeFile({ name: file, started_at: START });
      assert.equal(described.name, name);
      assert.equal(decodeURIComponent(described.id.replaceAll('~', '%')), file.split('/').at(-1));
    });
});

describe('SRT', () => {
  it('has the same cues as the file in WebVTT, starting from any number', () => {
    const numbered = fc.tuple(fc.array(cue, { minLength: 1 }), fc.nat(5000));
    fc.assert(
      fc.property(numbered, ([all, first]) => {
        const cues = inOrder(all);
        const asVtt = cues.map(({ from, to, text }) => `${from} --> ${to}\n${text}\n`).join('\n');
        const asSrt = cues
          .map(
            ({ from, to, text }, i) => `${first + i}\n${comma(from)} --> ${comma(to)}\n${text}\n`,
          )
          .join('\n');
        assert.deepEqual(readCues(asSrt), readCues(`WEBVTT\n\n${asVtt}`));
      }),
    );
  });
});

describe('A number on a line', () => {
  const first = '1\n00:01.000 --> 00:02.000';
  const second = '00:02.000 --> 00:03.000\nno';
  const said = (text: string) => readCues(text).map(({ lines }) => lines.join('|'));

  it('is text if it is in a cue, whatever follows', () => {
    assert.deepEqual(said(`${first}\n42\n\n${second}`), ['42', 'no']);
    assert.deepEqual(said(`${first}\n42\n\n2\n${second}`), ['42', 'no']);
  });

  it('is an identifier above a time, with or without blank lines around it', () => {
    for (const between of ['\n\n2\n', '\n2\n', '\n\n2\n\n'])
      assert.deepEqual(said(`${first}\nyes${between}${second}`), ['yes', 'no']);
  });
});

describe('Any captions', () => {
  it('never throw', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '\n',
        '\n\n',
        '\r',
        '-->',
        '00:01.000 --> 00:02.000\n',
        '1\n',
        'NOTE',
        '<v ',
        '</v>',
        '&#',
        ';',
        '{',
        ': ',
        '- ',
        '(',
      ),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        for (const each of readSpeech(readCues(pieces.join(''))))
          assert.ok(each.text !== undefined);
      }),
    );
  });

  it('can have 100,000 cues with a speaker each', async () => {
    const length = cases(100_000);
    const cues = Array.from({ length }, (_, i) => `${stamp(i)} --> ${stamp(i + 1)}\nP${i}: ${i}\n`);
    const [outcome] = await read('long.vtt', `WEBVTT\n\n${cues.join('\n')}`);
    assert.ok(outcome && 'memory' in outcome);
    assert.equal(outcome.memory.duration_seconds, length);
    assert.equal(outcome.memory.transcript.split('\n').length, length);
    assert.ok(outcome.memory.transcript.endsWith(`\nP${length - 1}: ${length - 1}`));
  });

  it('can have a million tags that are not closed', async () => {
    for (const tag of ['<v', '<v ', '<c.', '&#1', '{\\', 'a:', '- ']) {
      const text = `WEBVTT\n\n00:00.000 --> 00:01.000\n${tag.repeat(cases(1e6))}`;
      const [outcome] = await read('tags.vtt', text);
      assert.ok(outcome && 'memory' in outcome, tag);
    }
  });

  it('can have a line of a million spaces where a name could be', async () => {
    for (const first of ['a', '(', '<v']) {
      const cue = (i: number) =>
        `00:0${i}.000 --> 00:0${i + 1}.000\n${first}${' '.repeat(cases(1e6))}b\nhello\n`;
      const [outcome] = await read('spaces.vtt', `WEBVTT\n\n${cue(1)}\n${cue(2)}`);
      assert.ok(outcome && 'memory' in outcome, first);
    }
  });

  it('say how to set a start time if they have none', async () => {
    for (const name of ['a.vtt', 'a.srt']) {
      const text = '1\n00:01,000 --> 00:02,000\nhello\n';
      const parts = [name === 'a.vtt' ? `WEBVTT\n\n${text}` : text];
      assert.deepEqual(await readWhole({ name }, parts), [
        { place: {}, reason: 'it has no start time; give --started-at' },
      ]);
    }
  });
});

describe('A line above the text', () => {
  const cues = (heads: readonly string[]) =>
    heads.map((head, i) => ({ start: i, end: i + 1, lines: [head, 'How are you?'] }));
  const speakers = (heads: readonly string[]) => [
    ...new Set([...readSpeech(cues(heads))].map(({ speaker }) => speaker || '')),
  ];

  it('is a second language, not a speaker, if it never recurs', () => {
    assert.deepEqual(speakers(['你好吗', '我很好', '谢谢']), ['']);
    assert.deepEqual(speakers(['Good Morning', 'Thank You', 'All Right', 'So Long', 'Hello']), [
      '',
    ]);
  });

  it('is the speaker if it recurs, or if there are only a few cues', () => {
    assert.deepEqual(speakers(['山田', '佐藤', '山田', '佐藤']), ['', '山田', '佐藤']);
    assert.deepEqual(speakers(['Anna', 'Bo']), ['', 'Anna', 'Bo']);
  });
});

describe('A label in brackets on a line of its own', () => {
  it('is the speaker until the next label, as Deepgram writes it', () => {
    const cues = ['[speaker 0]\nIs it', 'ready?', '[speaker 1]\nAlmost.', '[speaker 0]\nGood.'].map(
      (text, i) => ({ start: i, end: i + 1, lines: text.split('\n') }),
    );
    assert.equal(
      toTranscript(readSpeech(cues)).text,
      'Speaker 0: Is it ready?\nSpeaker 1: Almost.\nSpeaker 0: Good.',
    );
  });

  it('is a sound if it has no number', () => {
    const cues = ['[unknown]\nIs it', '[Music]', '[2 people laugh]'].map((text, i) => ({
      start: i,
      end: i + 1,
      lines: text.split('\n'),
    }));
    assert.deepEqual([...new Set([...readSpeech(cues)].map(({ speaker }) => speaker))], ['']);
  });
});

describe('The id of a recording without an id of its own', () => {
  const text = 'WEBVTT\n\n00:01.000 --> 00:02.000\nhello\n';
  const idOf = async (name: string) => {
    const [outcome] = await read(name, text);
    assert.ok(outcome && 'memory' in outcome);
    return outcome.memory.id;
  };

  it('is the file name, in any normal form of accents', async () => {
    assert.equal(await idOf('team/Stand-up.vtt'), 'Stand-up.vtt');
    assert.equal(await idOf('Caf\u{E9}.vtt'), await idOf('Cafe\u{301}.vtt'));
  });

  it('is a UUID of the name if the name is too long', async () => {
    const name = 'Еженедельное совещание отдела.vtt';
    const id = await idOf(name);
    assert.match(id, /^[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    assert.equal(await idOf(name), id);
    assert.notEqual(await idOf(`2 ${name}`), id);
  });

  it('is a UUID if the name is not valid Unicode, which Windows allows', async () => {
    assert.match(await idOf(`${'\u{D800}'.repeat(100)}.vtt`), /^[\da-f-]{36}$/);
  });

  it('is the start time if it came from standard input', async () => {
    assert.equal(await idOf(''), '2026-11-18T09~3A00~3A00.000Z');
  });
});

describe('An entity in a caption', () => {
  for (const [entity, character] of [
    ['&hellip;', '…'],
    ['caf&eacute;', 'café'],
    ['&copy;', '©'],
    ['it&rsquo;s', 'it’s'],
    ['&AMP;', '&'],
    ['&NBSP;', ''],
    ['&#8230;', '…'],
    ['&#xe9;', 'é'],
    ['&unknown;', '&unknown;'],
    ['&amp;lt;', '&lt;'],
    ['R&D; and more', 'R&D; and more'],
  ] as const)
    it(`is the character that it stands for: ${entity}`, async () => {
      const [outcome] = await read('a.vtt', `WEBVTT\n\n00:01.000 --> 00:02.000\n${entity}\n`);
      assert.ok(outcome && 'memory' in outcome);
      assert.equal(outcome.memory.transcript, character);
    });
});

describe('A name before a colon', () => {
  const named = [
    'Anna: hi',
    'Anna Müller: hi',
    'Anna :hi'.replace(':', ': '),
    'Dr. J. R. Smith Jr.: hi',
    'Ludwig van der Berg: hi',
    "Siobhán O'Brien-Smith (she/her): hi",
    'Müller, Anna: hi',
    'SPEAKER_00: hi',
    '[Speaker 1]: hi',
    'GUEST #1: hi',
    'anna@example.org: hi',
    '山田太郎：hi',
    'محمد علي: hi',
  ];
  for (const line of named)
    it(`is a speaker: ${line}`, () => assert.equal(splitSpeaker(line)?.text, 'hi'));

  const sentences = [
    'https://example.org/a',
    'we meet at 10:30 then',
    'At 10:30',
    '10: the number of it',
    'so here is the thing: we go',
    'He said one thing. Then: nothing',
    'Is that so? Yes: it is',
    'Everybody Who Came To The Meeting Today: hi',
    '#garden: hi',
    '#1: hi',
    ': hi',
    'hi',
    '',
  ];
  for (const line of sentences)
    it(`is no speaker: ${line}`, () => assert.equal(splitSpeaker(line), undefined));
});

async function read(name: string, text: string) {
  return await readWhole({ name, started_at: START }, [text]);
}

interface Node {
  readonly type?: string;
  readonly name?: string;
  readonly value?: string;
  readonly children?: readonly Node[];
}

interface Parsed {
  readonly cues: readonly {
    readonly startTime: number;
    readonly endTime: number;
    readonly tree: Node;
  }[];
  readonly errors: readonly unknown[];
}

const { WebVTTParser } = createRequire(import.meta.url)('webvtt-parser') as {
  readonly WebVTTParser: new (entities: Record<string, string>) => { parse(text: string): Parsed };
};
const parser = new WebVTTParser({
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&lrm;': '\u{200E}',
  '&rlm;': '\u{200F}',
  '&nbsp;': '\u{A0}',
});

/** Returns the speakers and texts that the other parser found. */
function* spokenIn(node: Node | undefined, speaker = ''): Generator<Segment> {
  if (node?.type === 'text') yield { speaker, text: node.value };
  for (const each of node?.children ?? [])
    yield* spokenIn(each, node?.name === 'v' ? (node.value ?? '') : speaker);
}

/** Joins consecutive pieces of the same speaker. */
function join(segments: Iterable<Segment>): [string, string][] {
  const all: [string, string][] = [];
  for (const { speaker, text } of segments) {
    const last = all.at(-1);
    const who = toOneLine(speaker);
    if (last?.[0] === who) last[1] += text ?? '';
    else if (toOneLine(text) !== '') all.push([who, text ?? '']);
  }
  return all.map(([who, text]) => [who, text.replaceAll(/\s+/g, '')]);
}

const word = fc.constantFrom(
  'milk',
  '42',
  'é',
  '日本',
  '&amp;',
  '&lt;i&gt;',
  '&nbsp;',
  '&lrm;a',
  "it's",
  'e-mail',
);
const plain = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));
const { span } = fc.letrec<{ span: string; inner: string }>((tie) => ({
  inner: fc.oneof(
    { maxDepth: 3 },
    plain,
    fc
      .tuple(fc.constantFrom('i', 'b', 'u', 'c', 'c.loud', 'lang en'), tie('inner'))
      .map(([tag, text]) => `<${tag}>${text}</${tag.split(/\W/, 1)[0]}>`),
  ),
  span: fc.oneof(
    tie('inner'),
    fc
      .tuple(fc.constantFrom('v Anna', 'v.first.loud O, B', 'v  Jo < Bo '), tie('inner'))
      .map(([tag, text]) => `<${tag}>${text}</v>`),
  ),
}));
const cue = fc.record({
  id: fc.constantFrom('', '1\n', 'intro\n', '42\n'),
  gap: fc.integer({ min: 1, max: 10_000 }), // if two cues begin at the same time, the parser returns the longer one first
  lasts: fc.integer({ min: 1, max: 5_000_000 }),
  settings: fc.constantFrom('', ' align:start position:10%', '\tline:0'),
  text: fc.oneof(
    fc.constant(''),
    fc.array(span, { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n')),
  ),
  before: fc.constantFrom('', '', '', 'NOTE\n\n', 'NOTE not said\nat all\n\n'),
});

/** Gives cues times. Each start is relative to the start of the cue before. */
function inOrder(cues: readonly (typeof cue extends fc.Arbitrary<infer T> ? T : never)[]) {
  let at = 0;
  return cues.map((each) => {
    at += each.gap;
    return { ...each, from: stamp(at / 1000), to: stamp((at + each.lasts) / 1000) };
  });
}

const file = fc
  .record({
    mark: fc.constantFrom('', '\uFEFF'),
    header: fc.constantFrom('', ' - a title', '\tKind of'),
    style: fc.constantFrom('', 'STYLE\n::cue { color: red }\n\n'),
    cues: fc.array(cue),
    end: fc.constantFrom('\n', '\r\n', '\r'),
  })
  .map(({ mark, header, style, cues, end }) => {
    const blocks = inOrder(cues).map(
      ({ before, id, from, to, settings, text }) =>
        `${before}${id}${from} --> ${to}${settings}\n${text}${text && '\n'}\n`,
    );
    return `${mark}WEBVTT${header}\n\n${style}${blocks.join('')}`.replaceAll('\n', end);
  });

/** Formats seconds as `01:02:03.004`, without hours if there are none. */
function stamp(seconds: number): string {
  const ms = Math.round(seconds * 1000);
  const pad = (value: number, digits = 2) => String(Math.floor(value)).padStart(digits, '0');
  const rest = `${pad((ms / 60_000) % 60)}:${pad((ms / 1000) % 60)}.${pad(ms % 1000, 3)}`;
  return ms < 3_600_000 ? rest : `${pad(ms / 3_600_000)}:${rest}`;
}

function comma(time: string): string {
  return time.replace('.', ',');
}

describe('A caption file that is read part by part', () => {
  const captions =
    'WEBVTT\r\n\r\n00:01.000 --> 00:02.000\r\nAnna: “Grüße”\r\n\r\n00:00.000 --> 00:01.000\r\nBo: 你好 😀\r\n';

  it('is the same memory whatever the parts are, with cues in the order of their times', async () => {
    const bytes = Buffer.from(captions);
    for (let size = 1; size < bytes.length; size++) {
      const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
        bytes.subarray(i * size, (i + 1) * size),
      );
      const [outcome] = await readWhole({ name: 'a.vtt', started_at: START }, parts);
      assert.ok(outcome && 'memory' in outcome);
      assert.equal(outcome.memory.transcript, 'Bo: 你好 😀\nAnna: “Grüße”');
      assert.equal(outcome.memory.duration_seconds, 2);
    }
  });

  it('is rejected if any part of it is not UTF-8', async () => {
    const bytes = Buffer.from(captions.repeat(2000));
    bytes[bytes.length - 3] = 0xff;
    const outcomes = await readWhole({ name: 'a.vtt', started_at: START }, [bytes]);
    assert.match(JSON.stringify(outcomes), /it is not UTF-8/);
  });

  it('is said to be cut off if it ends within a character, of UTF-8 or of UTF-16', async () => {
    const text = 'WEBVTT\n\n00:01.000 --> 00:02.000\nZoë';
    for (const bytes of [Buffer.from(text), Buffer.from(`\uFEFF${text}`, 'utf16le')]) {
      const outcomes = await readWhole({ name: 'a.vtt', started_at: START }, [
        bytes.subarray(0, -1),
      ]);
      assert.match(JSON.stringify(outcomes), /it ends within a character; export it again/);
    }
  });
});

describe('A long transcript', () => {
  it('has every word of its segments, and U+FFFD for halves of characters', () => {
    const words = ['plain', 'Grüße', '你好', '\uD83D', '😀', 'x'.repeat(20_000)];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 40 }), (texts) => {
        const repeated = texts.flatMap((text) => Array<string>(100).fill(text));
        assert.equal(
          toTranscript(repeated.map((text) => ({ text }))).text,
          repeated.join('\n').toWellFormed(),
        );
      }),
      { numRuns: 20 },
    );
  });
});
