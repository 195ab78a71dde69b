// Shares: a link to chosen lines, whose page has no script, ends with its date or its memory, and shows nothing else.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';

import { createAppWorld, jsonOf, listOf, NO_STORE } from '../support/app/app-world.ts';
import { engine, onlyFiles } from '../support/engines/engine.ts';
import { assertFailure } from '../support/wire/response-shape.ts';
import { send } from '../support/wire/wire.ts';
import { AGENT, createApp } from '../support/world/app-store.ts';
import { issued, newFolder } from '../support/world/artifacts.ts';
import { run } from '../support/world/program.ts';
import { memory } from '../support/world/world.ts';

const DAY = 86_400_000;
const TALK = memory({
  id: 'talk',
  name: 'Plan <b>',
  summary: { quick_summary: 'They plan.', key_takeaways: ['Buy milk.'] },
  transcript: 'Ana: One.\nAna: Two.\nBo: <script>alert(3)</script>\nBo: Four.',
});

const WHEN = 'Monday, 16 November 2026, 10:00 · 5 min';

/** A gateway whose owners share, and a browser of `ana`, who has a memory of four lines. */
async function createSharing(t: TestContext) {
  const world = await createAppWorld(t, { app: { shares: true } });
  world.writer.memories.putAll('ana', [TALK]);
  const browser = await world.signIn();
  const share = async (chosen: object = {}) => {
    const answer = await browser.post('/shares', { memory_id: 'talk', when: WHEN, ...chosen });
    assert.equal(answer.status, 200, answer.text);
    const made = jsonOf(answer);
    return { id: String(made['id']), secret: issued(String(made['secret'])) };
  };
  const open = (secret: string, method = 'GET') =>
    send(world.port, {
      method,
      path: `/s/${secret}`,
      headers: { host: `127.0.0.1:${world.port}` },
    });
  return { ...world, browser, share, open };
}

