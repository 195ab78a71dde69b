// Every screen of the app in a browser: accessible in both schemes, at every size, at the root and under a prefix.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import type { Page } from 'playwright-core';

import type { ScreenName } from '../../../src/app/screens.ts';
import type { ServedApp } from '../../support/world/app.ts';
import { isShort } from '../../support/world/thorough.ts';
import { checkColours, checkScreen, checkWidth, openReader, serve, signIn, skip } from './page.ts';

/** Every screen and state: how to get there, from the one before. */
const STATES: readonly [string, (page: Page, app: ServedApp) => Promise<unknown>][] = [
  ['list', async (page) => page.getByRole('link', { name: /Crystal supplier/ }).waitFor()],
  [
    'filtered list',
    async (page) => {
      await page.getByRole('link', { name: 'Filter' }).click();
      await page.getByLabel('From').fill('2030-01-01');
      await page.getByText('Nothing from ').waitFor();
    },
  ],
  [
    'list again',
    async (page) => {
      await page.getByRole('link', { name: 'Memories' }).click();
      await page.getByRole('link', { name: /Crystal supplier/ }).waitFor();
    },
  ],
  [
    'reader',
    async (page) => {
      await page.getByRole('link', { name: /one line and a fridge/ }).click();
      await page.locator('#L1').waitFor();
    },
  ],
  [
    'reader with a marked line',
    async (page) => {
      await page.getByRole('link', { name: 'L3', exact: true }).click();
      await page.locator('#L3.marked').waitFor();
    },
  ],
  [
    'a memory that is processing',
    async (page, app) => {
      await page.goto(app.at('m/2026-11-20-crystal-supplier'));
      await page.getByText('still being processed').waitFor();
    },
  ],
  [
    'no such memory',
    async (page, app) => {
      await page.goto(app.at('m/nothing'));
      await page.getByRole('heading', { name: 'No such memory' }).waitFor();
      await page.getByText('It was deleted, or the end of its address is missing.').waitFor();
      assert.equal(await page.getByText('As a request to the API').count(), 0);
    },
  ],
  [
    'API access without keys',
    async (page) => {
      await page.getByRole('link', { name: 'Settings' }).click();
      await page.getByRole('link', { name: 'API access' }).click();
      await page.getByText('No keys yet').waitFor();
    },
  ],
  [
    'new key',
    async (page) => {
      await page.getByRole('button', { name: 'New key' }).click();
      await page.getByLabel('Label').fill('laptop');
      await page.getByLabel('Expires').selectOption('never');
    },
  ],
  [
    'key',
    async (page) => {
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('textbox', { name: 'API key' }).waitFor();
    },
  ],
  [
    'key that was not copied',
    async (page) => {
      await page.getByRole('button', { name: 'Done' }).click();
      await page.getByText('You have not copied').waitFor();
    },
  ],
  [
    'API access',
    async (page) => {
      await page.getByRole('button', { name: 'Close without copying' }).click();
      await page.locator('.items li', { hasText: /laptop/ }).waitFor();
    },
  ],
  ['rotate', async (page) => page.getByRole('button', { name: 'Rotate', exact: true }).click()],
  [
    'revoke',
    async (page) => {
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'Revoke', exact: true }).click();
    },
  ],
  [
    'API access with an ended key',
    async (page) => {
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
      await page.getByText('1 ended key').click();
    },
  ],
  [
    'devices',
    async (page) => {
      await page.getByRole('link', { name: 'Devices' }).click();
      await page.getByText('Key revoked').waitFor();
    },
  ],
  ['another device', async (page) => page.getByRole('button', { name: /another device/ }).click()],
  [
    'password',
    async (page) => {
      await page.getByRole('button', { name: 'Done' }).click();
      await page.getByRole('button', { name: 'Set password' }).click();
    },
  ],
  [
    'reading',
    async (page) => {
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('link', { name: 'Reading' }).click();
      await page.getByText('As the system').waitFor();
    },
  ],
  [
    'about',
    async (page) => {
      await page.getByRole('link', { name: 'About' }).click();
      await page.getByText(/^17$/).first().waitFor();
      await page.locator('dd', { hasText: 'Mira Okafor' }).waitFor();
    },
  ],
  [
    'changes',
    async (page) => {
      await page.getByRole('link', { name: 'Changes' }).click();
      await page.getByRole('button', { name: /^\d+ memories imported$/ }).click();
      await page.getByRole('link', { name: /Crystal supplier/ }).waitFor();
    },
  ],
  [
    'people',
    async (page) => {
      await page.getByRole('link', { name: 'People' }).click();
      await page.getByRole('link', { name: /Parveen/ }).waitFor();
    },
  ],
  [
    'action items',
    async (page) => {
      await page.getByRole('link', { name: 'Action items' }).click();
      await page.getByRole('link', { name: /Buy a fridge/ }).waitFor();
    },
  ],
  [
    'connect',
    async (page) => {
      await page.getByRole('link', { name: 'Connect' }).click();
      await page.getByRole('button', { name: 'Claude Desktop' }).waitFor();
    },
  ],
  [
    'the list of the keys',
    async (page) => {
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
    },
  ],
  [
    'no memory',
    async (page, app) => {
      await page.goto(app.at('m/nothing'));
      await page.getByText('the end of its address is missing').waitFor();
    },
  ],
];

