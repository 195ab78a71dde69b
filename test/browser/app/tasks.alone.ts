// What people come for, each from beginning to end: the tasks by which strangers judged the app. The two about time are in time.alone.ts.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import { issued } from '../../support/world/artifacts.ts';
import { ROOT } from '../../support/world/program.ts';
import { memory } from '../../support/world/world.ts';
import { claim, startProgram } from './first-visit.ts';
import { checkScreen, openReader, pasted, put, serve, signIn, skip } from './page.ts';

/** A board meeting of two hours: 1,000 lines, three speakers, and takeaways that stand in it. */
const BOARD = memory({
  id: 'board',
  name: 'Board meeting',
  summary: { quick_summary: 'The budget.', key_takeaways: ['We hire two people in spring'] },
  transcript: Array.from({ length: 1000 }, (_, i) =>
    i === 699
      ? 'Ada: We hire two people in spring, not before.'
      : `${['Ada', 'Ben', 'Cleo'][Math.floor(i / 4) % 3]}: Point ${i + 1} of the budget.`,
  ).join('\n'),
});

describe('Somebody', { skip, timeout: 300_000 }, () => {
  it('finds what was said about the fridge, and sends a friend a quote that says who said it, and a page of it', async (t) => {
    const app = await serve(t);
    const permissions = ['clipboard-read', 'clipboard-write'];
    const reader = await openReader(t, { locale: 'en-US', timezoneId: 'UTC', permissions });
    const { page, context, faults } = reader;
    await signIn(reader, app);
    await page.keyboard.press('/');
    await page.keyboard.type('fridge');
    await page.getByRole('link', { name: /I'll buy a fridge/ }).click();
    await page.locator('.line.marked', { hasText: "I'll buy a fridge" }).waitFor();
    await page.keyboard.press('c');
    await page.getByText('Quote copied').waitFor();
    const quote = await pasted(page);
    assert.ok(quote.startsWith("“Henrik: I'll buy a fridge."), quote);
    assert.ok(quote.includes('— Stand-up: 2.8.3 is out, Nov 19, 2026'), quote);
    await page.getByRole('button', { name: 'More' }).click();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save marked lines as one file' }).click();
    const friend = await context.newPage();
    await friend.setContent(readFileSync(await (await downloading).path(), 'utf8'));
    await friend.getByText("I'll buy a fridge").waitFor();
    await friend.locator('b', { hasText: /^Henrik$/ }).waitFor(); // the legend names him as well
    assert.deepEqual(faults, []);
  });

  it('makes a key for Home Assistant with what to paste, sees its first use, and ends it at once', async (t) => {
    const app = await serve(t, { app: { keyLog: true } });
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app, { path: 'connect' });
    await page.getByRole('button', { name: 'Home Assistant' }).click();
    await page
      .getByText('a key of its own, which may read names, times and summaries, but no transcripts.')
      .waitFor();
    assert.equal(await page.getByLabel('Everything').isVisible(), false, 'asked only if wanted');
    await page.getByText('Choose what it may read').click();
    await page.getByLabel('Everything').waitFor();
    await page.getByRole('button', { name: 'Make a key' }).click();
    const dialog = page.getByRole('dialog');
    const key = await dialog.getByLabel('API key').inputValue();
    issued(key);
    const pastes = await dialog
      .locator('textarea')
      .evaluateAll((all) => all.map((each) => (each as HTMLTextAreaElement).value));
    const yaml = pastes.find((text) => text.includes(key)) ?? '';
    const [, resource = ''] = /resource: "?([^"\s]+)/.exec(yaml) ?? [];
    const read = () => page.request.get(resource, { headers: { authorization: `Bearer ${key}` } });
    assert.equal((await read()).status(), 200, yaml);
    await dialog.getByText('✓ Home Assistant has just read your memories.').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.goto(app.at('settings/access'));
    await page
      .locator('.items li', { hasText: /Home Assistant/ })
      .getByRole('button', { name: 'Revoke' })
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal((await read()).status(), 401);
    assert.deepEqual(faults, []);
  });

  for (const client of ['Claude Desktop', 'Cursor'])
    it(`connects ${client} with a configuration that is complete, with its key in it`, async (t) => {
      const app = await serve(t);
      const reader = await openReader(t);
      const { page, faults } = reader;
      await signIn(reader, app, { path: 'connect' });
      await page.getByRole('button', { name: client }).click();
      await page.getByRole('button', { name: 'Make a key' }).click();
      const dialog = page.getByRole('dialog');
      const key = await dialog.getByLabel('API key').inputValue();
      issued(key);
      const texts = await dialog
        .locator('textarea')
        .evaluateAll((all) => all.map((each) => (each as HTMLTextAreaElement).value));
      const text = texts.find((each) => each.includes('mcpServers')) ?? '';
      const { mcpServers } = JSON.parse(text) as { mcpServers: Record<string, object> };
      const [server] = Object.values(mcpServers);
      assert.ok(JSON.stringify(server).includes(key), text);
      await checkScreen(page, `what to paste into ${client}`);
      assert.deepEqual(faults, []);
    });

  it('wants to read on a phone, and is told the ways if only this computer reaches the gateway', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t, { viewport: { width: 390, height: 780 } });
    const { page, faults } = reader;
    await signIn(reader, app, { path: 'settings/phone' });
    const code = page.getByRole('button', { name: 'Show the code' });
    const none = page.getByText('Only this computer reaches your memories.');
    await code.or(none).first().waitFor();
    const start = page.getByRole('textbox', { name: 'Command' }).last();
    const { port } = new URL(page.url());
    assert.equal(await start.inputValue(), `memory-gateway start FOLDER --lan --port ${port}`);
    const tailscale = page.getByRole('textbox', { name: 'Command' }).first();
    assert.match(await tailscale.inputValue(), /tailscale serve --bg \d+/);
    await checkScreen(page, 'the phone page on a phone');
    const again = page.getByRole('button', { name: 'Look again' });
    await again.click();
    await page.getByText('Nothing new yet.').waitFor();
    const found = [{ url: 'http://192.168.0.7:8787/app/', by: 'network', answers: true }];
    await page.route(/\/addresses$/, (route) => route.fulfill({ json: found }));
    await again.click();
    await page.getByText('The addresses above have changed.').waitFor();
    await page.getByText('http://192.168.0.7:8787/app/').waitFor();
    await page.getByRole('button', { name: 'All settings' }).click();
    const menu = await page.getByRole('navigation', { name: 'Settings' }).boundingBox();
    assert.ok(menu !== null && menu.x >= 0 && menu.x + menu.width <= 390, JSON.stringify(menu));
    // Its left edge is that of its button, once it is placed.
    await page.waitForFunction(() => {
      const panel = document.querySelector('.menu:popover-open');
      const { x } = panel?.previousElementSibling?.getBoundingClientRect() ?? {};
      return x === panel?.getBoundingClientRect().x;
    });
    await page.goto(app.at('connect'));
    await page.getByText('These run on a computer: open this page there.').waitFor();
    assert.deepEqual(faults, []);
  });

  it('finds a setting among tabs that stay where they are', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app);
    await page.getByRole('link', { name: 'Settings' }).click();
    const tabs = page.getByRole('navigation', { name: 'Settings' }).getByRole('link');
    await page.getByRole('heading', { name: 'Reading', level: 1 }).waitFor();
    const places = () =>
      tabs.evaluateAll((all) => all.map((tab) => JSON.stringify(tab.getBoundingClientRect())));
    const before = await places();
    assert.ok(before.length > 4);
    for (const tab of await tabs.all()) {
      await tab.click();
      assert.equal(await tab.getAttribute('aria-current'), 'page');
      assert.deepEqual(await places(), before, await tab.innerText());
    }
    assert.deepEqual(faults, []);
  });

  it('imports a file, gives a memory a better name, takes it along as Markdown, and deletes it', async (t) => {
    const { page, faults } = await claim(t, await startProgram(t));
    const week = join(ROOT, 'fixtures/samples/limitless/week.json');
    await page.locator('input[type=file]').setInputFiles(week);
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByRole('link', { name: 'See your memories' }).click();
    await page.getByRole('link', { name: /Walking home/ }).click();
    const choose = async (name: string) => {
      await page.getByRole('button', { name: 'More' }).click();
      await page.getByRole('button', { name, exact: true }).click();
    };
    await choose('Rename');
    await page.getByRole('dialog').getByLabel('Name').fill('The way home');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'The way home', level: 1 }).waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByText('Other files').click();
    await page.getByRole('button', { name: 'Markdown' }).click();
    const note = readFileSync(await (await downloading).path(), 'utf8');
    assert.match(note, /The way home/);
    await choose('Delete');
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    await page.getByRole('link', { name: /The way home/ }).waitFor({ state: 'hidden' });
    assert.deepEqual(faults, []);
  });

  it('skims two hours by takeaways and by a speaker, and goes on later where it was', async (t) => {
    const app = await serve(t);
    put(app, BOARD);
    const reader = await openReader(t, { viewport: { width: 1280, height: 860 } });
    const { page, faults } = reader;
    await signIn(reader, app, { path: 'm/board' });
    const outlined = page
      .getByRole('navigation', { name: 'Outline' })
      .getByRole('list', { name: 'Key takeaways' }) // it is a landmark as well
      .getByText('We hire two people');
    const summed = page.getByRole('link', { name: 'Line 700', exact: true });
    await summed.waitFor();
    assert.equal(await outlined.count(), 0, 'it does not stand twice on a screen');
    await summed.click();
    await outlined.waitFor();
    const line = page.locator('#L700.marked');
    await line.waitFor();
    const box = await line.boundingBox();
    assert.ok(box !== null && box.y >= 0 && box.y < 860, 'the line is on the screen');
    // What is on the screen for a second counts as read. Who leaves while lines are drawn anew has no place there.
    await page.clock.setFixedTime(Date.now() + 40_000);
    await page.mouse.wheel(0, 30);
    await page.waitForFunction(() =>
      /,true\]/.test(localStorage.getItem('memories.places.mira') ?? ''),
    );
    await page.getByRole('button', { name: /^Ben/ }).first().click();
    await page.getByText(/^Only Ben/).waitFor();
    assert.deepEqual(
      await page
        .locator('.line .speaker')
        .evaluateAll((all) => [...new Set(all.map((each) => each.textContent?.trim()))]),
      ['Ben:'],
    );
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.goto(app.at());
    await page.getByRole('link', { name: /^Continue at \d+\s%$/ }).waitFor();
    assert.deepEqual(faults, []);
  });
});
