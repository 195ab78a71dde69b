// The first visit: from the link of the terminal to a signed-in account, by keyboard and on a phone.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it, type TestContext } from 'node:test';

import { once } from '../../../src/lib/once.ts';
import { withFileWriterSync } from '../../../src/store/sqlite/writer.ts';
import { createSecret } from '../../support/world/app.ts';
import { issued, newFolder } from '../../support/world/artifacts.ts';
import { ROOT } from '../../support/world/program.ts';
import { claim, startProgram } from './first-visit.ts';
import { checkScreen, openReader, redeem, skip } from './page.ts';

describe('The first visit', { skip, timeout: 300_000 }, () => {
  const stops: (() => unknown)[] = [];
  after(() => Promise.all(stops.map((each) => each())));
  /** Starts the program of all visits but the first ones, which need another. */
  const start = once(async () => {
    const folder = newFolder();
    const link = await startProgram({ after: (stop) => stops.push(stop) }, folder);
    const database = join(folder, 'memory-gateway.db');
    return { database, at: (path = '') => new URL(`/app/${path}`, link).href };
  });
  /** Signs in to a new account without memories. The page shows what can come next. */
  const visit = async (t: TestContext, options?: Parameters<typeof openReader>[1]) => {
    const { database, at } = await start();
    const account = randomUUID();
    withFileWriterSync(database, ({ accounts }) =>
      accounts.create({ id: account, name: 'Mira', created_by: 'command line' }),
    );
    const reader = await openReader(t, options);
    await redeem(reader, at(`sign-in#${await createSecret(database, account)}`));
    await reader.page.goto(at());
    await reader.page.getByRole('link', { name: 'See sample memories' }).waitFor();
    for (const { value } of await reader.context.cookies()) issued(value);
    return reader;
  };

  it('names the account by keyboard, signs in, and leaves no secret in the address', async (t) => {
    const link = await startProgram(t);
    const { page, context, faults } = await openReader(t);
    await page.goto(link);
    const name = page.getByLabel('Your name');
    await name.waitFor();
    assert.doesNotMatch(page.url(), /#/);
    await checkScreen(page, 'the first visit');
    await page.locator('input:focus').waitFor();
    await page.keyboard.type('Mira Okafor');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'See sample memories' }).waitFor();
    await checkScreen(page, 'the page after it');
    for (const { value } of await context.cookies()) issued(value);
    await page.reload();
    await page.getByRole('link', { name: 'See sample memories' }).waitFor();
    assert.deepEqual(faults, []);
  });

  it('happens once: the link says so afterwards', async (t) => {
    const link = await startProgram(t);
    const first = await claim(t, link, { viewport: { width: 390, height: 844 } });
    const second = await openReader(t, { expects: /401/ });
    await second.page.goto(link);
    await second.page.getByText('It was used already').waitFor();
    await checkScreen(second.page, 'a link that was used');
    await second.page.getByRole('button', { name: 'Sign in' }).click();
    await second.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    assert.deepEqual([...first.faults, ...second.faults], []);
  });

  it('leads to the import of an export, which is shown before it is imported', async (t) => {
    const { page, faults } = await visit(t);
    await page.getByRole('link', { name: 'How to get an export' }).click();
    await page.getByText('Limitless', { exact: true }).click();
    await page.getByText('take the zip archive as it is').waitFor();
    await checkScreen(page, 'the import page');
    await page.goBack();
    const input = page.locator('input[type=file]');
    await input.waitFor();
    assert.equal(await input.count(), 1);
    await input.setInputFiles(join(ROOT, 'fixtures/samples/limitless/week.json'));
    await page.getByRole('heading', { name: '3 memories to import' }).waitFor();
    // As at the end: the memories first, and what they are read as folded.
    await page.getByText('Walking home').waitFor();
    await page.getByText('Details', { exact: true }).click();
    await page.getByText('Limitless lifelogs (3)').waitFor();
    await checkScreen(page, 'what is in the files');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByRole('heading', { name: '3 memories imported' }).waitFor();
    await checkScreen(page, 'what was imported');
    const looked = page.waitForResponse(/\/changes\?/);
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await looked;
    await page.getByRole('link', { name: 'Changes', exact: true }).waitFor();
    await page.getByRole('link', { name: 'See your memories' }).click();
    await page.getByRole('link', { name: /Walking home/ }).waitFor();
    assert.deepEqual(faults, []);
  });

  it('leads to sample memories, which can be read at once', async (t) => {
    const { page, faults } = await visit(t);
    const current = page.locator('header [aria-current=page]');
    assert.equal(await current.textContent(), 'Memories', 'the home of an empty account');
    const samples = page.getByRole('link', { name: 'See sample memories' });
    await page.setViewportSize({ width: 390, height: 800 });
    const weight = await samples.evaluate((link) => getComputedStyle(link).fontWeight);
    assert.equal(weight, '600', 'the action is what stands out');
    const said = await page.getByText('You can remove it with one click').boundingBox();
    const link = await samples.boundingBox();
    assert.ok(said && link && said.y >= link.y + link.height, 'it is explained below, also there');
    await samples.click();
    // Nothing is told of their import but that they are there.
    await page.getByRole('link', { name: /Voice memo/ }).waitFor();
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'Import', exact: true }).click();
    await page.getByRole('button', { name: 'Choose files' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Import more' }).count(), 0);
    await page.goBack();
    await page.getByRole('link', { name: /Voice memo/ }).click();
    await page.waitForURL(/\/m\/sample-2026-11-18-memo-milk/);
    await page.getByRole('heading', { name: 'Voice memo', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Memories' }).first().click();
    await page.evaluate(() => localStorage.clear()); // as in another browser of the account
    await page.reload();
    await page.getByRole('button', { name: 'Remove the samples' }).click();
    await page.getByText('Samples removed.').waitFor();
    await page.getByRole('button', { name: 'Choose files' }).waitFor();
    await samples.waitFor(); // the home is what it was before them
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    await checkScreen(page, 'no memories');
    await samples.click(); // they are in the bin
    await page.getByRole('link', { name: /Voice memo/ }).waitFor();
    await page.getByRole('button', { name: 'Remove the samples' }).waitFor();
    assert.deepEqual(
      faults.filter((fault) => !/404/.test(fault)),
      [],
    );
  });

  it('takes files that are dropped on any page, and shows that they are held over it', async (t) => {
    const { page, faults } = await visit(t);
    const text = readFileSync(join(ROOT, 'fixtures/samples/limitless/week.json'), 'utf8');
    /** Does what a browser does with files over an element. Returns whether the app takes them. */
    const drag = (type: string, over: string, files = [text]) =>
      page.locator(over).evaluate(
        (element, of) => {
          const dataTransfer = new DataTransfer();
          for (const each of of.files) dataTransfer.items.add(new File([each], 'week.json'));
          const event = { dataTransfer, bubbles: true, cancelable: true };
          return !element.dispatchEvent(new DragEvent(of.type, event));
        },
        { type, files },
      );
    const lineOf = (selector: string) =>
      page.locator(selector).evaluate((element) => getComputedStyle(element).outlineStyle);
    assert.equal(await lineOf('.drop'), 'dashed');
    assert.equal(await drag('dragover', '.drop'), true);
    assert.equal(await lineOf('.drop'), 'solid');
    await drag('dragleave', '.drop');
    assert.equal(await lineOf('.drop'), 'dashed');
    await page.getByRole('link', { name: 'Calendar' }).click();
    await page.getByRole('heading', { name: 'Calendar' }).waitFor();
    assert.equal(await drag('dragover', 'h1', []), false, 'text that is dragged is no file');
    assert.equal(await drag('dragover', 'h1'), true);
    assert.equal(await lineOf('main'), 'solid');
    // A dialog is answered first. The browser must not leave the app for the file.
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    assert.equal(await drag('drop', 'dialog'), true);
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'Calendar' }).waitFor();
    assert.equal(await drag('drop', 'h1'), true);
    await page.getByRole('heading', { name: '3 memories to import' }).waitFor();
    assert.equal(await lineOf('main'), 'none');
    // What was only checked makes way.
    await drag('drop', 'h1');
    await page.getByText('Walking home').waitFor();
    assert.deepEqual(faults, []);
  });

  it('takes files that are held over a list before the scripts of other screens are loaded', async (t) => {
    const { page, faults } = await visit(t);
    await page.getByRole('link', { name: 'See sample memories' }).click();
    await page.getByRole('link', { name: /Voice memo/ }).waitFor();
    const address = page.url();
    // The app waits some seconds before it loads them: here for ever.
    await page.addInitScript(() => {
      const later = globalThis.setTimeout;
      const soon = (work: () => void, ms = 0) => (ms < 1000 ? later(work, ms) : 0);
      Object.assign(globalThis, { setTimeout: soon });
    });
    await page.goto(address);
    await page.getByRole('link', { name: /Voice memo/ }).waitFor();
    // A browser repeats this while files are held.
    await page.waitForFunction(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['{}'], 'week.json'));
      const event = { dataTransfer, bubbles: true, cancelable: true };
      return !document.body.dispatchEvent(new DragEvent('dragover', event));
    });
    assert.deepEqual(faults, []);
  });

  it('keeps the browser from opening files that are dropped before the app has loaded, and takes them then', async (t) => {
    const { page, context, faults } = await visit(t);
    await page.getByRole('button', { name: 'Choose files' }).waitFor();
    const session = await context.newCDPSession(page);
    const files = [join(ROOT, 'fixtures/samples/limitless/week.json')];
    const data = { items: [], files, dragOperationsMask: 1 };
    const drop = async () => {
      for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
        await session.send('Input.dispatchDragEvent', { type, x: 600, y: 300, data });
    };
    const app = /\/app-[^/]+\.js$/;
    await page.route(app, () => undefined); // it never arrives
    const address = page.url();
    await page.reload({ waitUntil: 'commit' });
    // A browser repeats this while files are held.
    await page.waitForFunction(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['{}'], 'week.json'));
      return !dispatchEvent(new DragEvent('dragover', { dataTransfer, cancelable: true }));
    });
    await drop();
    await page.unroute(app);
    await page.reload();
    assert.deepEqual([page.url(), context.pages().length], [address, 1]);
    await page.getByRole('button', { name: 'Choose files' }).waitFor();
    await drop();
    await page.getByRole('heading', { name: '3 memories to import' }).waitFor();
    assert.deepEqual(faults, []);
  });

  it('leads to an import that a page which is loaded anew shows as it is', async (t) => {
    const { page, faults } = await visit(t);
    const sample = join(ROOT, 'fixtures/samples/limitless/week.json');
    await page.locator('input[type=file]').setInputFiles(sample);
    const checked = page.getByRole('heading', { name: '3 memories to import' });
    await checked.waitFor();
    await page.reload();
    await checked.waitFor();
    // Until it has ended, it is all that there is to do.
    assert.equal(await page.locator('.drop').count(), 0);
    const done = page.getByRole('heading', {
      name: '3 memories imported',
    });
    // The page is left before it hears of the end, and tells it when it is back.
    const state = /\/imports\/[\w-]+$/;
    await page.route(state, () => undefined);
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    await page.goto('about:blank');
    await page.unroute(state);
    await page.goBack();
    await done.waitFor();
    assert.equal(await page.locator('.drop').count(), 0, 'the end is told alone');
    assert.equal(await page.locator('main .primary').count(), 1);
    await page.getByRole('link', { name: 'See your memories' }).click();
    await page.getByRole('link', { name: /Walking home/ }).waitFor();
    await page.goBack();
    await done.waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Choose files' }).waitFor();
    assert.equal(await done.count(), 0, 'it was told');
    assert.deepEqual(faults, []);
  });

  it('leads to an import that names what cannot be read, what is skipped and all that is imported', async (t) => {
    const { page, faults } = await visit(t);
    const [sample, empty] = [
      join(ROOT, 'fixtures/samples/limitless/week.json'),
      { name: 'Recording 3.txt', mimeType: 'text/plain', buffer: Buffer.of() },
    ];
    const input = page.locator('input[type=file]');
    await input.setInputFiles(empty);
    await page.getByRole('heading', { name: 'Nothing to import, 1 cannot be read' }).waitFor();
    await page.getByText('Recording 3.txt: it is empty; copy it or export it again.').waitFor();
    // The field for other files is there still.
    const folder = newFolder();
    const lifelogs = readFileSync(sample, 'utf8');
    writeFileSync(join(folder, 'half.json'), lifelogs.slice(0, lifelogs.length * 0.7));
    writeFileSync(join(folder, 'lost.json'), '');
    writeFileSync(join(folder, 'more.json'), '');
    writeFileSync(join(folder, 'other.json'), lifelogs.replaceAll('garlic', 'onions'));
    writeFileSync(join(folder, 'photo.png'), 'no recording');
    await input.setInputFiles(readdirSync(folder).map((name) => join(folder, name)));
    const title = '3 memories to import, 3 cannot be read, 1 left out, 1 file skipped';
    await page.getByRole('heading', { name: title, exact: true }).waitFor();
    await page.getByText('lost.json, more.json: it is empty').waitFor();
    await page.getByText(/^half\.json \(item 2\): /).waitFor();
    await page
      .getByText(/^other\.json \(item \d\): another one in this import has the same id/)
      .waitFor();
    await page.getByText('photo.png: no recording of a known kind.').waitFor();
    const names = page.locator('.items bdi');
    assert.deepEqual(await names.allInnerTexts(), [
      'Walking home',
      "Call with the dentist's office",
      'Seeds before the frost',
    ]);
    assert.equal(await page.locator('.items a').count(), 0, 'they are not here yet');
    await checkScreen(page, 'a report with files that cannot be read');
    assert.deepEqual(faults, []);
  });

  it('leads from an import to its memory, and says what is there already', async (t) => {
    const { page, faults } = await visit(t);
    const input = page.locator('input[type=file]');
    const text = '[00:00:00] Ann: Hello.\n[00:00:00] Ben: Indeed.\n';
    const buffer = Buffer.from(text);
    const call = { name: '2026-11-18 09.00 Call.txt', mimeType: 'text/plain', buffer };
    await input.setInputFiles(call);
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByRole('link', { name: 'Open it' }).waitFor();
    await page.getByRole('button', { name: 'Import more' }).click();
    await input.setInputFiles(call);
    await page.getByRole('heading', { name: 'You have it already', exact: true }).waitFor();
    assert.equal(await page.getByText('known already').count(), 0, 'it is said once');
    await page.getByRole('button', { name: 'Import more' }).click();
    const longer = `${text}[00:00:09] Ann: Bye.\n`;
    const other = { name: 'Other.txt', mimeType: 'text/plain', buffer: Buffer.from(longer) };
    await input.setInputFiles([{ ...call, buffer: Buffer.from(longer) }, other]);
    await page.getByRole('heading', { name: '1 memory to import, 1 to update' }).waitFor();
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByRole('heading', { name: '1 memory imported, 1 updated' }).waitFor();
    await page.getByRole('link', { name: 'Call', exact: true }).click();
    await page.getByRole('heading', { name: 'Call', level: 1 }).waitFor();
    assert.deepEqual(faults, []);
  });

  it('leads from an import to its day, and from a refusal to what would be read', async (t) => {
    const { page, faults } = await visit(t);
    const more = { started_at: '2026-11-18T12:00:00Z', transcript: 'Ann: Hello.' };
    const two = ['one', 'two'].map((id) => ({ id, name: id, ...more }));
    await page.locator('input[type=file]').setInputFiles(
      [
        ['Call.txt', 'Ann: Hello there.\nBen: Indeed.\n'],
        ['two.json', JSON.stringify(two)],
      ].map(([name = '', text = '']) => {
        return { name, mimeType: 'text/plain', buffer: Buffer.from(text) };
      }),
    );
    await page.getByText('begin each turn with a time, as in "[00:00:00] Ann: …"').waitFor();
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByRole('link', { name: 'See this day' }).click();
    await page.waitForURL(/\/days\/2026-11-18$/);
    await page.goBack();
    await page.getByRole('heading', { name: '2 memories imported' }).waitFor();
    await page.getByRole('link', { name: 'Changes' }).click();
    await page.getByRole('link', { name: 'Import', exact: true }).click();
    await page.getByRole('button', { name: 'Choose files' }).waitFor();
    assert.equal(await page.getByText('2 memories imported').count(), 0, 'it was seen');
    // A product is found by its name alone, and one is open at a time.
    const how = page.getByText(/^In the app, ask for the data export/);
    assert.equal(await how.isVisible(), false);
    await page.getByText('Limitless', { exact: true }).click();
    await how.waitFor();
    await page.getByText('Anything else').click();
    await how.waitFor({ state: 'hidden' });
    await checkScreen(page, 'how to get an export');
    assert.deepEqual(faults, []);
  });

  it('leads to an account that says where its memories are from and where they are, with the names of the products', async (t) => {
    const folder = newFolder();
    const { page, faults } = await claim(t, await startProgram(t, folder));
    const files = ['circleback', 'otter-text', 'fathom-text', 'limitless', 'gong', 'omi'].flatMap(
      (name) => {
        const from = join(ROOT, 'fixtures/samples', name);
        return readdirSync(from).map((file) => join(from, file));
      },
    );
    await page.locator('input[type=file]').setInputFiles(files);
    const shown = page.locator('.items li:visible');
    for (const act of ['Import', 'Import more']) {
      // The same five before the import and after it.
      await page.getByRole('button', { name: act, exact: true }).waitFor();
      await page.getByText(/^\d+ more$/).waitFor();
      assert.equal(await shown.count(), 5, act);
      if (act === 'Import') await page.getByRole('button', { name: act, exact: true }).click();
    }
    await page.goto(page.url().replace(/[^/]+$/, 'settings/about'));
    await page.getByText(join(folder, 'memory-gateway.db')).waitFor();
    assert.doesNotMatch(await page.locator('.facts').innerText(), /[0-9a-f]{8}-/, 'no id');
    await page
      .locator('.facts')
      .getByText(/, Limitless|Limitless,/)
      .waitFor();
    await page.getByText('Export everything').click();
    const command = await page
      .getByLabel('Run this in a terminal on the computer of this gateway')
      .inputValue();
    assert.match(command, /export --account \S+ --details --output everything\.jsonl --database /);
    await checkScreen(page, 'what About tells');
    assert.deepEqual(faults, []);
  });

  it('says that what a file has is in the bin, and brings it back', async (t) => {
    const { page, faults } = await visit(t);
    const text =
      '[00:00:00] Mira: The left ear is gone.\n[00:00:04] Henrik: Then we buy another.\n';
    const file = { name: '2026-11-18 09.00 Interview.txt', mimeType: 'text/plain' };
    const bring = () =>
      page.locator('input[type=file]').setInputFiles({ ...file, buffer: Buffer.from(text) });
    await bring();
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByRole('link', { name: 'Open it' }).click();
    await page.getByRole('heading', { name: 'Interview', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('“Interview” moved to the bin.').waitFor();
    // A page that is loaded anew is ready for other files, because the end was told.
    await page.goto(page.url().replace(/app\/.*/, 'app/import'));
    await bring();
    await page.getByRole('heading', { name: '“Interview” is in the bin' }).waitFor();
    assert.equal(await page.getByText('no recording of a known kind').count(), 0);
    await checkScreen(page, 'an import of what is in the bin');
    // Beside one that is here, it is named and can be restored as well.
    await page.getByRole('button', { name: 'Hide this' }).click();
    const other = text.replaceAll('ear', 'handle');
    const here = { ...file, name: '2026-11-17 09.00 Call.txt', buffer: Buffer.from(other) };
    const both = [here, { ...file, buffer: Buffer.from(text) }];
    await page.locator('input[type=file]').setInputFiles(both);
    await page.getByRole('heading', { name: '1 memory to import, 1 in the bin' }).waitFor();
    await page.locator('details li', { hasText: 'Interview' }).getByText(/9:00/).waitFor();
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByRole('heading', { name: '1 memory imported, 1 in the bin' }).waitFor();
    await page.getByText('In the bin', { exact: true }).waitFor();
    await page.getByText('Interview', { exact: true }).waitFor();
    await checkScreen(page, 'an import of which something is in the bin');
    await page.getByRole('button', { name: 'Restore from the bin' }).click();
    await page.getByRole('heading', { name: 'Interview', level: 1 }).waitFor();
    await page.getByText('“Interview” restored.').waitFor();
    assert.deepEqual(
      faults.filter((fault) => !/404/.test(fault)),
      [],
    );
  });

  it('leads to an import that is not offered if there is nothing to import', async (t) => {
    const { page, faults } = await visit(t);
    await page.locator('input[type=file]').setInputFiles(join(ROOT, 'LICENSE'));
    await page.getByRole('heading', { name: 'Nothing to import' }).waitFor();
    await page.getByText('There is no recording of a known kind').waitFor();
    await page.getByRole('heading', { name: 'How to get an export' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Import', exact: true }).count(), 0);
    await page.getByRole('button', { name: 'Choose files' }).waitFor();
    await page.getByRole('button', { name: 'Hide this' }).click();
    await page.getByRole('heading', { name: 'Nothing to import' }).waitFor({ state: 'detached' });
    const none = 'There is no recording of a known kind in these files: choose others';
    for (const [name, body, said] of [
      ['photo.jpg', '\xff\xd8\xff\xe0', none],
      ['letter.docx', 'PK\x03\x04', none],
      ['half.zip', 'PK\x03\x04', 'half.zip: it is not a zip archive, or it is cut off; copy it'],
      ['lost.json', '', 'lost.json: it is empty; copy it or export it again'],
    ] as const) {
      const buffer = Buffer.from(body, 'latin1');
      await page
        .locator('input[type=file]')
        .setInputFiles({ name, mimeType: 'application/octet-stream', buffer });
      await page.getByText(name).first().waitFor();
      await page.getByText(said).waitFor();
    }
    assert.deepEqual(faults, []);
  });

  it('leads to an import that says why it cannot begin, and can be begun again', async (t) => {
    const { page, faults } = await visit(t, { expects: /409/ });
    const detail = 'Upload all files and check them before you import them.';
    await page.route('**/imports/*/check', (route) =>
      route.fulfill({ status: 409, json: { status: 409, title: 'Conflict', detail } }),
    );
    const sample = join(ROOT, 'fixtures/samples/limitless/week.json');
    const input = page.locator('input[type=file]');
    await input.setInputFiles(sample);
    await page.getByText(detail).waitFor();
    await page.unrouteAll();
    await input.setInputFiles(sample);
    await page.getByRole('heading', { name: '3 memories to import' }).waitFor();
    assert.deepEqual(faults, []);
  });

  it('leads to an import that says that a file is gone, and removes what it has sent', async (t) => {
    const { page, faults } = await visit(t);
    const file = join(newFolder(), 'week.json');
    copyFileSync(join(ROOT, 'fixtures/samples/limitless/week.json'), file);
    await page.route(/\/imports$/, async (route) => {
      rmSync(file);
      await route.continue();
    });
    const removed = page.waitForResponse((each) => each.request().method() === 'DELETE');
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByText('A file cannot be read. Choose the files again.').waitFor();
    await removed;
    await page.getByRole('button', { name: 'Choose files' }).waitFor();
    assert.deepEqual(faults, []);
  });

  it('leads to the import of the files that were chosen last, if others were still being read', async (t) => {
    const { page, faults } = await visit(t);
    const input = page.locator('input[type=file]');
    const first = Promise.withResolvers<void>();
    let begun = 0;
    await page.route(/\/imports$/, async (route) => {
      begun += 1;
      if (begun === 1) await first.promise;
      await route.continue();
    });
    const removed = page.waitForResponse((each) => each.request().method() === 'DELETE');
    const isAsked = page.waitForRequest(/\/imports$/);
    await input.setInputFiles(join(ROOT, 'LICENSE'));
    await isAsked;
    await input.setInputFiles(join(ROOT, 'fixtures/samples/limitless/week.json'));
    const checked = page.getByRole('heading', { name: '3 memories to import' });
    await checked.waitFor();
    first.resolve();
    await removed;
    assert.ok(await checked.isVisible());
    assert.deepEqual(faults, []);
  });

  it('leads to an import that can be left while its state is being asked for', async (t) => {
    const { page, faults } = await visit(t);
    // The importer goes on as long as the test wants, and the response waits until the reader has left.
    const asked = Promise.withResolvers<void>();
    const left = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    let state = {};
    await page.route('**/imports/*/check', async (route) => {
      const response = await route.fetch();
      state = { ...(await response.json()), state: 'checking' };
      await route.fulfill({ response, json: state });
    });
    await page.route(/\/imports\/[\w-]+$/, async (route) => {
      if (route.request().method() !== 'GET') return route.continue();
      asked.resolve();
      await left.promise;
      await route.fulfill({ json: state });
      answered.resolve();
      return undefined;
    });
    const sample = join(ROOT, 'fixtures/samples/limitless/week.json');
    await page.locator('input[type=file]').setInputFiles(sample);
    await asked.promise;
    const removed = page.waitForResponse((each) => each.request().method() === 'DELETE');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await removed;
    left.resolve();
    await answered.promise;
    // Another import begins as if there had been none.
    await page.locator('input[type=file]').setInputFiles(sample);
    await page.getByRole('heading', { name: 'Reading 1 file' }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.locator('input[type=file]').waitFor();
    assert.deepEqual(faults, []);
  });
});
