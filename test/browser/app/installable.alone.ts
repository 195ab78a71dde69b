// The app can be installed: a complete manifest, icons of the right sizes, and an id for each prefix.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { lastIfShort } from '../../support/world/thorough.ts';
import { findWholeBrowser, openBrowser } from '../browser.ts';
import { openReader, serve, signIn, skip } from './page.ts';

interface Manifest {
  readonly icons: readonly {
    readonly src: string;
    readonly sizes: string;
    readonly type: string;
  }[];
  readonly shortcuts: readonly { readonly url: string }[];
}

describe('Installing the app', { skip, timeout: 120_000 }, () => {
  for (const prefix of lastIfShort(['', '/some/prefix']))
    it(`works ${prefix === '' ? 'at the root' : 'under a prefix'}`, async (t) => {
      const app = await serve(t, { prefix });
      const browser = await openBrowser(findWholeBrowser());
      t.after(() => browser.close());
      const reader = await openReader(t, { browser });
      const { page, faults } = reader;
      await signIn(reader, app);
      await page.getByRole('link', { name: /Voice memo/ }).click();
      await page.locator('#L1').waitFor();
      const session = await reader.context.newCDPSession(page);
      const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
      // Profiles of tests are private ones, which install nothing.
      const errors = installabilityErrors.map(({ errorId }) => errorId);
      assert.deepEqual(
        errors.filter((id) => id !== 'in-incognito'),
        [],
      );
      const found = await session.send('Page.getAppManifest');
      assert.deepEqual(found.errors, []);
      assert.equal(found.url, app.at('manifest.webmanifest'));
      const { appId } = await session.send('Page.getAppId');
      assert.equal(appId, app.at(), 'two gateways on one host are two apps');

      const { icons, shortcuts } = JSON.parse(found.data ?? '') as Manifest;
      const drawn = await page.evaluate(
        (all) =>
          Promise.all(
            all.map(async ({ src, type, sizes }) => {
              const response = await fetch(src);
              const image = new Image();
              image.src = src;
              await image.decode();
              const { naturalWidth, naturalHeight } = image;
              const isType = response.headers.get('content-type')?.startsWith(type) === true;
              return isType && (sizes === 'any' || sizes === `${naturalWidth}x${naturalHeight}`);
            }),
          ),
        icons.map((icon) => ({ ...icon, src: app.at(icon.src) })),
      );
      assert.deepEqual(
        drawn,
        icons.map(() => true),
      );
      for (const { url } of shortcuts) assert.equal((await page.goto(app.at(url)))?.status(), 200);
      assert.deepEqual(faults, []);
    });
});
