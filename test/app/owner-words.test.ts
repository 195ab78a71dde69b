// What the importer says about files, on the pages of the app.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import { forOwner } from '../../src/app/server/owner-words.ts';
import { ROOT } from '../support/world/program.ts';

/** Reasons in the sources that name an option or a page of help. They begin with "it", or end a sentence that does. */
const REASON = /['`]((?:it |\$\{other\} )[^'`\n]*(?:--[a-z]|"help )[^'`\n]*)['`]/g;

/** The app names an account, and no format, so these never reach a page. */
const NEVER = /leave out --format|give --account/;

describe('A reason of the importer on a page', () => {
  const reasons = ['src/formats', 'src/cli/import'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .flatMap((name) => [...readFileSync(join(ROOT, folder, name), 'utf8').matchAll(REASON)])
      .map(([, reason = '']) => reason)
      .filter((reason) => !NEVER.test(reason)),
  );

  it('names no option and no help of the command line, except as a command in quotes', () => {
    assert.ok(reasons.length >= 9, String(reasons.length));
    for (const reason of reasons)
      assert.doesNotMatch(forOwner(reason).replaceAll(/"import [^"]*"/g, ''), /--|help /, reason);
  });

  it('says what to do with the file instead', () => {
    assert.equal(
      forOwner('call.vtt: it has no start time; give --started-at'),
      'call.vtt: it has no start time; put its start into its name, as in "2026-11-18 09-00"',
    );
    assert.equal(forOwner('it is empty; copy it again'), 'it is empty; copy it again');
  });
});
