// Search by meaning: what it finds besides words, what it says, and that it never fails or tells more than words do.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';

import type { Memory } from '../../src/contract/schemas/memory.ts';
import type { SearchResult } from '../../src/contract/schemas/passages.ts';
import { embedAccount } from '../../src/embeddings/embed-account.ts';
import { createEndpoint } from '../../src/embeddings/endpoint.ts';
import { startEndpoint, type Behaviour } from '../support/embeddings/endpoint.ts';
import { engine } from '../support/engines/engine.ts';
import { send } from '../support/wire/wire.ts';
import { found, spoken } from '../support/world/search.ts';
import { createServerOn } from '../support/world/server-in-process.ts';
import { createWorld } from '../support/world/world.ts';

const SYNONYMS = { physician: 'doctor', automobile: 'car', injured: 'hurt' };

/** A memory with a transcript and nothing else that gets a vector. */
function nameless(id: string, transcript: string, rest: Partial<Memory> = {}): Memory {
  return spoken(id, transcript, { name: '', ...rest });
}

const TALKS = [
  nameless('knee', 'Ana: The doctor looked at my knee.\nBen: And?'),
  nameless('garage', 'Ben: The car stands in the garage since Monday.'),
  nameless('milk', 'Mira: We are out of milk.\nTomas: The oat milk?'),
  nameless('music', 'Ana: The concert began late, with a drum solo.'),
];

async function createMeaning(t: TestContext, behaviour: Partial<Behaviour> = {}) {
  const endpoint = await startEndpoint({ synonyms: SYNONYMS, ...behaviour });
  t.after(() => endpoint.close());
  const options = { url: endpoint.url, model: 'test', key: 'sesame-open' };
  const world = await createWorld(t, { embeddings: options });
  const key = world.addAccount('ana', TALKS);
  const embed = (account_id = 'ana', model = 'test') =>
    embedAccount({
      writer: world.writer,
      endpoint: createEndpoint({ ...options, model }),
      account_id,
      firstDelayMs: 1,
    });
  const get = (query: string, headers: Record<string, string> = {}, by = key) =>
    send(world.port, { path: `/v1/search?${query}`, key: by, headers });
  const find = async (query: string, by = key): Promise<SearchResult> => {
    const { status, text } = await get(query, {}, by);
    assert.equal(status, 200, text);
    return JSON.parse(text) as SearchResult;
  };
  /** Returns the passages of all pages. */
  const walk = async (query: string) => {
    const passages = [];
    for (let path: string | undefined = `/v1/search?${query}`; path;) {
      const { text, headers } = await send(world.port, { path, key });
      passages.push(...(JSON.parse(text) as SearchResult).passages);
      path = nextOf(headers);
    }
    return passages;
  };
  return { world, endpoint, key, embed, get, find, walk };
}

const nextOf = (headers: Record<string, unknown>) =>
  /<([^>]*)>; rel="next"/.exec(String(headers['link']))?.[1];

