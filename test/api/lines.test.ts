// Lines of a transcript: which part a request gets, how a budget cuts it, and the same failures as for one memory.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import type { Failure } from '../../src/contract/failure.ts';
import type { TranscriptLines } from '../../src/contract/schemas/part.ts';
import { prepareMemory } from '../../src/store/import/memory-row.ts';
import { engine } from '../support/engines/engine.ts';
import { assertFailure } from '../support/wire/response-shape.ts';
import { send } from '../support/wire/wire.ts';
import { fullDetails } from '../support/world/details.ts';
import { entryPoints } from '../support/world/entry-points.ts';
import { createWorld, memory, type World } from '../support/world/world.ts';

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

describe('The times of lines', () => {
  const STARTS = [0, 2300, null, 61_000];
  const TEXT = 'Ana: Hi.\nBo: Hm.\nAna: So?\nBo: Yes.';

  /** Adds a memory whose lines have times, one without them, and one without details. */
  async function fill(world: World) {
    const key = world.addAccount('ana', []);
    const withStarts = (line_starts_ms: (number | null)[] | null) =>
      fullDetails({ line_starts_ms });
    world.writer.memories.putReady([
      prepareMemory('ana', talk(TEXT), withStarts(STARTS)),
      prepareMemory('ana', talk(TEXT, 'untimed'), withStarts(null)),
      prepareMemory('ana', talk(TEXT, 'unknown')),
      prepareMemory('ana', talk('', 'empty'), withStarts([])),
    ]);
    return key;
  }

  for (const entryPoint of entryPoints)
    it(`are those of the lines in the response, by ${entryPoint.name}`, async (t) => {
      const world = await createWorld(t, entryPoint);
      const { memories } = entryPoint.open(world, await fill(world));
      const startsOf = async (memory_id: string, input: object) =>
        (await memories.lines({ memory_id, times: true, ...input })).starts_ms;
      assert.deepEqual(await startsOf('talk', {}), STARTS);
      assert.deepEqual(await startsOf('talk', { first: 2, last: 3 }), [2300, null]);
      assert.deepEqual(await startsOf('talk', { first: 4, last: 99 }), [61_000]);
      assert.equal(await startsOf('untimed', {}), null);
      assert.equal(await startsOf('unknown', { first: 2 }), null);
      assert.deepEqual(await startsOf('empty', {}), []);
      for (const input of [{}, { times: false }])
        assert.equal('starts_ms' in (await memories.lines({ memory_id: 'talk', ...input })), false);
    });

  it('count in the budget, and leave an exact fit whole', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', []);
    const lines = Array.from({ length: 200 }, (_, i) => `Ana: ${'x'.repeat(i % 7)}`);
    const line_starts_ms = lines.map((_, i) => (i % 5 === 0 ? null : i * 977));
    const details = fullDetails({ line_starts_ms });
    world.writer.memories.putReady([prepareMemory('ana', talk(lines.join('\n')), details)]);
    const size = (to: number) => {
      const part = { memory_id: 'talk', total: 200, first: 3, last: to };
      const text = lines.slice(2, to).join('\n');
      return JSON.stringify({ ...part, text, starts_ms: line_starts_ms.slice(2, to) }).length;
    };
    for (let max_tokens = 100; max_tokens < 130; max_tokens++) {
      const path = `/v1/memories/talk/lines?first=3&times=true&max_tokens=${max_tokens}`;
      const { text } = await send(world.port, { path, key });
      const { last } = JSON.parse(text) as TranscriptLines;
      // The number of the last line may take a digit more than was reckoned with.
      const most = lines.findLastIndex((_, i) => i > 1 && size(i + 1) <= max_tokens * 4) + 1;
      assert.equal(text.length, size(last));
      assert.ok(last === most || (last === most - 1 && size(most) + 2 > max_tokens * 4), text);
    }
  });

  it('have an ETag that changes with the details', async (t) => {
    const world = await createWorld(t);
    const key = await fill(world);
    const path = '/v1/memories/talk/lines?times=true';
    const headers = {
      'if-none-match': String((await send(world.port, { path, key })).headers['etag']),
    };
    assert.equal((await send(world.port, { path, key, headers })).status, 304);
    const plain = await send(world.port, { path: '/v1/memories/talk/lines', key, headers });
    assert.equal(plain.status, 200, 'without times, the bytes differ');
    const details = fullDetails({ line_starts_ms: [0, 1, 2, 3] });
    world.writer.memories.putReady([prepareMemory('ana', talk(TEXT), details)]);
    const changed = await send(world.port, { path, key, headers });
    assert.deepEqual((JSON.parse(changed.text) as TranscriptLines).starts_ms, [0, 1, 2, 3]);
  });

  it('are not for keys that read summaries, and 422 without true or false', async (t) => {
    const world = await createWorld(t);
    const key = await fill(world);
    const path = '/v1/memories/talk/lines?times=';
    assertFailure(await send(world.port, { path: `${path}yes`, key }), 422);
    const scope = { reads: 'summaries', started_after: null, started_before: null } as const;
    const summaries = world.addKey('ana', null, scope).key;
    assertFailure(await send(world.port, { path: `${path}true`, key: summaries }), 403);
  });

  it('are a 500 if the details are damaged, and the lines are still served', async (t) => {
    const world = await createWorld(t);
    const key = await fill(world);
    const wrong = `UPDATE details SET body_sha256 = '${'0'.repeat(64)}' WHERE memory_id = 'talk'`;
    engine.edit(world.database, wrong);
    const path = '/v1/memories/talk/lines';
    assertFailure(await send(world.port, { path: `${path}?times=true`, key }), 500);
    assert.equal((await send(world.port, { path, key })).status, 200);
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
