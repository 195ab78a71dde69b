// The player in Chromium: it plays from the time of a line, follows the text, and says why if it cannot.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';

import type { Page } from 'playwright-core';

import { prepareMemory } from '../../../src/store/import/memory-row.ts';
import { withFileWriterSync } from '../../../src/store/sqlite/writer.ts';
import { newFolder } from '../../support/world/artifacts.ts';
import { fullDetails } from '../../support/world/details.ts';
import { memory } from '../../support/world/world.ts';
import { checkScreen, openReader, serve, signIn, skip } from './page.ts';

/** Sixty lines of two seconds each. Ann and Bo have turns of two lines. */
const LINES = Array.from(
  { length: 60 },
  (_, i) => `${i % 4 < 2 ? 'Ann' : 'Bo'}: Sentence ${i + 1}.`,
);
const STARTS = LINES.map((_, i) => i * 2000);

/** Returns silence as a WAV file of 8,000 samples a second, with 8 bits each. */
function silence(seconds: number): Buffer {
  const samples = Buffer.alloc(seconds * 8000, 128);
  const head = Buffer.alloc(44);
  head.write('RIFF....WAVEfmt ');
  head.writeUInt32LE(36 + samples.length, 4);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20); // PCM
  head.writeUInt16LE(1, 22); // one channel
  head.writeUInt32LE(8000, 24);
  head.writeUInt32LE(8000, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36);
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}

interface TalkOptions {
  readonly audio: string | null;
  /** Whether the operator has named a folder. Default: yes. */
  readonly isServed?: boolean;
  readonly starts?: readonly (number | null)[];
  readonly phone?: boolean;
  /** Whether the browser paints less often than the gateway answers, as a busy one does. */
  readonly isSlow?: boolean;
}

/** Opens a talk whose details name a recording, in a browser that is signed in. */
async function openTalk(
  t: TestContext,
  { audio, isServed = true, starts = STARTS, phone = false, isSlow = false }: TalkOptions,
) {
  const folder = newFolder();
  writeFileSync(join(folder, 'talk.wav'), silence(120));
  writeFileSync(join(folder, 'noise.wav'), 'no sound at all');
  const gateway = isServed ? { audio: (id: string) => (id === 'mira' ? folder : undefined) } : {};
  const app = await serve(t, { gateway });
  withFileWriterSync(app.database, (writer) => {
    const talk = memory({ id: 'talk', name: 'Talk', transcript: LINES.join('\n') });
    const read = fullDetails({ audio, line_starts_ms: [...starts] });
    writer.memories.putReady([prepareMemory('mira', talk, read)]);
  });
  const reader = await openReader(t, {
    expects: /404/,
    ...(phone && { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true }),
  });
  if (isSlow) await reader.context.addInitScript(paintLate);
  await signIn(reader, app, { path: 'm/talk' });
  await reader.page.locator('#L1').waitFor();
  return { ...reader, app };
}

/** Has everything that waits for the next frame wait for a second. */
function paintLate(): void {
  const wait = globalThis.setTimeout;
  const late = (run: TimerHandler, ms = 0) => wait(run, ms >= 30 && ms <= 100 ? 1000 : ms);
  Object.assign(globalThis, {
    setTimeout: late,
    requestAnimationFrame: (run: () => void) => wait(run, 1000),
  });
}

/** What is heard: the second, whether it plays, and the lines of the turn. */
function heard(page: Page) {
  return page.evaluate(() => {
    const audio = document.querySelector('audio')!;
    const lines = Array.from(document.querySelectorAll('.line[aria-current]'), ({ id }) => id);
    return { at: Math.floor(audio.currentTime), plays: !audio.paused, lines };
  });
}