describe('A search by meaning', () => {
  it('finds a passage that has none of the words, and says how many memories it compared', async (t) => {
    const { find, embed } = await createMeaning(t);
    assert.equal(await embed(), 4);
    const result = await find('q=physician');
    assert.equal(found(result)[0], 'knee');
    assert.deepEqual([result.mode, result.memories_compared], ['meaning', 4]);
    assert.deepEqual(result.passages[0]?.lines, [1, 2]);
    assert.deepEqual([result.memories_found, result.absent_words], [0, ['physician']]);
  });

  it('finds nothing in a memory that the filters exclude', async (t) => {
    const { find, embed } = await createMeaning(t);
    await embed();
    const one = 'q=physician&memory_id=knee';
    assert.deepEqual(found(await find(one)), ['knee']);
    for (const filter of ['is_processing=true', 'started_after=2099-01-01', 'tag=none']) {
      const result = await find(`${one}&${filter}`);
      const { memories_searched, memories_compared } = result;
      assert.deepEqual([found(result), memories_searched, memories_compared], [[], 0, 0], filter);
    }
  });

  it('joins both: what words and meaning find comes first', async (t) => {
    const { find, embed } = await createMeaning(t);
    await embed();
    assert.equal(found(await find('q=automobile+garage'))[0], 'garage');
  });

  it('shows no passage twice, also over pages', async (t) => {
    const { find, walk, embed } = await createMeaning(t);
    await embed();
    const whole = await find('q=the+physician+car&limit=100');
    assert.equal(whole.mode, 'meaning');
    const walked = await walk('q=the+physician+car&limit=1');
    assert.deepEqual(walked, whole.passages);
    assert.equal(new Set(whole.passages.map((each) => JSON.stringify(each))).size, 4);
  });

  it('shows no passage twice if some memories are damaged', async (t) => {
    const { world, walk, embed } = await createMeaning(t);
    // Lines so long that each is a stretch: the first is near, and the last has a word.
    const long = 'And on about bridges. '.repeat(45);
    const transcript = ['Ben: The doctor!', long, long, long, `Ben: Milk. ${long}`].join('\n');
    const started_at = '2020-01-01T00:00:00.000Z';
    world.writer.memories.put('ana', nameless('old', transcript, { started_at }));
    world.writer.memories.put('ana', nameless('asked', 'Ana: Which physician?'));
    // More than are ranked at a time, and all newer.
    const newer = Array.from({ length: 110 }, (_, i) => nameless(`n${i}`, `Ana: Milk, and ${i}.`));
    world.writer.memories.putAll('ana', newer);
    await embed();
    const other = "(SELECT other.body FROM memories AS other WHERE other.id = 'milk')";
    engine.edit(world.database, `UPDATE memories SET body = ${other} WHERE id LIKE 'n1_'`);
    const passages = await walk('q=milk+physician&limit=100');
    const shown = passages.map(({ memory_id, lines }) => `${memory_id} ${lines.join('-')}`);
    assert.ok(shown.includes('old 5-5'));
    assert.deepEqual(shown.toSorted(), [...new Set(shown)].toSorted());
  });

  it('searches within one memory, and keeps to the filters', async (t) => {
    const { world, find, embed } = await createMeaning(t);
    world.writer.memories.put(
      'ana',
      nameless('old', 'Ana: A doctor of long ago.', { started_at: '2020-01-01T00:00:00.000Z' }),
    );
    await embed();
    assert.deepEqual(new Set(found(await find('q=physician&memory_id=milk'))), new Set(['milk']));
    const late = await find('q=physician&started_after=2026-01-01');
    assert.ok(!found(late).includes('old'));
    assert.equal(late.memories_compared, 4);
  });

  it('takes a phrase, a prefix and other operators as they are written', async (t) => {
    const { find, embed, endpoint } = await createMeaning(t);
    await embed();
    endpoint.received.length = 0;
    const result = await find(`q=${encodeURIComponent('"out of milk"')}`);
    assert.deepEqual([found(result), result.mode], [['milk'], 'words']);
    for (const q of ['physic*', 'milk -oat', 'milk speaker:Mira'])
      assert.equal((await find(`q=${encodeURIComponent(q)}`)).mode, 'words', q);
    assert.equal(endpoint.received.length, 0);
  });

  it('sends the query, the model and the key, and nothing else', async (t) => {
    const { find, endpoint } = await createMeaning(t);
    await find('q=physician');
    const [{ headers, body } = { headers: {}, body: undefined }] = endpoint.received;
    assert.deepEqual(body, { model: 'test', input: ['physician'], encoding_format: 'float' });
    assert.equal(headers.authorization, 'Bearer sesame-open');
  });

  it('sends what a query says, and none of its limits', async (t) => {
    const { find, embed, endpoint } = await createMeaning(t);
    await embed();
    endpoint.received.length = 0;
    const limits = 'after:2020 before:2099-01 source:memory tag:x';
    await find(`q=${encodeURIComponent(`my physician ${limits} OR car`)}`);
    assert.deepEqual(
      endpoint.received.map(({ body }) => body.input),
      [['my physician car']],
    );
  });

  it('has no meaning in a query without words, and sends none', async (t) => {
    const { find, embed, endpoint } = await createMeaning(t);
    await embed();
    endpoint.received.length = 0;
    for (const [q, most] of [
      ['""', 0],
      ['?!', 0],
      ['after:2020', 4],
    ] as const) {
      const result = await find(`q=${encodeURIComponent(q)}`);
      assert.deepEqual([result.passages.length, result.mode], [most, 'words'], q);
    }
    assert.equal(endpoint.received.length, 0);
  });

  it('tells an agent how many memories were compared, unless all were', async (t) => {
    const { world, key, embed } = await createMeaning(t);
    await embed();
    const valuesOf = async () => {
      const params = { name: 'search', arguments: { query: 'physician' } };
      const { text } = await send(world.port, {
        method: 'POST',
        path: '/mcp',
        key,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      });
      const { result } = JSON.parse(text) as { result: { content: { text: string }[] } };
      return result.content[0]?.text.split(' · timezone')[0];
    };
    const counts = 'memories_found: 0 · memories_searched:';
    assert.equal(await valuesOf(), `${counts} 4 · mode: meaning`);
    world.writer.memories.put('ana', nameless('new', 'Ana: It rains.'));
    assert.equal(await valuesOf(), `${counts} 5 · mode: meaning · memories_compared: 4`);
  });
});

