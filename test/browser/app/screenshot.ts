// npm run screenshot: takes the pictures of the app for the manual, from the memories of the demo.

import { fileURLToPath } from 'node:url';

import type { BrowserContextOptions, Page } from 'playwright-core';

import { serveApp } from '../../support/world/app.ts';
import { freePort } from '../../support/world/free-port.ts';
import { startProcess, stop, waitFor } from '../../support/world/program.ts';
import { openBrowser } from '../browser.ts';

const desktop = { viewport: { width: 960, height: 640 }, colorScheme: 'light' } as const;
const phone = { viewport: { width: 390, height: 640 }, colorScheme: 'dark' } as const;

const folder = new URL(process.argv[2] ?? '../../../docs/images/', import.meta.url);

/** The names of the pictures to take. Default: all. */
const only = process.argv.slice(3);
const isWanted = (name: string) => only.length === 0 || only.includes(name);

const save = (page: Page, name: string) =>
  page.screenshot({
    path: fileURLToPath(new URL(`app-${name}.png`, folder)),
    animations: 'disabled',
  });

const app = await serveApp();
const browser = await openBrowser();

/** Where pages are opened. Undefined: at the gateway in this process, whose app is read-only. */
let host: string | undefined;

type Size = Pick<BrowserContextOptions, 'viewport' | 'colorScheme'>;

/** Opens the app, signed in unless it is said otherwise, in a time zone and a language that are the same everywhere. */
async function open(size: Size, path: string, isSignedIn = true): Promise<Page> {
  const context = await browser.newContext({
    ...size,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
  });
  const page = await context.newPage();
  if (isSignedIn) {
    await page.goto(await app.link('mira', host));
    await page.getByRole('button', { name: /^Sign in as/ }).click();
    await page.getByRole('link', { name: /Voice memo/ }).waitFor();
  }
  await page.goto(app.at(path, host));
  await page.getByRole('heading', { level: 1 }).waitFor();
  return page;
}

/** The screens and states, each with its address and a text that is there when it is complete. */
const SCREENS: readonly (readonly [name: string, path: string, text: RegExp])[] = [
  ['list', '', /Voice memo/],
  ['reader', 'm/2026-11-19-standup', /L12/],
  ['search', 'search?q=crystal+milk', /Found in/],
  ['calendar', 'calendar/2026', /memories, /],
  ['day', 'days/2026-11-18', /Voice memo/],
  ['week', 'weeks/2026-11-16', /Voice memo/],
  ['people', 'people', /Annegret/],
  ['person', 'people/Henrik', /Crystal supplier/],
  ['actions', 'actions', /Buy a fridge/],
  ['starred', 'starred', /Ask Henrik/],
  ['saved', 'search', /The fridge war/],
  ['changes', 'changes?since=all', /\d memories/],
  ['connect', 'connect', /Home Assistant/],
  ['access', 'settings/access', /Base address/],
  ['devices', 'settings/devices', /Passkeys/],
  ['settings', 'settings/reading', /The crystal has to go back/],
  ['about', 'settings/about', /Open-source licences/],
  ['sign-in', '', /These memories are private/],
  ['no-hits', 'search?q=zeppelin', /Nothing says/],
  ['loading', '', /Memories/],
  ['offline', '', /No connection/],
  ['ended', '', /Your session has ended/],
  ['not-found', 'm/nothing', /It was deleted, or the end of its address/],
];

/** The screens of the program itself, whose owners also import, pull, share and connect a phone. */
const WRITING: typeof SCREENS = [
  ['import', 'import', /Walking home/],
  ['sources', 'settings/sources', /Vexa/],
  ['shares', 'settings/shares', /2 to 3/],
  ['edits', 'settings/edits', /Henrik V\./],
  ['bin', 'bin', /Restore all/],
  ['phone', 'settings/phone', /Tailscale/],
];

/** Shares lines of a memory. */
async function share(): Promise<void> {
  const page = await open(desktop, 'm/2026-11-19-standup#L2-3');
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('button', { name: 'Share marked lines' }).click();
  await page.getByRole('button', { name: 'Make a link' }).click();
  await page.getByRole('button', { name: 'Create link' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.context().close();
}

/** Edits a memory, and deletes two. */
async function change(): Promise<void> {
  const page = await open(desktop, '');
  const { origin } = new URL(page.url());
  for (const [path, data] of [
    ['edits', { memory_id: '2026-11-19-standup', speakers: [{ from: 'Henrik', to: 'Henrik V.' }] }],
    ['deletions', { ids: ['2026-11-16-standup', '2026-11-17-standup'] }],
  ] as const) {
    const response = await page.request.post(app.at(`v1/${path}`, host), {
      headers: { origin },
      data,
    });
    if (!response.ok()) throw new Error(await response.text());
  }
  await page.context().close();
}

/** Takes the pictures of the program's own screens. */
async function saveWriting(): Promise<void> {
  const port = String(await freePort());
  const program = startProcess(['serve', '--port', port, '--database', app.database]);
  try {
    await waitFor(program, 'stdout', /listening/);
    host = `127.0.0.1:${port}`;
    await share();
    await change();
    for (const screen of WRITING) if (isWanted(screen[0])) await saveVariants(screen);
  } finally {
    host = undefined;
    await stop(program);
  }
}

/** Stars a memory, notes something about it, ticks one of its action items and saves a search, so that the screens have them. */
async function prepare(): Promise<void> {
  const page = await open(desktop, '');
  const post = async (path: string, data: object) => {
    const { origin } = new URL(app.at());
    const response = await page.request.post(app.at(`v1/${path}`), { headers: { origin }, data });
    if (!response.ok()) throw new Error(await response.text());
  };
  await post('bookmarks/2026-11-19-standup', {
    is_starred: true,
    note: 'Ask Henrik.',
    item: { text: 'merge the recalibration into 2.9, with cold tests', is_done: true },
  });
  await post('searches', { name: 'The fridge war', query: 'q=fridge' });
  await page.context().close();
}

/** Makes the app look for changes now, as it does when somebody comes back to the tab. */
const look = (page: Page) =>
  page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));

