// The main journeys of the app in Firefox: sign-in, list, reader, a new key, sign-out.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { issued } from '../../support/world/artifacts.ts';
import { lastIfShort } from '../../support/world/thorough.ts';
import { eventually, noFirefox, openFirefox, type Firefox } from '../firefox.ts';
import { serve } from './page.ts';

const button = (name: string) => ({ role: 'button', name });

describe('The app in Firefox', { skip: noFirefox, timeout: 300_000 }, () => {
  let firefox: Firefox;
  before(async () => {
    firefox = await openFirefox();
  });
  after(() => firefox.close());

  for (const [where, host, prefix] of lastIfShort([
    ['on plain http in a home network, below a path', 'memories.lan', '/recordings'],
    ['on this machine', '127.0.0.1', ''],
  ] as const))
    it(`signs in, reads a memory, makes a key that works, and signs out ${where}`, async (t) => {
      const app = await serve(t, { prefix });
      const at = `${host}:${app.port}`;
      const page = await firefox.open();
      const link = await app.link('mira', at);
      await page.goto(link);
      await page.click(button('Sign in as Mira Okafor'));
      await page.find({ text: 'Voice memo' });
      assert.equal(await page.text('location.href'), app.at('', at));
      assert.equal(await page.text('String(isSecureContext)'), String(host === '127.0.0.1'));

      await page.click({ text: 'Voice memo' });
      // The list has the summary, too.
      await page.find({ role: 'heading', name: 'Voice memo' });
      await page.find({ text: 'Mira reminds herself' });
      assert.equal(await page.text('location.href'), app.at('m/2026-11-18-memo-milk', at));
      await page.text('history.back()');
      await page.find({ text: 'Crystal supplier call' });

      await page.click({ role: 'link', name: 'Settings' });
      await page.click({ role: 'link', name: 'API access' });
      await page.click(button('New key'));
      await page.click({ role: 'textbox', name: 'Label' });
      await page.type('notebook');
      await page.click(button('Create key'));
      await page.find({ role: 'textbox', name: 'API key' });
      const key = issued(await page.text(`document.querySelector('dialog input.code').value`));
      assert.match(key, /^mem_/);
      await page.click(button('Copy'));
      await page.find({ text: 'Copied' });
      const memories = app.at('', `127.0.0.1:${app.port}`).replace(/app\/$/, 'v1/memories');
      const answer = await fetch(memories, { headers: { 'x-api-key': key } });
      await answer.arrayBuffer();
      assert.equal(answer.status, 200);
      await page.click(button('Done'));
      await page.find({ text: key.slice(-4) });
      const left = await page.text(
        'JSON.stringify([document.documentElement.outerHTML, localStorage, sessionStorage, history.state, document.cookie])',
      );
      assert.ok(!left.includes(key));
      assert.ok(!left.includes(link.replace(/.*#/, '')));
      // What was copied is pasted into the next label.
      await page.click(button('New key'));
      await page.click({ role: 'textbox', name: 'Label' });
      await page.type('\uE009v');
      assert.equal(await page.text(`document.querySelector('dialog input').value`), key);
      await page.click(button('Cancel'));

      assert.deepEqual(page.faults, []);
      await page.click(button('Sign out'));
      await page.find({ text: 'This account has no passkey' });
      await page.type('\uE007'); // Enter on the button that does it
      await page.find({ role: 'heading', name: 'Get a link to sign in' });
      // The page can show the response before Firefox has told us of it.
      await eventually(() => page.faults[0], 'response to a page without a session');
      // The look for changes, every ten seconds, may be under way when the session ends.
      const faults: readonly string[] = page.faults;
      const others = faults.filter((fault) => !fault.includes('/v1/changes?'));
      assert.deepEqual(others, [`401 ${app.at('v1/me', at)}`], 'nobody is signed in');
      // Firefox's own style of password fields has a font as a data URL.
      const outside = page.requested.filter(
        (url) => !url.startsWith('data:') && !url.startsWith(app.at('', at)),
      );
      assert.deepEqual(outside, []);
    });
});
