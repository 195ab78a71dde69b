// Action items in everything that is made of a memory: the saved files, the page of a share, and the export of notes.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';

import { prepareMemory } from '../../src/store/import/memory-row.ts';
import { itemLine } from '../../src/text/item-text.ts';
import { createAppWorld, jsonOf } from '../support/app/app-world.ts';
import { send } from '../support/wire/wire.ts';
import { issued } from '../support/world/artifacts.ts';
import { fullDetails } from '../support/world/details.ts';
import { memory } from '../support/world/world.ts';

const TALK = memory({
  id: 'talk',
  name: 'Plan',
  summary: { quick_summary: 'They plan.', key_takeaways: ['Buy milk.'] },
  transcript: 'User: One.\nBo: Two.',
});
/** What the source says: nothing, that it is open, and that it is done. */
const ITEMS = [
  { text: 'Make <b>tea</b>', owner: 'User', due: null, done: null, line: 1 },
  { text: 'Paint the shed.', owner: null, due: '2026-11-20', done: false, line: null },
  { text: 'Call Mira', owner: 'Bo', due: '2026-11-21T00:00:00.000Z', done: true, line: 2 },
];

async function createTalk(t: TestContext, action_items = ITEMS) {
  const world = await createAppWorld(t, { app: { shares: true } });
  world.writer.memories.putReady([prepareMemory('ana', TALK, fullDetails({ action_items }))]);
  const browser = await world.signIn();
  const me = jsonOf(await browser.get('/me'))['account'] as { readonly name: string };
  const save = async (form: object) => {
    const given = { when: 'today', saved: 'today', ...form };
    return String(jsonOf(await browser.post('/memories/talk/page', given))['text']);
  };
  return { ...world, browser, save, name: me.name };
}

/** The action items of a page, as its HTML. */
const itemsIn = (html: string) => /<h2>Action items<\/h2><ul>(.*?)<\/ul>/s.exec(html)?.[1];

describe('The action items of a memory', () => {
  it('are on the saved page and on that of a share, also if the source does not say whether they are done', async (t) => {
    const { save, browser, port, name } = await createTalk(t);
    const expected = [
      `<li class="open" dir="auto">Make &lt;b&gt;tea&lt;/b&gt; <span class="note" dir="auto">${name}</span></li>`,
      '<li class="open" dir="auto">Paint the shed. <span class="note" dir="auto">due 2026-11-20</span></li>',
      '<li class="done" dir="auto">Call Mira <span class="note" dir="auto">Bo, due 2026-11-21</span></li>',
    ].join('');
    assert.equal(itemsIn(await save({})), expected);
    const shared = jsonOf(await browser.post('/shares', { memory_id: 'talk', when: 'today' }));
    const path = `/s/${issued(String(shared['secret']))}`;
    const { text } = await send(port, { path, headers: { host: `127.0.0.1:${port}` } });
    assert.equal(itemsIn(text), expected);
    assert.equal(itemsIn(await save({ first_line: 1, last_line: 1 })), undefined);
  });

  it('are in the Markdown, the plain text and the JSON', async (t) => {
    const { save, browser } = await createTalk(t);
    const note = String(jsonOf(await browser.get('/memories/talk/markdown'))['text']);
    assert.ok(
      note.includes(
        '## Action items\n\n- [ ] Make \\<b>tea\\</b> (User)\n- [ ] Paint the shed. (due 2026-11-20)\n- [x] Call Mira (Bo, due 2026-11-21)\n\n## Transcript',
      ),
      note,
    );
    assert.equal(
      await save({ form: 'txt' }),
      'Plan\ntoday\n\nThey plan.\n- Buy milk.\n- [ ] Make <b>tea</b> (User)\n- [ ] Paint the shed. (due 2026-11-20)\n- [x] Call Mira (Bo, due 2026-11-21)\n\nUser: One.\nBo: Two.\n',
    );
    const { details, ...rest } = JSON.parse(await save({ form: 'json' }));
    assert.deepEqual(rest, { ...TALK, user_id: 'ana' });
    assert.deepEqual(details.action_items, ITEMS);
    assert.equal(details.original, undefined, 'the file that it was made from');
  });

  it('are done if their owner has ticked them', async (t) => {
    const { save, browser } = await createTalk(t);
    const item = { text: 'paint the shed', is_done: true };
    assert.equal((await browser.post('/bookmarks/talk', { item })).status, 200);
    assert.match(await save({}), /<li class="done" dir="auto">Paint the shed\./);
    assert.match(await save({ form: 'txt' }), /\[x\] Paint the shed\./);
    assert.match((await browser.get('/memories/talk/markdown')).text, /\[x\] Paint the shed\./);
  });

  it('leave nothing behind if there are none', async (t) => {
    const { save, browser } = await createTalk(t, []);
    const note = (await browser.get('/memories/talk/markdown')).text;
    for (const text of [await save({}), await save({ form: 'txt' }), note])
      assert.doesNotMatch(text, /Action items|\[ \]/);
  });

  it('keep the time of day at which they are due, and the words of a source', () => {
    const item = { text: 'Call', owner: null, done: null };
    assert.equal(
      itemLine({ ...item, due: '2026-11-20T15:30:00Z' }),
      '[ ] Call (due 2026-11-20 15:30:00Z)',
    );
    assert.equal(itemLine({ ...item, due: 'next week' }), '[ ] Call (due next week)');
    assert.equal(itemLine({ ...item, due: null }), '[ ] Call');
  });
});
