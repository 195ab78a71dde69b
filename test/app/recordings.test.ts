// Recordings in the app: the session plays those of its account, and the policy of the pages allows it only then.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';

import {
  clockOf,
  createCues,
  linkOf,
  momentOf,
  turnOf,
} from '../../src/app/browser/screens/reader/listen/cues.ts';
import { prepareMemory } from '../../src/store/import/memory-row.ts';
import { splitTranscript } from '../../src/text/turns.ts';
import { createAppWorld } from '../support/app/app-world.ts';
import { send } from '../support/wire/wire.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { fullDetails } from '../support/world/details.ts';
import { memory } from '../support/world/world.ts';

/** Creates a gateway with a folder for Ana, and none for Bo. */
async function createListeners(t: TestContext) {
  const folder = join(newFolder(), 'ana');
  mkdirSync(folder);
  writeFileSync(join(folder, 'a.mp3'), 'the sound');
  const audio = (id: string) => (id === 'ana' ? folder : undefined);
  const world = await createAppWorld(t, { audio });
  for (const account of ['ana', 'bo'])
    world.writer.memories.putReady([
      prepareMemory(account, memory({ id: 'talk' }), fullDetails({ audio: 'a.mp3' })),
    ]);
  return world;
}

describe('A recording in the app', () => {
  it('is played by the session of its owner, whole and by ranges, and by nothing else', async (t) => {
    const { signIn, port, keys } = await createListeners(t);
    const ana = await signIn('ana');
    const path = '/memories/talk/audio';
    const whole = await ana.get(path);
    assert.deepEqual([whole.status, whole.text], [200, 'the sound']);
    assert.equal(whole.headers['content-type'], 'audio/mpeg');
    assert.match(String(whole.headers['cache-control']), /private/);
    const part = await ana.get(path, { range: 'bytes=4-' });
    assert.deepEqual([part.status, part.text], [206, 'sound']);
    assert.equal((await ana.get(path, { 'sec-fetch-site': 'cross-site' })).status, 403);
    const bo = await (await signIn('bo')).get(path);
    assert.equal(bo.status, 404);
    assert.equal((await send(port, { path: `/app/v1${path}` })).status, 401);
    assert.equal((await send(port, { path: `/app/v1${path}`, key: keys.ana })).status, 401);
  });

  it('is told to the page only if the operator has named a folder for its account', async (t) => {
    const { signIn } = await createListeners(t);
    const canListen = async (account: string) => {
      const me: { can_listen: boolean } = JSON.parse(
        (await (await signIn(account)).get('/me')).text,
      );
      return me.can_listen;
    };
    assert.deepEqual([await canListen('ana'), await canListen('bo')], [true, false]);
  });

  it('adds to the policy of the pages, whose ETag is then another one', async (t) => {
    const [without, served] = [await createAppWorld(t), await createListeners(t)];
    const plain = await send(without.port, { path: '/app/m/talk' });
    const headers = { 'if-none-match': String(plain.headers['etag']) };
    const playing = await send(served.port, { path: '/app/m/talk', headers });
    assert.equal(playing.status, 200, 'a cached page has the old policy');
    assert.equal(
      playing.headers['content-security-policy'],
      `${String(plain.headers['content-security-policy'])}; media-src 'self'`,
    );
    const again = { 'if-none-match': String(playing.headers['etag']) };
    assert.equal((await send(served.port, { path: '/app/m/talk', headers: again })).status, 304);
  });
});

describe('The cues of a transcript', () => {
  it('say which line is heard at a time, also if the lines are in another order', () => {
    const cues = createCues([0, null, 5000, 2000]);
    const heard = [0, 1999, 2000, 5000, 90_000].map((ms) => cues.at(ms)?.line);
    assert.deepEqual(heard, [1, 1, 4, 3, 3]);
    assert.equal(createCues([3000]).at(2999), undefined);
  });

  it('say where to play from for a line without a time', () => {
    const cues = createCues([null, 1000, null, 4000]);
    const lines = [1, 2, 3, 4].map((line) => cues.of(line)?.ms);
    assert.deepEqual(lines, [1000, 1000, 1000, 4000]);
    assert.equal(createCues([]).of(1), undefined);
  });

  it('belong to whole turns, and to single lines without speakers', () => {
    const lines = splitTranscript('Hello.\nAnn: One.\nTwo.\nAnn: Three.\nBo: Four.');
    const turns = [1, 2, 3, 4, 5].map((line) => Object.values(turnOf(lines, line)).join('-'));
    // "Two." has no speaker of its own, so Ann begins another turn after it.
    assert.deepEqual(turns, ['1-1', '2-3', '2-3', '4-4', '5-5']);
  });

  it('are shown as a clock shows them', () => {
    const shown = [0, 7999, 60_000, 3_599_000, 3_600_000, 36_061_000].map(clockOf);
    assert.deepEqual(shown, ['0:00', '0:07', '1:00', '59:59', '1:00:00', '10:01:01']);
  });

  it('have addresses in a file elsewhere, and none in a page', () => {
    const moment = (url: string) => momentOf(linkOf(url)!, 12_345);
    const file = 'https://cdn.example/a.MP3?key=1';
    assert.equal(moment(file), `${file}#t=12.345`);
    assert.equal(moment('https://product.example/calls/mp3'), undefined);
    for (const none of ['talks/a.mp3', 'javascript:alert(1)', 'https://', 'httpx://a/b.mp3'])
      assert.equal(linkOf(none), undefined, none);
  });
});
