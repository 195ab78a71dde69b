// Prints the notes of a version from CHANGELOG.md. Usage: node notes.ts 0.1.0.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** Returns the section of a version, without its heading. Throws if the changelog has none, or an empty one. */
export function notesOf(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m).slice(1);
  const found = sections.find((section) => /^\S+/.exec(section)?.[0] === version);
  const text = found?.replace(/^.*\n/, '').trim();
  if (text) return `${text}\n`;
  throw new Error(
    `CHANGELOG.md has no section "## ${version}" with text; write it before the release.`,
  );
}

if (import.meta.main) {
  const version = (process.argv[2] ?? '').replace(/^v/, '');
  process.stdout.write(notesOf(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'), version));
}
