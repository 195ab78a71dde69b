// The manual: every block of code in it runs and prints the output on the page.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { readPages, type Block } from '../../scripts/docs/pages.ts';
import { isRun, isSkipped, runPage } from '../support/manual/session.ts';
import { openWorkshop, type Workshop } from '../support/manual/workshop.ts';
import { lacking } from '../support/processes/required-programs.ts';
import { isShort } from '../support/world/thorough.ts';

/** Pages whose commands other tests run: commands in a clone, and those after a leak of a key. */
const ELSEWHERE = new Set(['CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md']);

/** The accepted reasons to mark a block `no-run`. */
const REASONS = [
  /^needs (root|Docker|systemd|PostgreSQL|PgBouncer|fail2ban|Kubernetes|a proxy|a second machine|a clone|a safety copy|the executable|Anarlog|Muesli|Tailscale)$/,
  /^needs an? [\w.; ]+ (account|key|installation)$/,
  /^only in a clone$/,
  /^needs an embeddings endpoint$/,
  /^serves until you stop it$/,
];

const pages = readPages().filter(({ path }) => !ELSEWHERE.has(path));

/** A page of one product: its commands differ from those of the next by a fixture, which the tests of formats import. A short run leaves it out. */
const isOfOneProduct = (path: string) =>
  path.startsWith('docs/howto/import/') && !/\/(captions|text|your-own)\.md$/.test(path);

/** The two commands for newcomers, which .ci/run runs. */
const FIRST = new Set(['npm ci && npm run demo\n', 'npm ci && npm test\n']);

/** Programs that blocks need and that may be missing here. */
const programsOf = (blocks: readonly Block[]): string[] =>
  ['curl', 'jq'].filter((name) =>
    blocks.some((block) => isRun(block) && new RegExp(`\\b${name} `).test(block.code)),
  );

describe('The manual', { concurrency: 3 }, () => {
  let workshop: Workshop;
  before(() => void (workshop = openWorkshop()));
  after(() => workshop.remove());

  for (const page of pages) {
    const blocks = page.blocks.filter(({ code }) => !FIRST.has(code));
    if (blocks.some(isRun) && !(isShort && isOfOneProduct(page.path)))
      it(`does what ${page.path} says`, { skip: lacking(...programsOf(blocks)) }, () =>
        runPage({ ...page, blocks }, workshop),
      );
  }
});

describe('A block of the manual', () => {
  it('is skipped only for a reason that a test cannot meet', () => {
    const odd = pages.flatMap(({ path, blocks }) =>
      blocks
        .filter(
          (block) =>
            isSkipped(block) &&
            !REASONS.some((each) => each.test(block.info.slice(7).replace(/ \S+\.tsx?$/, ''))),
        )
        .map(({ line, info }) => `${path}:${line} ${info}`),
    );
    assert.deepEqual(odd, []);
  });

  it('is JSON if it says so', () => {
    for (const { path, blocks } of pages)
      for (const { language, code, line } of blocks)
        if (language === 'json')
          assert.doesNotThrow(() => JSON.parse(code), `${path}:${line} is not JSON`);
  });
});
