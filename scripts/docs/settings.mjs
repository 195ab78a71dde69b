// The settings of VitePress. `site.ts` copies them to where VitePress reads them, together with the menu.

import { readFileSync } from 'node:fs';

import { anchorOf } from './anchor.ts';

// The policy of the site: a browser loads nothing from another host.
const POLICY = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
].join('; ');

// Vue would read `{{…}}` in a code span as an expression. In code blocks VitePress prevents that itself.
function keepBraces(markdown) {
  const { code_inline: render } = markdown.renderer.rules;
  markdown.renderer.rules.code_inline = (tokens, index, ...rest) => {
    tokens[index].attrSet('v-pre', '');
    return render(tokens, index, ...rest);
  };
}

export const settings = {
  title: 'Memory Gateway',
  description: 'Self-host a read-only API for your recorded conversations.',
  lang: 'en',
  outDir: '../../../out/docs',
  head: [
    ['meta', { 'http-equiv': 'Content-Security-Policy', content: POLICY }],
    ['link', { rel: 'icon', href: 'data:,' }],
  ],
  markdown: { anchor: { slugify: anchorOf }, linkify: false, config: keepBraces },
  themeConfig: {
    ...JSON.parse(readFileSync(new URL('../menu.json', import.meta.url), 'utf8')),
    outline: [2, 3],
    // No fuzzy search, because "restore" would find "storage" first.
    search: {
      provider: 'local',
      options: {
        miniSearch: { searchOptions: { fuzzy: false, prefix: true, boost: { title: 4 } } },
      },
    },
    docFooter: { prev: false, next: false },
  },
};
