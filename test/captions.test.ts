// Captions, WebVTT and SRT: read as another parser reads them, and who speaks in them.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';

import * as fc from 'fast-check';

import { readCues } from '../src/formats/cues.ts';
import { nameOf } from '../src/formats/names.ts';
import { speechOf } from '../src/formats/speech.ts';
import { onOneLine, type Segment } from '../src/formats/turns.ts';
import { readWhole } from './support/formats.ts';

const START = '2026-11-18T09:00:00.000Z';

describe('WebVTT', () => {
  it('is read as the parser of the W3C reads it', () => {
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
          assert.deepEqual(join(speechOf([cue])), join(spokenIn(cues[i]?.tree)));
      }),
      { numRuns: 500 },
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

describe('SRT', () => {
  it('has the cues of the same file as WebVTT, from any number on', () => {
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

describe('A number', () => {
  const first = '1\n00:01.000 --> 00:02.000';
  const second = '00:02.000 --> 00:03.000\nno';
  const said = (text: string) => readCues(text).map(({ lines }) => lines.join('|'));

  it('is said where it is the text of a cue, whatever follows', () => {
    assert.deepEqual(said(`${first}\n42\n\n${second}`), ['42', 'no']);
    assert.deepEqual(said(`${first}\n42\n\n2\n${second}`), ['42', 'no']);
  });

  it('is an identifier above a time, with or without a blank line above, or around', () => {
    for (const between of ['\n\n2\n', '\n2\n', '\n\n2\n\n'])
      assert.deepEqual(said(`${first}\nyes${between}${second}`), ['yes', 'no']);
  });
});

describe('Captions of any kind', () => {
  it('are never a reason to throw', () => {
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
        for (const each of speechOf(readCues(pieces.join('')))) assert.ok(each.text !== undefined);
      }),
    );
  });

  it('are read where 100,000 cues have a speaker each', async () => {
    const cues = Array.from(
      { length: 100_000 },
      (_, i) => `${stamp(i)} --> ${stamp(i + 1)}\nP${i}: ${i}\n`,
    );
    const [outcome] = await read('long.vtt', `WEBVTT\n\n${cues.join('\n')}`);
    assert.ok(outcome && 'memory' in outcome);
    assert.equal(outcome.memory.duration_seconds, 100_000);
    assert.equal(outcome.memory.transcript.split('\n').length, 100_000);
    assert.ok(outcome.memory.transcript.endsWith('\nP99999: 99999'));
  });

  it('are read to their end where a million tags are begun, and none is ended', async () => {
    for (const tag of ['<v', '<v ', '<c.', '&#1', '{\\', 'a:', '- ']) {
      const text = `WEBVTT\n\n00:00.000 --> 00:01.000\n${tag.repeat(1e6)}`;
      const [outcome] = await read('tags.vtt', text);
      assert.ok(outcome && 'memory' in outcome, tag);
    }
  });

  it('are read to their end where what may be the line of a name is a million spaces', async () => {
    for (const first of ['a', '(', '<v']) {
      const cue = (i: number) =>
        `00:0${i}.000 --> 00:0${i + 1}.000\n${first}${' '.repeat(1e6)}b\nhello\n`;
      const [outcome] = await read('spaces.vtt', `WEBVTT\n\n${cue(1)}\n${cue(2)}`);
      assert.ok(outcome && 'memory' in outcome, first);
    }
  });

  it('say how to give them a start, where nothing tells it', async () => {
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
    ...new Set([...speechOf(cues(heads))].map(({ speaker }) => speaker || '')),
  ];

  it('is the other language of the subtitles, and names nobody, where it never recurs', () => {
    assert.deepEqual(speakers(['你好吗', '我很好', '谢谢']), ['']);
    assert.deepEqual(speakers(['Good Morning', 'Thank You', 'All Right', 'So Long', 'Hello']), [
      '',
    ]);
  });

  it('is who speaks where it recurs, or there are but a few cues', () => {
    assert.deepEqual(speakers(['山田', '佐藤', '山田', '佐藤']), ['', '山田', '佐藤']);
    assert.deepEqual(speakers(['Anna', 'Bo']), ['', 'Anna', 'Bo']);
  });
});

describe('The id of a recording that has only a file', () => {
  const text = 'WEBVTT\n\n00:01.000 --> 00:02.000\nhello\n';
  const idOf = async (name: string) => {
    const [outcome] = await read(name, text);
    assert.ok(outcome && 'memory' in outcome);
    return outcome.memory.id;
  };

  it('is its name with the folders above it, whichever way accents are written', async () => {
    assert.equal(await idOf('team/Stand-up.vtt'), 'team~2FStand-up.vtt');
    assert.equal(await idOf('Caf\u{E9}.vtt'), await idOf('Cafe\u{301}.vtt'));
  });

  it('is a UUID of the name where that is too long', async () => {
    const name = 'Еженедельное совещание отдела.vtt';
    const id = await idOf(name);
    assert.match(id, /^[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    assert.equal(await idOf(name), id);
    assert.notEqual(await idOf(`2 ${name}`), id);
  });

  it('is one, too, where the name is no whole text, as Windows lets it be', async () => {
    assert.match(await idOf(`${'\u{D800}'.repeat(100)}.vtt`), /^[\da-f-]{36}$/);
  });

  it('is the time when it began where it came from standard input', async () => {
    assert.equal(await idOf(''), '2026-11-18T09~3A00~3A00.000Z');
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
    'anna@example.org: hi',
    '山田太郎：hi',
    'محمد علي: hi',
  ];
  for (const line of named) it(`is one: ${line}`, () => assert.equal(nameOf(line)?.text, 'hi'));

  const sentences = [
    'https://example.org/a',
    'we meet at 10:30 then',
    'At 10:30',
    '10: the number of it',
    'so here is the thing: we go',
    'He said one thing. Then: nothing',
    'Is that so? Yes: it is',
    'Everybody Who Came To The Meeting Today: hi',
    ': hi',
    'hi',
    '',
  ];
  for (const line of sentences) it(`is none: ${line}`, () => assert.equal(nameOf(line), undefined));
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

/** What the other parser found to be said, by whom. */
function* spokenIn(node: Node | undefined, speaker = ''): Generator<Segment> {
  if (node?.type === 'text') yield { speaker, text: node.value };
  for (const each of node?.children ?? [])
    yield* spokenIn(each, node?.name === 'v' ? (node.value ?? '') : speaker);
}

/** Puts together what one says in pieces that follow one another. */
function join(segments: Iterable<Segment>): [string, string][] {
  const all: [string, string][] = [];
  for (const { speaker, text } of segments) {
    const last = all.at(-1);
    const who = onOneLine(speaker);
    if (last?.[0] === who) last[1] += text ?? '';
    else if (onOneLine(text) !== '') all.push([who, text ?? '']);
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
  gap: fc.integer({ min: 1, max: 10_000 }), // of two that begin at once, the parser puts the longer first
  lasts: fc.integer({ min: 1, max: 5_000_000 }),
  settings: fc.constantFrom('', ' align:start position:10%', '\tline:0'),
  text: fc.oneof(
    fc.constant(''),
    fc.array(span, { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n')),
  ),
  before: fc.constantFrom('', '', '', 'NOTE\n\n', 'NOTE not said\nat all\n\n'),
});

/** Puts times to cues, each from the beginning of the one before on. */
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

/** Writes seconds as `01:02:03.004`, without hours where there are none. */
function stamp(seconds: number): string {
  const ms = Math.round(seconds * 1000);
  const pad = (value: number, digits = 2) => String(Math.floor(value)).padStart(digits, '0');
  const rest = `${pad((ms / 60_000) % 60)}:${pad((ms / 1000) % 60)}.${pad(ms % 1000, 3)}`;
  return ms < 3_600_000 ? rest : `${pad(ms / 3_600_000)}:${rest}`;
}

function comma(time: string): string {
  return time.replace('.', ',');
}
