// Checks that a tag can be released, and prints what stands in its way. Usage: node check.ts v0.1.0.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { notesOf } from './notes.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The files that a release depends on, as texts. */
export interface Sources {
  readonly manifest: string;
  readonly lock: string;
  readonly changelog: string;
}

/** Returns what stands in the way of releasing a tag, a sentence each. */
export function obstacles(tag: string, { manifest, lock, changelog }: Sources): string[] {
  const { version, repository } = JSON.parse(manifest);
  const found: string[] = [];
  if (tag !== `v${version}`)
    found.push(`The tag ${tag} is not v${version}; change "version" in package.json, or the tag.`);
  if (JSON.parse(lock).version !== version)
    found.push('package-lock.json has another version; run "npm install --package-lock-only".');
  if (/\bOWNER\b/.test(JSON.stringify([repository, manifest])))
    found.push(
      'package.json still has the placeholder OWNER; write the name of your account there.',
    );
  try {
    notesOf(changelog, version);
  } catch (error) {
    found.push(error instanceof Error ? error.message : String(error));
  }
  return found;
}

if (import.meta.main) {
  const read = (name: string) => readFileSync(join(ROOT, name), 'utf8');
  const sources = {
    manifest: read('package.json'),
    lock: read('package-lock.json'),
    changelog: read('CHANGELOG.md'),
  };
  for (const sentence of obstacles(process.argv[2] ?? '', sources)) {
    process.stderr.write(`${sentence}\n`);
    process.exitCode = 1;
  }
}
