// The screens in Chromium with memories and addresses that were made to harm: all is text, and every screen stays usable.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

import { withFileWriterSync } from '../../../src/store/sqlite/writer.ts';
import { memory } from '../../support/world/world.ts';
import { checkWidth, openReader, serve, signIn, skip } from './page.ts';

const EVIL = '<img src=x onerror=alert(1)><script>alert(2)</script>';
const at = (started_at: string) => ({ started_at, ended_at: started_at });

describe('The screens with hostile memories', { skip, timeout: 400_000 }, () => {
  it('show every field as text, and load and run nothing', async (t) => {
    const app = await serve(t);
    const evil = {
      ...memory({ id: 'evil', name: `${EVIL}\u202Egnp.exe`, ...at('2026-11-18T09:00:00.000Z') }),
      summary: { quick_summary: EVIL, key_takeaways: ['[x](javascript:alert(1))', EVIL] },
      transcript: `${EVIL}: gold\nMira: javascript:alert(1) gold https://evil.example/`,
    };
    withFileWriterSync(app.database, (writer) => {
      writer.memories.putAll('mira', [evil]);
    });
    const reader = await openReader(t);
    const { page, faults, requested } = reader;
    await signIn(reader, app);
    for (const path of [
      `?q=${encodeURIComponent(EVIL)}`,
      'm/evil?q=gold',
      'days/2026-11-18',
      'search?q=gold',
      `search?q=${encodeURIComponent(EVIL)}`,
      `changes?since=${encodeURIComponent(EVIL)}`,
    ]) {
      await page.goto(app.at(path));
      await page.locator('h1').waitFor();
      await page.waitForLoadState('networkidle');
      const made = await page
        .locator('main :is(img, script, iframe, [href^="javascript:"], [href^="//"])')
        .count();
      assert.equal(made, 0, path);
      await checkWidth(page, path);
    }
    assert.deepEqual(faults, []);
    assert.deepEqual(
      [...new Set(requested.map((url) => new URL(url).origin))],
      [new URL(app.at()).origin],
    );
  });

  it('list a memory of the last day that there is', async (t) => {
    const app = await serve(t);
    const last = at('9999-12-31T12:00:00.000Z');
    withFileWriterSync(app.database, (writer) => {
      writer.memories.putAll('mira', [memory({ id: 'last', name: 'The last one', ...last })]);
    });
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app);
    for (const path of ['', '?to=9999-12-31', 'search?q=last&to=9999-12-31']) {
      await page.goto(app.at(path));
      await page.locator('a', { hasText: 'The last one' }).first().waitFor();
    }
    assert.deepEqual(faults, []);
  });

  it('fit the window if a transcript is too long to be laid out at once', async (t) => {
    const app = await serve(t);
    const transcript = 'Mira: milk and gold.\n'.repeat(20_000);
    withFileWriterSync(app.database, (writer) => {
      writer.memories.putAll('mira', [memory({ id: 'long', transcript })]);
    });
    const reader = await openReader(t, { viewport: { width: 800, height: 600 } });
    const { page, faults } = reader;
    await signIn(reader, app, { path: 'm/long#L20000' });
    await page.locator('#L20000').waitFor();
    await checkWidth(page, 'a long transcript');
    assert.deepEqual(faults, []);
  });

  it('fit a phone whatever words memories have', async (t) => {
    const app = await serve(t);
    const word = `https://example.com/${'w'.repeat(3000)}`;
    const wide = {
      ...memory({ id: 'wide', name: word, ...at('2026-11-18T09:00:00.000Z') }),
      summary: { quick_summary: word, key_takeaways: [word] },
      transcript: `${word}: gold\nMira: ${word}`,
    };
    const next = memory({ id: 'next', ...at('2026-11-18T09:00:01.000Z') });
    withFileWriterSync(app.database, (writer) => {
      writer.memories.putAll('mira', [wide, next]);
    });
    const reader = await openReader(t, { viewport: { width: 390, height: 800 } });
    const { page, faults } = reader;
    await signIn(reader, app);
    for (const path of [
      '',
      `?q=${'z'.repeat(300)}`,
      'm/wide',
      'm/next',
      'days/2026-11-18',
      'search?q=gold',
      `search?q=${'z'.repeat(300)}`,
      'changes?since=all',
    ]) {
      await page.goto(app.at(path));
      await page.locator('h1').waitFor();
      await page.waitForLoadState('networkidle');
      await checkWidth(page, path);
    }
    await page.goto(app.at('m/wide'));
    await page.getByRole('button', { name: 'More' }).click();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as one file' }).click();
    const file = await (await downloading).path();
    const shown = await reader.context.newPage();
    await shown.setContent(readFileSync(file, 'utf8'));
    await checkWidth(shown, 'the saved file');
    assert.deepEqual(faults, []);
  });

  it('open again at the address of a query of 1,024 characters', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app);
    const q = encodeURIComponent('🎉'.repeat(1024));
    await page.goto(app.at(`search?q=${q}`));
    await page.locator('h1').getByText('Search', { exact: true }).waitFor();
    await page.waitForLoadState('networkidle');
    assert.deepEqual(faults, []);
  });
});