describe('Without embeddings', () => {
  it('a response has neither of the two fields', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', TALKS);
    const { text } = await send(world.port, { path: '/v1/search?q=milk', key });
    const fields =
      'passages memories_found memories_searched absent_words nearest_words searched_instead';
    assert.deepEqual(Object.keys(JSON.parse(text) as object), fields.split(' '));
  });
});

describe('If the endpoint fails, a search', () => {
  const faults: [string, Partial<Behaviour>][] = [
    ['an error', { status: 500 }],
    ['a redirect', { status: 302 }],
    ['no JSON', { reply: 'milk' }],
    ['no vectors', { reply: '{"data": []}' }],
    ['a vector of zeros', { reply: JSON.stringify({ data: [{ embedding: Array(8).fill(0) }] }) }],
    [
      'a vector too long for numbers',
      { reply: JSON.stringify({ data: [{ embedding: Array(8).fill(1e308) }] }) },
    ],
    ['a vector of texts', { reply: JSON.stringify({ data: [{ embedding: Array(8).fill('1') }] }) }],
  ];
  for (const [what, behaviour] of faults)
    it(`is by words, and logs it once: ${what}`, async (t) => {
      const { world, endpoint, find, embed } = await createMeaning(t);
      await embed();
      Object.assign(endpoint, behaviour);
      for (const q of ['milk', 'garage', 'physician milk']) {
        const result = await find(`q=${encodeURIComponent(q)}`);
        assert.deepEqual([result.mode, result.memories_compared], ['words', 0]);
        assert.notEqual(found(result).length, 0);
      }
      const entries = world.log.filter(({ message }) => message.includes('words alone'));
      assert.equal(entries.length, 1);
      assert.doesNotMatch(JSON.stringify(world.log), /sesame|physician/);
    });

  it('is by words alone for a query that the endpoint refuses, and others stay by meaning', async (t) => {
    const { world, find, embed } = await createMeaning(t, { refuses: 'yesteryear', refusal: 400 });
    await embed();
    for (const [q, mode] of [
      ['yesteryear milk', 'words'],
      ['physician', 'meaning'],
      ['milk of yesteryear', 'words'],
      ['automobile', 'meaning'],
    ] as const)
      assert.equal((await find(`q=${encodeURIComponent(q)}`)).mode, mode, q);
    const entries = world.log.filter(({ message }) => message.includes('words alone'));
    assert.deepEqual(
      entries.map(({ message }) => message),
      ['searches by words alone for a refused query'],
    );
  });

  it('is by meaning if the endpoint only closed a connection that it had kept', async (t) => {
    const { world, endpoint, find, embed } = await createMeaning(t, { closesKept: true });
    assert.equal(await embed(), 4);
    endpoint.received.length = 0;
    for (const q of ['physician', 'automobile'])
      assert.equal((await find(`q=${q}`)).mode, 'meaning', q);
    assert.equal(endpoint.received.length, 2);
    assert.deepEqual(
      world.log.filter(({ message }) => message.includes('words alone')),
      [],
    );
  });

  it('continues a list of passages that began by meaning, and leaves none out', async (t) => {
    const { world, endpoint, key, embed, get } = await createMeaning(t);
    await embed();
    const first = await get('q=milk+the+car&limit=1');
    const next = nextOf(first.headers) ?? '';
    const shown = new Set(found(JSON.parse(first.text) as SearchResult));
    endpoint.status = 500;
    // Another gateway, which does not know the vector of the query.
    const { port } = await createServerOn(t, world.database, {
      embeddings: { url: endpoint.url, model: 'test' },
    });
    const rest = await send(port, { path: `${next}&limit=100`, key });
    assert.equal((JSON.parse(rest.text) as SearchResult).mode, 'words');
    for (const id of found(JSON.parse(rest.text) as SearchResult)) shown.add(id);
    assert.ok(['milk', 'garage'].every((id) => shown.has(id)));
  });
});

