// Writes the results of a whole run into README.md of the benchmark.

import { readFileSync, writeFileSync } from 'node:fs';

import type { Results } from './results.ts';
import { toMarkdown } from './table.ts';

const README = new URL('README.md', import.meta.url);

/** Puts results between the markers of a text. */
export function putResults(text: string, results: string): string {
  return text.replace(
    /(<!-- results -->)[^]*(<!-- end of results -->)/,
    (_, start: string, end: string) => `${start}\n\n${results}\n\n${end}`,
  );
}

/** Writes the results into the README. */
export function writeReadme(results: Results): void {
  writeFileSync(README, putResults(readFileSync(README, 'utf8'), describe(results)));
}

/** Formats the results as Markdown. */
export function describe({ date, machine, versions, floor, works }: Results): string {
  const names = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return [
    `The run began on ${date}, on ${machine}. Load by wrk. The bare server sends by: ${floor}.`,
    `${names.join(', ')}.`,
    ...works.map(toMarkdown),
  ].join('\n\n');
}
