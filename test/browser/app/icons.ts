// npx node --import tsx test/browser/app/icons.ts: draws the icons of the installed app from its icon.svg.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { openBrowser } from '../browser.ts';

const folder = new URL('../../../src/app/browser/static/', import.meta.url);

/** The icons. Systems cut those without corners to a shape of their own. */
const ICONS = [
  { name: 'icon-192.png', size: 192, hasCorners: true },
  { name: 'icon-512.png', size: 512, hasCorners: false },
  { name: 'apple-touch-icon.png', size: 180, hasCorners: false },
] as const;

const drawing = readFileSync(new URL('icon.svg', folder), 'utf8');

const browser = await openBrowser();
try {
  for (const { name, size, hasCorners } of ICONS) {
    const page = await browser.newPage({ viewport: { width: size, height: size } });
    const sized = drawing.replace('<svg ', `<svg width="${size}" height="${size}" `);
    const shaped = hasCorners ? sized : sized.replace(/ rx="\d+"/, '');
    await page.setContent(`<body style="margin: 0">${shaped}</body>`);
    await page.screenshot({ path: fileURLToPath(new URL(name, folder)), omitBackground: true });
    await page.close();
  }
} finally {
  await browser.close();
}