describe('The ETag of a search by meaning', () => {
  it('stays while the response does, and changes with the vectors and with the mode', async (t) => {
    const { endpoint, embed, get } = await createMeaning(t);
    const etagOf = async (query: string) => String((await get(query)).headers['etag']);
    const before = await etagOf('q=physician');
    const known = await get('q=physician', { 'if-none-match': before });
    assert.deepEqual([known.status, known.text], [304, '']);
    await embed();
    const after = await etagOf('q=physician');
    assert.notEqual(after, before);
    assert.equal((await get('q=physician', { 'if-none-match': before })).status, 200);
    const milk = await etagOf('q=out+of+milk');
    endpoint.status = 500;
    assert.equal(await etagOf('q=out+of+milk'), milk, 'the vector of a recent query is known');
    assert.notEqual(await etagOf('q=milk+out'), milk);
  });
});

describe('Vectors', () => {
  it('of a memory that has changed are not used, and are made again', async (t) => {
    const { world, find, embed } = await createMeaning(t);
    await embed();
    world.writer.memories.put('ana', nameless('knee', 'Ana: It rains.\nBen: Again.'));
    const result = await find('q=physician');
    assert.notEqual(found(result)[0], 'knee');
    assert.equal(result.memories_compared, 3);
    assert.equal(await embed(), 1);
    assert.equal((await find('q=physician')).memories_compared, 4);
  });

  it('of another model are not used', async (t) => {
    const { find, embed } = await createMeaning(t);
    await embed('ana', 'other');
    const result = await find('q=physician');
    assert.deepEqual([result.mode, result.memories_compared], ['words', 0]);
  });

  it('of another length are not used, which the log says once, and not mixed with others', async (t) => {
    const { world, endpoint, find, embed } = await createMeaning(t);
    await embed();
    endpoint.reply = JSON.stringify({ data: [{ embedding: [1, 2, 3, 4, 5, 6, 7, 8] }] });
    for (const q of ['q=milk', 'q=garage']) {
      const result = await find(q);
      assert.deepEqual([result.mode, result.memories_compared], ['words', 0]);
      assert.equal(result.passages.length, 1);
    }
    const entries = world.log.filter(({ message }) => message.includes('words alone'));
    assert.equal(entries.length, 1);
    assert.match(JSON.stringify(entries), /another length.*run memory-gateway embed --off/);
    world.writer.memories.put('ana', nameless('new', 'Ana: It rains.'));
    await assert.rejects(embed(), {
      name: 'Refusal',
      message: /sends vectors of 8 numbers, but those of test in the database have another length/,
    });
  });

  it('are made for what has none yet, in as many requests as it needs', async (t) => {
    const { world, endpoint, embed } = await createMeaning(t);
    const long = Array.from({ length: 400 }, (_, i) => `Ana: Line ${i} ${'of a talk '.repeat(20)}`);
    world.writer.memories.put('ana', nameless('long', long.join('\n')));
    world.writer.memories.put('ana', nameless('empty', ''));
    assert.equal(await embed(), 6);
    const sizes = endpoint.received.map(({ body }) => body.input.length);
    assert.deepEqual([sizes[0], Math.max(...sizes)], [1, 16]);
    endpoint.received.length = 0;
    assert.equal(await embed(), 0);
    assert.equal(endpoint.received.length, 0);
  });
});

describe('Between accounts and scopes', () => {
  it('the vectors of another account change no byte of a response', async (t) => {
    const { world, get, embed } = await createMeaning(t);
    await embed();
    const queries = ['q=physician', 'q=the+car', 'q=physician&memory_id=knee'];
    const all = async () => Promise.all(queries.map(async (query) => (await get(query)).text));
    const before = await all();
    world.addAccount('bo', [
      ...TALKS,
      ...Array.from({ length: 50 }, (_, i) => nameless(`p${i}`, `Bo: The physician said ${i}.`)),
    ]);
    await embed('bo');
    assert.deepEqual(await all(), before);
  });

  it('a key without transcripts searches by words, and its query is not sent', async (t) => {
    const { world, endpoint, find, embed } = await createMeaning(t);
    await embed();
    endpoint.received.length = 0;
    const { key } = world.addKey('ana', null, { reads: 'summaries' });
    const result = await find('q=physician', key);
    assert.deepEqual([found(result), result.mode, result.memories_compared], [[], 'words', 0]);
    assert.equal(endpoint.received.length, 0);
  });

  it('a key with a window compares the memories in it alone', async (t) => {
    const { world, find, embed } = await createMeaning(t);
    world.writer.memories.put(
      'ana',
      nameless('old', 'Ana: A doctor.', { started_at: '2020-01-01T00:00:00.000Z' }),
    );
    await embed();
    const started_before = Date.parse('2021-01-01T00:00:00Z');
    const { key } = world.addKey('ana', null, { started_before });
    const result = await find('q=physician', key);
    assert.deepEqual([found(result), result.memories_compared], [['old'], 1]);
  });
});