const SIGNED_OUT: typeof STATES = [
  [
    'sign-in by link',
    async (page, app) => {
      await page.goto(await app.link());
      await page.getByRole('button', { name: /^Sign in as/ }).waitFor();
    },
  ],
  [
    'sign-in with a bad link',
    async (page, app) => {
      await page.goto(app.at(`sign-in#${'x'.repeat(43)}`));
      await page.reload(); // only the fragment has changed
      await page.goto(app.at(`sign-in#${'y'.repeat(43)}`));
      await page.getByText('does not work any more').waitFor();
    },
  ],
  [
    'sign-in',
    async (page, app) => {
      await page.goto(app.at());
      await page.getByText('These memories are private').waitFor();
    },
  ],
];

/** Sets the size of the root's text, which all sizes depend on. It is 15 px otherwise. */
function scaleText(page: Page, size: string): Promise<void> {
  return page.evaluate((fontSize) => {
    document.documentElement.style.fontSize = fontSize;
  }, size);
}

const EXPECTED = /status of (401|404)/;

/** An address of each screen, and the heading there of somebody who is signed in. */
const ADDRESSES: Readonly<Record<ScreenName, { readonly path: string; readonly heading: string }>> =
  {
    list: { path: '', heading: 'Memories' },
    search: { path: 'search', heading: 'Searches' },
    changes: { path: 'changes', heading: 'Changes' },
    connect: { path: 'connect', heading: 'Connect' },
    memory: { path: 'm/2026-11-18-memo-milk', heading: 'Voice memo' },
    calendar: { path: 'calendar/2026', heading: 'Calendar 2026' },
    people: { path: 'people', heading: 'People' },
    actions: { path: 'actions', heading: 'Action items' },
    starred: { path: 'starred', heading: 'Starred' },
    person: { path: 'people/Henrik', heading: 'Henrik' },
    day: { path: 'days/2026-11-18', heading: 'Wednesday, November\u00a018, 2026' },
    week: { path: 'weeks/2026-11-18', heading: 'Nov 15 – 21, 2026' },
    month: { path: 'months/2026-11', heading: 'November 2026' },
    settings: { path: 'settings', heading: 'Reading' },
    reading: { path: 'settings/reading', heading: 'Reading' },
    access: { path: 'settings/access', heading: 'API access' },
    devices: { path: 'settings/devices', heading: 'Devices' },
    edits: { path: 'settings/edits', heading: 'Edits' },
    phone: { path: 'settings/phone', heading: 'Phone' },
    sources: { path: 'settings/sources', heading: 'Sources' },
    shares: { path: 'settings/shares', heading: 'Shares' },
    about: { path: 'settings/about', heading: 'About' },
    import: { path: 'import', heading: 'Import' },
    bin: { path: 'bin', heading: 'Bin' },
    start: { path: 'start', heading: 'Welcome' },
    signIn: { path: 'sign-in', heading: 'Memories' },
    consent: { path: 'consent', heading: 'Connect a client' },
  };

/** Whether the app is walked through at the root and under a prefix, or in the short form once, in both schemes. */
const WALKS = isShort
  ? [{ schemes: ['light', 'dark'], prefix: '/some/prefix' } as const]
  : [
      { schemes: ['light'], prefix: '' } as const,
      { schemes: ['dark'], prefix: '/some/prefix' } as const,
    ];

