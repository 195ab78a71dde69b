// Lines of a transcript: which part a request gets, how a budget cuts it, and the same failures as for one memory.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import type { Failure } from '../../src/contract/failure.ts';
import type { TranscriptLines } from '../../src/contract/schemas/part.ts';
import { assertFailure } from '../support/wire/response-shape.ts';
import { send } from '../support/wire/wire.ts';
import { entryPoints } from '../support/world/entry-points.ts';
import { createWorld, memory } from '../support/world/world.ts';

const LINES = Array.from({ length: 412 }, (_, i) => `Mira: “${i}” 🥛\t\\`);

const talk = (transcript: string, id = 'talk') => memory({ id, transcript });

describe('Lines through every entry point', () => {
  for (const entryPoint of entryPoints)
    it(`are exactly those of the transcript, by ${entryPoint.name}`, async (t) => {
      const world = await createWorld(t, entryPoint);
      const key = world.addAccount('ana', [talk(LINES.join('\n')), talk('', 'empty')]);
      world.addAccount('bo', [talk('secret', 'theirs')]);
      const { memories } = entryPoint.open(world, key);
      const all = { memory_id: 'talk', total: 412 };
      for (const [range, first, last] of [
        [{}, 1, 412],
        [{ first: 120, last: 160 }, 120, 160],
        [{ last: 1 }, 1, 1],
        [{ first: 412 }, 412, 412],
        [{ first: 400, last: 1_000_000_000 }, 400, 412],
        [{ first: 7, last: 7, max_tokens: 100 }, 7, 7],
      ] as const)
        assert.deepEqual(await memories.lines({ memory_id: 'talk', ...range }), {
          ...all,
          first,
          last,
          text: LINES.slice(first - 1, last).join('\n'),
        });
      const nothing = { memory_id: 'empty', total: 0, first: 0, last: 0, text: '' };
      for (const range of [{}, { first: 1 }, { last: 9, max_tokens: 100 }])
        assert.deepEqual(await memories.lines({ memory_id: 'empty', ...range }), nothing);
      for (const [input, status, detail] of [
        [
          { memory_id: 'talk', first: 413 },
          422,
          /"first" is 413, but the transcript has 412 lines/,
        ],
        [{ memory_id: 'empty', first: 2 }, 422, /"first" is 2, but the transcript is empty/],
        [{ memory_id: 'talk', first: 0 }, 422, /"first" takes a whole number from 1/],
        [{ memory_id: 'talk', last: 1.5 }, 422, /"last" takes a whole number from 1/],
        [{ memory_id: 'talk', first: 9, last: 8 }, 422, /"last" is less than "first"/],
        [{ memory_id: 'talk', max_tokens: 99 }, 422, /"max_tokens" takes .* from 100 to 20000/],
        [{ memory_id: 'a/b' }, 422, /"memory_id"/],
        [{ memory_id: 'theirs' }, 404, /There is no memory with this id/],
        [{ memory_id: 'nobodys' }, 404, /There is no memory with this id/],
      ] as const)
        await assert.rejects(memories.lines(input), (error: Failure) => {
          assert.equal(error.status, status, JSON.stringify(input));
          assert.match(error.detail, detail);
          return true;
        });
    });
});

describe('A line', () => {
  it('ends with \\n alone, and the text after the last one is a line, too', async (t) => {
    const world = await createWorld(t);
    for (const [transcript, total] of [
      ['one', 1],
      ['one\n', 2],
      ['\n', 2],
      ['\n\n\n', 4],
      ['a\r\nb\u2028c\u000bd', 2],
    ] as const) {
      world.writer.accounts.create({
        id: `a${total}${transcript.length}`,
        name: 'A',
        created_by: 'seed',
      });
      world.writer.memories.put(`a${total}${transcript.length}`, talk(transcript));
      const { memories } = world.gateway.as(`a${total}${transcript.length}`);
      const whole = await memories.lines({ memory_id: 'talk' });
      assert.deepEqual([whole.total, whole.last, whole.text], [total, total, transcript]);
      const single: string[] = [];
      for (let first = 1; first <= total; first++)
        single.push((await memories.lines({ memory_id: 'talk', first, last: first })).text);
      assert.equal(single.join('\n'), transcript);
    }
  });
});

