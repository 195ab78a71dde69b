// Writes the results into README.md of the benchmark, between its markers, and draws the chart.

import { readFileSync, writeFileSync } from 'node:fs';

import type { Results } from './results.ts';
import { toMarkdown } from './table.ts';

const README = new URL('README.md', import.meta.url);
const CHART = new URL('chart.svg', import.meta.url);
// Not a literal path, because the types of echarts exist only where it is installed.
const DRAWING = new URL('chart.mjs', import.meta.url).href;

/** Puts results between the markers of a text. */
export function putResults(text: string, results: string): string {
  return text.replace(
    /(<!-- results -->)[^]*(<!-- end of results -->)/,
    (_, start: string, end: string) => `${start}\n\n${results}\n\n${end}`,
  );
}

/** Writes README and chart. */
export async function writeReadme(results: Results): Promise<void> {
  const { draw } = (await import(DRAWING)) as { draw: (results: Results) => string };
  writeFileSync(CHART, draw(results));
  writeFileSync(README, putResults(readFileSync(README, 'utf8'), describe(results)));
}

/** Formats the results as Markdown. */
export function describe({ date, machine, versions, load, floor, works }: Results): string {
  const names = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return [
    `The run began on ${date}, on ${machine}. Load by ${load}. The bare server sends by: ${floor}.`,
    `${names.join(', ')}.`,
    '![What ours costs beside the floor, and beside the peers](chart.svg)',
    ...works.map(toMarkdown),
  ].join('\n\n');
}