describe('The player', { skip, timeout: 300_000 }, () => {
  it('plays from the time of a line, and marks the turn that is heard', async (t) => {
    const { page, faults } = await openTalk(t, { audio: 'talk.wav' });
    await page.getByRole('link', { name: 'Play from 0:10' }).click();
    await page.locator('#L5[aria-current]').waitFor();
    const { at, plays, lines } = await heard(page);
    assert.ok(at >= 10 && at < 14, String(at));
    assert.deepEqual([plays, lines], [true, ['L5', 'L6']]);
    assert.equal(await page.locator('#L6 .cue').textContent(), '0:10');
    assert.equal(page.url().includes('#'), false, 'the address stays');
    await checkScreen(page, 'a player');
    // A seek to the middle of a turn.
    await page.locator('audio').evaluate((audio: HTMLAudioElement) => {
      audio.currentTime = 14.5;
    });
    await page.locator('#L7[aria-current]').waitFor();
    assert.deepEqual((await heard(page)).lines, ['L7', 'L8']);
    assert.deepEqual(faults, []);
  });

  it('moves the text on while somebody sees what is heard, and leaves it alone otherwise', async (t) => {
    const { page, faults } = await openTalk(t, { audio: 'talk.wav' });
    const seek = (second: number) =>
      page.locator('audio').evaluate((audio: HTMLAudioElement, to) => {
        audio.currentTime = to;
      }, second);
    await page.getByRole('link', { name: 'Play from 0:02' }).click();
    await page.locator('#L2[aria-current]').waitFor();
    await seek(100.1);
    await page.locator('#L51[aria-current]').waitFor();
    await page.waitForFunction(() => {
      const { top, bottom } = document.getElementById('L51')!.getBoundingClientRect();
      return top > 0 && bottom < innerHeight;
    });
    await page.evaluate(() => scrollTo(0, 0));
    await page.locator('.progress').waitFor({ state: 'detached' }); // the reader knows where it is now
    await seek(60.1);
    await page.locator('#L31[aria-current]').waitFor();
    assert.equal(await page.evaluate(() => scrollY), 0);
    assert.deepEqual(faults, []);
  });

  it('works by keys: play, pause, the focused line, and the space bar in the player', async (t) => {
    const { page, faults } = await openTalk(t, { audio: 'talk.wav' });
    await page.locator('audio').waitFor();
    const isPlaying = (plays: boolean) =>
      page.waitForFunction((paused) => document.querySelector('audio')?.paused === paused, !plays);
    await page.keyboard.press('k');
    await isPlaying(true);
    await page.keyboard.press('k');
    await isPlaying(false);
    await page.locator('.lines').focus();
    for (let i = 0; i < 9; i++) await page.keyboard.press('ArrowDown');
    const focused = await page.evaluate(() => document.activeElement?.closest('.line')?.id ?? '');
    await page.keyboard.press('l');
    await page.locator(`#${focused}[aria-current]`).waitFor();
    await isPlaying(true);
    await page.locator('audio').focus();
    await page.keyboard.press('Space');
    await isPlaying(false);
    await page.keyboard.press('?');
    await page.getByText('Play from this line').waitFor();
    assert.deepEqual(faults, []);
  });

  it('fits a phone, and shows no time beside a line without one', async (t) => {
    const starts = STARTS.map((ms, i) => (i === 1 ? null : ms));
    const { page, faults } = await openTalk(t, { audio: 'talk.wav', starts, phone: true });
    await page.locator('#L1 .cue').waitFor();
    assert.equal(await page.locator('#L2 .cue').count(), 0);
    await page.locator('#L3 .cue').tap();
    await page.locator('#L3[aria-current]').waitFor();
    await checkScreen(page, 'a player on a phone');
    assert.deepEqual(faults, []);
  });

  it('says why a recording cannot be played', async (t) => {
    const missing = await openTalk(t, { audio: 'gone.wav' });
    await missing.page.getByText(/not in a folder that this gateway serves/).waitFor();
    assert.equal(await missing.page.locator('.cue, audio').count(), 0);
    const broken = await openTalk(t, { audio: 'noise.wav' });
    await broken.page.getByText('This browser cannot play the recording.').waitFor();
    assert.deepEqual([...missing.faults, ...broken.faults], []);
  });

  it('says it also in a browser that paints late', async (t) => {
    const { page, faults } = await openTalk(t, { audio: 'gone.wav', isSlow: true });
    await page.getByText(/not in a folder that this gateway serves/).waitFor();
    await page.waitForTimeout(2000);
    assert.equal(await page.locator('audio').count(), 0, 'the text stays');
    assert.deepEqual(faults, []);
  });

  it('is neither shown nor loaded without a recording, or without a folder', async (t) => {
    for (const options of [{ audio: null }, { audio: 'talk.wav', isServed: false }]) {
      const { page, requested, faults } = await openTalk(t, options);
      // The action item of the details has come after everything of them.
      await page.getByText('Buy a fridge').waitFor();
      await page.waitForLoadState('networkidle');
      assert.equal(await page.locator('audio, .cue').count(), 0);
      assert.deepEqual(
        requested.filter((url) => /player|\/audio/.test(url)),
        [],
      );
      assert.deepEqual(faults, []);
    }
  });

  it('links to a recording elsewhere, at its moments if it is a file', async (t) => {
    const file = await openTalk(t, { audio: 'https://cdn.example/talk.mp3?a=b', isServed: false });
    const moment = file.page.locator('#L3 .cue');
    assert.equal(await moment.getAttribute('href'), 'https://cdn.example/talk.mp3?a=b#t=4');
    const link = file.page.getByRole('link', { name: 'Recording at cdn.example' });
    assert.equal(await link.getAttribute('rel'), 'noreferrer');
    await checkScreen(file.page, 'links to moments');
    const other = await openTalk(t, { audio: 'https://product.example/calls/7' });
    await other.page.getByRole('link', { name: 'Recording at product.example' }).waitFor();
    assert.equal(await other.page.locator('.cue, audio').count(), 0);
    assert.deepEqual([...file.faults, ...other.faults], []);
  });
});