/** What brings a page into a state that its address does not have. */
const STATES: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  import: async (page) => {
    const sample = new URL('../../../fixtures/samples/limitless/week.json', import.meta.url);
    await page.locator('input[type=file]').first().setInputFiles(fileURLToPath(sample));
  },
  // The quotes come after the rows.
  person: (page) => page.locator('.gist', { hasText: '“' }).nth(5).waitFor({ state: 'attached' }),
  // Each picture has signed in.
  devices: async (page) => {
    const others = page.getByRole('button', { name: 'Sign out all others' });
    await others.click();
    await others.waitFor({ state: 'detached' });
    await page.evaluate(() => scrollTo(0, 0));
  },
  loading: async (page) => {
    await page.route(/\/v1\/(memories|days)/, () => undefined); // no response ever
    await page.reload();
    await page.locator('main:not(.skeleton) .loading').waitFor();
  },
  offline: async (page) => {
    await page.getByRole('link', { name: /Voice memo/ }).waitFor();
    await page.context().setOffline(true);
    await look(page);
  },
  ended: async (page) => {
    await page.context().clearCookies();
    await look(page);
  },
};

/** Takes one picture of a screen: on a desk and on a phone, in light and in dark colours. */
async function saveVariants([name, path, text]: (typeof SCREENS)[number]): Promise<void> {
  const shots = [];
  for (const [width, colorScheme] of [
    [1200, 'light'],
    [390, 'dark'],
    [390, 'light'],
    [1200, 'dark'],
  ] as const) {
    const page = await open(
      { viewport: { width, height: 800 }, colorScheme },
      path,
      name !== 'sign-in',
    );
    await STATES[name]?.(page);
    await page.getByText(text).first().waitFor();
    const png = await page.screenshot({ animations: 'disabled' });
    shots.push(`<img src="data:image/png;base64,${png.toString('base64')}">`);
    await page.context().close();
  }
  const page = await browser.newPage({
    viewport: { width: 948, height: 948 },
    deviceScaleFactor: 1,
  });
  await page.setContent(
    `<style>body { margin: 0; background: #8a8f96; display: flex; flex-wrap: wrap; gap: 12px; padding: 12px }
    img { height: 456px; border-radius: 6px }</style>${shots.join('')}`,
  );
  await page.screenshot({
    path: fileURLToPath(new URL(`screen-${name}.jpg`, folder)),
    type: 'jpeg',
    quality: 82,
  });
  await page.close();
}

try {
  await prepare();
  for (const screen of SCREENS) if (isWanted(screen[0])) await saveVariants(screen);
  await saveWriting();

  const list = await open(desktop, '');
  await list.getByRole('link', { name: /Voice memo/ }).waitFor();
  await save(list, 'list');

  const reader = await open(phone, 'm/2026-11-19-standup#L4');
  await reader.locator('#L4.marked').waitFor();
  await save(reader, 'line');

  const access = await open(desktop, 'settings/access');
  for (const label of ['wall display', 'notebook script']) {
    await access.getByRole('button', { name: 'New key' }).click();
    await access.getByLabel('Label').fill(label);
    if (label === 'wall display') {
      await access.getByRole('radio', { name: /no transcripts/ }).check();
      await access.getByLabel('Only some days').check();
      await access.getByLabel('First day').fill('2026-11-01');
      await save(access, 'key-scope');
    }
    await access.getByRole('button', { name: 'Create key' }).click();
    await access.getByText('Waiting for its first use').waitFor();
    if (label === 'notebook script') await save(access, 'new-key');
    await access.getByRole('button', { name: 'Done' }).click();
    await access.getByRole('button', { name: 'Close without copying' }).click();
    await access.locator('.items li', { hasText: new RegExp(label) }).waitFor();
  }
  await save(access, 'keys');

  const devices = await open(phone, 'settings/devices');
  await devices.getByRole('button', { name: 'Sign in another device' }).click();
  await devices.getByRole('textbox', { name: 'Sign-in link' }).waitFor();
  await save(devices, 'another-device');
} finally {
  await browser.close();
  await app.close();
}