describe('A share', () => {
  it('shows the chosen lines with their numbers, and neither the other lines nor the summary', async (t) => {
    const { share, open } = await createSharing(t);
    const { secret } = await share({ first_line: 2, last_line: 3 });
    const { status, text } = await open(secret);
    assert.equal(status, 200);
    assert.match(text, /<b class="hue-[^"]+">Ana<\/b>Two\.<a class="note" href="#L2">2<\/a>/);
    assert.match(text, />Bo<\/b>&lt;script&gt;alert\(3\)&lt;\/script&gt;<a[^>]*>3<\/a>/);
    assert.match(text, /Plan &lt;b&gt;/);
    assert.match(text, /Lines 2–3 of 4\./);
    assert.match(
      text,
      /<p class="note">This page can be opened until/,
      'nobody said whom it is from',
    );
    assert.doesNotMatch(text, /One\.|Four\.|They plan|milk|<script|href="[^#]|talk/);
  });

  it('is not made of a memory that was deleted since it was read', async (t) => {
    const { app } = await createApp(t);
    const read = { account_id: 'ana', memory_id: 'gone', content: '{}', agent: AGENT };
    assert.equal(await app.shares.create({ ...read, expires_at: Date.now() + DAY }), undefined);
    assert.deepEqual(await app.events.list('ana'), []);
  });

  it('shows the whole memory as it was when the link was made', async (t) => {
    const { share, open, writer } = await createSharing(t);
    const { secret } = await share({ from: 'Ana <Lee>' });
    writer.memories.putAll('ana', [{ ...TALK, transcript: 'Ana: Changed.' }]);
    const { text } = await open(secret);
    assert.match(text, /They plan\..*<ul><li dir="auto">Buy milk\.<\/li><\/ul>/s);
    assert.ok(text.includes(WHEN), 'the time as its owner reads it');
    assert.match(
      text,
      /From <bdi>Ana &lt;Lee&gt;<\/bdi>\. This page can be opened until \d{1,2} [A-Z]\w+ \d{4}\.</,
    );
    assert.match(text, /Shared from Memory Gateway\.</);
    assert.equal(text.match(/until/g)?.length, 1, 'its end is said once');
    assert.match(text, /One\..*Four\./s);
    assert.doesNotMatch(text, /Changed/);
  });

  it('has the chapters or landmarks of its lines, and none of the others', async (t) => {
    const { share, open, writer } = await createSharing(t);
    const line = (i: number) => `Ana: We speak of topic${i}. ${`topic${i} `.repeat(20)}`;
    const transcript = Array.from({ length: 400 }, (_, i) => line(i + 1)).join('\n');
    writer.memories.putAll('ana', [{ ...TALK, transcript }]);
    const linesOf = (text: string) =>
      Array.from(text.matchAll(/<li dir="auto"><a href="#C(\d+)">/g), ([, n]) => Number(n));
    assert.ok(linesOf((await open((await share()).secret)).text).length > 2);
    const { secret } = await share({ first_line: 101, last_line: 350 });
    const { text } = await open(secret);
    const found = linesOf(text);
    assert.ok(found.length > 1);
    assert.match(text, /From the transcript/, 'the source has no chapters');
    assert.match(text, /Lines 101–350 of 400\..*<div class="score"/s);
    for (const each of found) assert.ok(each >= 101 && each <= 350, String(each));
  });

  it('names the owner, whom others do not know as the user of a product', async (t) => {
    const { share, open, writer, browser } = await createSharing(t);
    const transcript = 'User: Mine.\nBo: User: yours.\nUsers: Ours.';
    writer.memories.putAll('ana', [{ ...TALK, transcript }]);
    const me = jsonOf(await browser.get('/me'))['account'] as { readonly name: string };
    const saved = await browser.post('/memories/talk/page', { when: WHEN, saved: 'today' });
    const { text } = await open((await share()).secret);
    for (const page of [text, String(jsonOf(saved)['text'])]) {
      assert.match(page, new RegExp(`<b class="hue-[^"]+">${me.name}</b>Mine\\.`));
      assert.match(
        page,
        /<b class="hue-[^"]+">Bo<\/b>User: yours\..*<b class="hue-[^"]+">Users<\/b>Ours/s,
      );
    }
  });

  it('has a page that no script, search engine, cache or frame gets hold of', async (t) => {
    const { share, open } = await createSharing(t);
    const { headers } = await open((await share()).secret);
    assert.match(
      String(headers['content-security-policy']),
      /^default-src 'none'; style-src 'sha256-[\w+/=]{44}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    );
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(headers['referrer-policy'], 'no-referrer');
    assert.equal(headers['x-robots-tag'], 'noindex, nofollow');
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['set-cookie'], undefined);
  });

  it('is listed with its visits, which a HEAD is not, and its secret is stored nowhere', async (t) => {
    const { share, open, browser, database } = await createSharing(t);
    const { id, secret } = await share({ first_line: 1, last_line: 2 });
    await open(secret);
    await open(secret);
    await open(secret, 'HEAD');
    const answer = await browser.get('/shares');
    const [listed] = listOf(answer);
    assert.equal(listed?.['id'], id);
    assert.deepEqual(
      [listed['visits'], listed['first_line'], listed['last_line'], listed['total_lines']],
      [2, 1, 2, 4],
    );
    const week =
      Date.parse(String(listed['expires_at'])) - Date.parse(String(listed['created_at']));
    assert.ok(Math.abs(week - 7 * DAY) < 60_000, 'seven days by default');
    const rows = JSON.stringify(engine.edit(database, 'SELECT * FROM shares'));
    assert.ok(!rows.includes(secret) && !answer.text.includes(secret));
  });

  it('ends when it is revoked, with its date, with its memory and with its account: the page is that of an unknown link', async (t) => {
    const { share, open, browser, database, writer } = await createSharing(t);
    const unknown = await open('A'.repeat(43));
    assert.equal(unknown.status, 404);
    assert.match(unknown.text, /This link has ended, or there never was such a page\./);
    const gone = async (secret: string, what: string) => {
      const { status, text } = await open(secret);
      assert.deepEqual([status, text], [404, unknown.text], what);
    };
    const revoked = await share();
    assert.equal((await browser.delete(`/shares/${revoked.id}`)).status, 204);
    await gone(revoked.secret, 'revoked');
    const ended = await share();
    engine.edit(database, `UPDATE shares SET expires_at = ${Date.now() - 1}`);
    await gone(ended.secret, 'ended');
    assert.deepEqual(listOf(await browser.get('/shares')), []);
    const ofMemory = await share();
    writer.erase({ account_id: 'ana', ids: ['talk'] });
    await gone(ofMemory.secret, 'its memory is deleted');
    assert.deepEqual(engine.edit(database, 'SELECT * FROM shares'), [], 'no bytes are left');
    writer.memories.putAll('ana', [TALK]);
    const ofAccount = await share();
    writer.accounts.setDisabled('ana', true);
    await gone(ofAccount.secret, 'its account is disabled');
    writer.accounts.setDisabled('ana', false);
    writer.eraseAccount('ana');
    await gone(ofAccount.secret, 'its account is deleted');
  });

  it('is in no backup, and a restore does not bring it back', { skip: onlyFiles }, async (t) => {
    const { share, open, database } = await createSharing(t);
    const { secret } = await share();
    const backup = join(newFolder(), 'backup.db');
    assert.equal((await run(['backup', backup, '--database', database])).code, 0);
    assert.deepEqual(engine.edit(backup, 'SELECT * FROM shares'), []);
    assert.equal((await run(['restore', backup, '--database', database])).code, 0);
    assert.equal((await open(secret)).status, 404);
  });
});

describe('Shares are guarded', () => {
  it('against other accounts, keys and other methods', async (t) => {
    const { share, open, signIn, keys, port } = await createSharing(t);
    const { id, secret } = await share();
    const bo = await signIn('bo');
    assertFailure(await bo.delete(`/shares/${id}`), 404, '', NO_STORE);
    assert.deepEqual(listOf(await bo.get('/shares')), []);
    assertFailure(await bo.post('/shares', { memory_id: 'talk', when: WHEN }), 404, '', NO_STORE);
    const path = `/v1/shares`;
    const headers = { host: `127.0.0.1:${port}`, authorization: `Bearer ${keys.ana}` };
    assert.equal((await send(port, { path, headers })).status, 404);
    assert.equal((await open(secret, 'POST')).status, 405);
    assert.equal((await open(secret, 'DELETE')).status, 405);
    assert.equal((await open(`${secret}/../x`)).status, 404);
  });

  it('against lines of a transcript that has changed since they were chosen', async (t) => {
    const { browser, writer } = await createSharing(t);
    const chosen = { first_line: 2, last_line: 3, characters: TALK.transcript.length };
    const share = () => browser.post('/shares', { memory_id: 'talk', when: WHEN, ...chosen });
    assert.equal((await share()).status, 200);
    writer.memories.putAll('ana', [{ ...TALK, transcript: `Bo: Secret.\n${TALK.transcript}` }]);
    const changed = /^This memory has changed since it was opened, .* reload the page, and/;
    assert.match(assertFailure(await share(), 409, '', NO_STORE), changed);
    const shown = { ...chosen, when: WHEN, saved: 'today' };
    const file = await browser.post('/memories/talk/page', shown);
    assert.match(assertFailure(file, 409, '', NO_STORE), changed);
    assert.equal(listOf(await browser.get('/shares')).length, 1);
  });

  it('against lines that are not there, and against too many pages in a minute', async (t) => {
    const { browser, open, share } = await createSharing(t);
    for (const chosen of [
      { first_line: 3, last_line: 2 },
      { first_line: 5 },
      { first_line: 0 },
      { days: 91 },
      { days: 0 },
      { when: '' },
      { when: 'two\nlines' },
    ]) {
      const answer = await browser.post('/shares', { memory_id: 'talk', when: WHEN, ...chosen });
      assertFailure(answer, 422, '', NO_STORE);
    }
    const { secret } = await share();
    let status = 200;
    for (let opened = 0; opened <= 600 && status === 200; opened++)
      ({ status } = await open(secret, 'HEAD'));
    assert.equal(status, 429);
  });

  it('and a read-only app has no such page, for people as for programs', async (t) => {
    const { port } = await createAppWorld(t);
    const open = async (accept: string) =>
      send(port, {
        path: `/s/${'A'.repeat(43)}`,
        headers: { host: `127.0.0.1:${port}`, accept },
      });
    const { status, text } = await open('text/html,*/*;q=0.8');
    assert.equal(status, 404);
    assert.match(text, /<h1[^>]*>No such page<\/h1>/);
    assert.match(text, /This link has ended/);
    const ofProgram = await open('*/*');
    assert.equal(ofProgram.status, 404);
    assert.deepEqual(Object.keys(JSON.parse(ofProgram.text) as object), ['detail']);
  });
});