describe('Every screen of the app', { skip, timeout: 600_000 }, () => {
  for (const { schemes, prefix } of WALKS)
    it(`passes axe in ${schemes.join(' and ')} colours, and fits 320 px and 200 % text, at ${prefix}/app/`, async (t) => {
      const app = await serve(t, { prefix });
      const [colorScheme, other] = schemes;
      const reader = await openReader(t, {
        colorScheme,
        reducedMotion: 'reduce', // no colour is on its way to another
        expects: EXPECTED,
      });
      const { page, faults, requested } = reader;
      const check = async ([name, open]: (typeof STATES)[number]) => {
        await open(page, app);
        await checkScreen(page, name);
        if (other) {
          await page.emulateMedia({ colorScheme: other });
          await checkColours(page, `${name}, ${other}`);
          await page.emulateMedia({ colorScheme });
        }
        await page.setViewportSize({ width: 320, height: 640 });
        await checkWidth(page, `${name}, 320 px`);
        await page.setViewportSize({ width: 1200, height: 860 });
        await scaleText(page, '30px');
        await checkWidth(page, `${name}, 200 % text`);
        await scaleText(page, '');
      };
      for (const state of SIGNED_OUT) await check(state);
      await signIn(reader, app);
      for (const state of STATES) await check(state);
      const base = app.at().replace(/app\/$/, '');
      for (const url of requested) assert.ok(url.startsWith(base), `a request to ${url}`);
      assert.deepEqual(faults, []);
    });

  it('is shown at its address, with buttons, fields and tabs that are 44 px high where fingers press them, and no other address is one', async (t) => {
    const app = await serve(t);
    const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true };
    const reader = await openReader(t, { ...phone, locale: 'en-US', expects: EXPECTED });
    const { page, faults } = reader;
    await signIn(reader, app);
    const open = async (path: string, wanted: string) => {
      const response = await page.goto(app.at(path));
      const h1 = page.locator('h1');
      await h1.filter({ hasText: wanted }).waitFor();
      return { status: response?.status(), heading: await h1.textContent() };
    };
    for (const { path, heading } of Object.values(ADDRESSES)) {
      assert.deepEqual(await open(path, heading), { status: 200, heading }, path);
      const targets =
        'button, select, input:not([type=radio], [type=checkbox]), summary, nav > a, .sides *, .names a, .chip, a.primary, a.plain';
      const small = await page.locator(targets).evaluateAll((all) =>
        all
          .filter((each) => each.checkVisibility({ visibilityProperty: true }))
          .map((each) => [each.outerHTML, each.getBoundingClientRect().height] as const)
          .filter(([, height]) => height < 44),
      );
      assert.deepEqual(small, [], path);
    }
    const heading = 'No such page';
    for (const path of ['nothing', 'settings/x', 'm/a/b', 'm/caf%C3%A9', '%FF', 'days/2026-11'])
      assert.deepEqual(await open(path, heading), { status: 404, heading }, path);
    assert.deepEqual(faults, []);
  });

  it('that writes says so in a read-only app, and asks the gateway nothing', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t);
    const { page, faults, requested } = reader;
    await signIn(reader, app);
    for (const name of ['sources', 'shares', 'edits', 'bin', 'import'] as const) {
      await page.goto(app.at(ADDRESSES[name].path));
      await page.getByText('The app of this gateway is read-only.').waitFor();
      await checkScreen(page, name);
    }
    const asked = requested.filter((url) =>
      /\/v1\/(sources|shares|edits|deletions|imports)/.test(url),
    );
    assert.deepEqual([...asked, ...faults], []);
  });

  it('shows itself in forced colours, and moves nothing under reduced motion', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t, {
      forcedColors: 'active',
      reducedMotion: 'reduce',
    });
    const { page, faults } = reader;
    await signIn(reader, app, { path: 'm/2026-11-19-standup#L3' });
    const marked = page.locator('#L3.marked');
    const [colour, page_] = await Promise.all([
      marked.evaluate((line) => getComputedStyle(line).backgroundColor),
      page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor),
    ]);
    assert.notEqual(colour, page_, 'the mark is visible');
    await page.goto(app.at());
    const row = page.getByRole('link', { name: /Voice memo/ });
    assert.match(await row.evaluate((link) => getComputedStyle(link).transitionDuration), /^0s/);
    assert.deepEqual(faults, []);
  });

  it('works by keyboard alone, and Back returns to the same row and focus', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t, { viewport: { width: 1200, height: 400 } });
    const { page, faults } = reader;
    await signIn(reader, app);
    const row = page.getByRole('link', { name: /Bedtime/ });
    await page.locator('a.row').first().waitFor();
    await page.keyboard.press('End');
    for (let step = 0; step < 3; step += 1) await page.keyboard.press('ArrowUp');
    await page.waitForFunction(() => document.activeElement?.textContent?.includes('Bedtime'));
    const height = await page.evaluate(() => scrollY);
    assert.ok(height > 0, 'the list is longer than the screen');
    await page.keyboard.press('Enter');
    await page.locator('#L1').waitFor();
    assert.equal(await page.evaluate(() => scrollY), 0);
    assert.match(await page.evaluate(() => document.activeElement?.textContent ?? ''), /Bedtime/);
    await page.goBack();
    await row.waitFor();
    assert.equal(await page.evaluate(() => scrollY), height);
    assert.ok(await row.evaluate((link) => link === document.activeElement), 'the same focus');
    await page.keyboard.press('Enter');
    await page.locator('#L1').waitFor();
    await page.reload();
    await page.locator('#L1').waitFor();
    await page.goBack();
    await row.waitFor();
    assert.equal(await page.evaluate(() => scrollY), height, 'after a reload');
    assert.deepEqual(faults, []);
  });

  it('keeps the chosen colours and font', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t, { colorScheme: 'light' });
    const { page } = reader;
    await signIn(reader, app, { path: 'settings/reading' });
    await page.getByLabel('Dark').check();
    await page.getByLabel('Serif', { exact: true }).check();
    await page.reload();
    assert.ok(await page.getByLabel('Dark').isChecked());
    const colours = await page.evaluate(() => getComputedStyle(document.documentElement).color);
    assert.equal(colours, 'rgb(225, 230, 235)');
    assert.deepEqual(reader.faults, []);
  });
});