describe('A budget of tokens', () => {
  /** The bytes of a response, and what it says. */
  async function ask(transcript: string, query: string) {
    return async (world: Awaited<ReturnType<typeof createWorld>>) => {
      const key = world.addAccount('ana', [talk(transcript)]);
      const path = `/v1/memories/talk/lines?${query}`;
      const { status, text } = await send(world.port, { path, key });
      assert.equal(status, 200, text);
      return { bytes: Buffer.byteLength(text), said: JSON.parse(text) as TranscriptLines };
    };
  }

  it('holds for the bytes of the response, which ends with a whole line and has room for no other', async (t) => {
    for (const max_tokens of [100, 101, 333, 1000, 2500]) {
      const read = await ask(LINES.join('\n'), `first=90&max_tokens=${max_tokens}`);
      const { bytes, said } = await read(await createWorld(t));
      assert.ok(bytes <= max_tokens * 4, `${bytes} bytes in ${max_tokens} tokens`);
      assert.equal(said.text, LINES.slice(89, said.last).join('\n'));
      const next = LINES[said.last];
      if (next !== undefined)
        assert.ok(bytes + Buffer.byteLength(JSON.stringify(`\n${next}`)) - 2 > max_tokens * 4 - 2);
    }
  });

  it('cuts a first line that does not fit, never within a character', async (t) => {
    for (const line of [
      'x'.repeat(5000),
      '🥛'.repeat(5000),
      'a\u0000🥛'.repeat(5000),
      `a${'🥛'.repeat(5000)}`,
    ]) {
      const read = await ask(`${line}\nnext`, 'max_tokens=100');
      const { bytes, said } = await read(await createWorld(t));
      assert.ok(bytes <= 400 && bytes > 400 - 10, `${bytes} bytes`);
      assert.deepEqual([said.total, said.first, said.last], [2, 1, 1]);
      assert.ok(line.startsWith(said.text) && said.text.isWellFormed());
    }
  });

  it('leaves an exact fit whole', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', []);
    const empty = { memory_id: 'talk', total: 1, first: 1, last: 1, text: '' };
    const room = 400 - JSON.stringify(empty).length;
    for (const [length, shown] of [
      [room, room],
      [room + 1, room],
    ] as const) {
      world.writer.memories.put('ana', talk('x'.repeat(length)));
      const path = '/v1/memories/talk/lines?max_tokens=100';
      const { text } = await send(world.port, { path, key });
      assert.equal((JSON.parse(text) as TranscriptLines).text.length, shown);
      assert.equal(text.length, 400);
    }
  });
});

describe('Lines over HTTP', () => {
  it('have an ETag that lasts until the memory changes, and leads to 304 only for the owner', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', [talk('one\ntwo')]);
    const other = world.addAccount('bo');
    const path = '/v1/memories/talk/lines?first=2';
    const got = await send(world.port, { path, key });
    assert.deepEqual(JSON.parse(got.text), {
      memory_id: 'talk',
      total: 2,
      first: 2,
      last: 2,
      text: 'two',
    });
    const headers = { 'if-none-match': String(got.headers['etag']) };
    world.writer.memories.put('ana', talk('another', 'unrelated'));
    assert.equal((await send(world.port, { path, key, headers })).status, 304);
    assertFailure(await send(world.port, { path, key: other, headers }), 404);
    const wider = await send(world.port, { path: '/v1/memories/talk/lines', key, headers });
    assert.equal(wider.status, 200, 'other lines have another ETag');
    const head = await send(world.port, { path, key, method: 'HEAD' });
    assert.equal(head.text, '');
    assert.equal(head.headers['content-length'], got.headers['content-length']);
    world.writer.memories.put('ana', talk('one\n2'));
    assert.equal((await send(world.port, { path, key, headers })).status, 200);
  });

  it('name the parameter that an unknown one probably meant', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', [talk('one\ntwo')]);
    for (const [name, meant] of [
      ['from', 'first'],
      ['start_line', 'first'],
      ['to', 'last'],
      ['lats', 'last'],
      ['tokens', 'max_tokens'],
    ] as const) {
      const path = `/v1/memories/talk/lines?${name}=1`;
      const said = assertFailure(await send(world.port, { path, key }), 422);
      assert.equal(said, `Unknown parameter "${name}". Did you mean "${meant}"?`);
    }
  });
});
