// npm run screenshot: takes the picture of the reference page for the manual.

import { fileURLToPath } from 'node:url';

import { serveDocs } from '../support/world/reference-page.ts';
import { openBrowser } from './browser.ts';

const path = fileURLToPath(new URL('../../docs/images/reference-page.png', import.meta.url));

const docs = await serveDocs('');
const browser = await openBrowser();
try {
  const page = await browser.newPage({ viewport: { width: 1000, height: 1000 } });
  await page.goto(docs.url);
  await page.getByText('/v1/search').first().waitFor();
  await page.screenshot({ path });
} finally {
  await browser.close();
  await docs.close();
}
