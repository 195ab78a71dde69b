// How a session ends in a browser, and links that do not work.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import { withFileWriterSync } from '../../../src/store/sqlite/writer.ts';
import { MINUTE, setClock } from '../../support/world/app-store.ts';
import { newFolder } from '../../support/world/artifacts.ts';
import { run } from '../../support/world/program.ts';
import { openReader, serve, signIn, skip } from './page.ts';

const REFUSED = /status of 401/;

describe('A session in a browser', { skip, timeout: 300_000 }, () => {
  it('ends when a backup is restored, and a new sign-in leads back', async (t) => {
    const app = await serve(t);
    const [here, there] = [
      await openReader(t, { expects: REFUSED }),
      await openReader(t, { expects: REFUSED }),
    ];
    await signIn(here, app);
    await signIn(there, app);
    const backup = join(newFolder(), 'backup.db');
    for (const words of [
      ['backup', backup],
      ['restore', backup],
    ]) {
      const { code, stderr } = await run([...words, '--database', app.database]);
      assert.equal(code, 0, stderr);
    }
    for (const { page } of [here, there]) {
      await page.getByRole('link', { name: /Voice memo/ }).click();
      await page.getByText('Your session has ended. Sign in').waitFor();
    }
    const again = await here.context.newPage();
    await again.goto(await app.link());
    await again.getByRole('button', { name: /^Sign in as/ }).click();
    await again.getByRole('link', { name: /Voice memo/ }).waitFor();
    await here.page.reload();
    await here.page.locator('#L1').waitFor();
    assert.deepEqual([here.faults, there.faults], [[], []]);
  });

  it('shows the account that signs in in another window of the browser', async (t) => {
    const app = await serve(t);
    withFileWriterSync(app.database, (writer) =>
      writer.accounts.create({ id: 'ben', name: 'Ben', created_by: 'seed' }),
    );
    const reader = await openReader(t, { expects: REFUSED });
    await signIn(reader, app);
    const other = await reader.context.newPage();
    await other.goto(await app.link('ben'));
    await other.getByRole('button', { name: 'Sign in as Ben' }).click();
    await other.getByText('No memories yet').waitFor();
    await reader.page.getByText('No memories yet').waitFor();
    assert.equal(await reader.page.locator('.who .name').textContent(), 'Ben');
    assert.deepEqual(reader.faults, []);
  });

  it('does not start with a wrong, a cut or an expired link, which is said in one sentence', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t, { expects: /status of 4(01|22)/ });
    const { page } = reader;
    const link = await app.link();
    const wrong = link.replace(/#.{8}/, '#AAAAAAAA');
    for (const each of [wrong, link.slice(0, -5)]) {
      await page.goto('about:blank');
      await page.goto(each);
      await page.getByText('This link does not work any more').waitFor();
    }
    await page.goto('about:blank');
    await page.goto(link);
    await page.getByRole('button', { name: 'Sign in as Mira Okafor' }).waitFor();
    setClock(t, Date.now() + 11 * MINUTE); // while the page was open
    await page.getByRole('button', { name: 'Sign in as Mira Okafor' }).click();
    await page.getByText('This link does not work any more').waitFor();
    const command = page.getByRole('textbox', { name: /^On the computer/ });
    assert.match(await command.inputValue(), /^memory-gateway sign-in --port/);
    assert.deepEqual(reader.faults, []);
  });
});
