// npm run screenshot: the reference page as a stranger sees it first, for the README.

import { fileURLToPath } from 'node:url';

import { serveDocs } from '../support/docs.ts';
import { openBrowser } from './browser.ts';

const path = fileURLToPath(new URL('docs.png', import.meta.url));

const docs = await serveDocs('');
const browser = await openBrowser();
try {
  const page = await browser.newPage({ viewport: { width: 1200, height: 1380 } });
  await page.goto(docs.url);
  await page.getByText('"transcript"').first().waitFor();
  await page.screenshot({ path });
} finally {
  await browser.close();
  await docs.close();
}
