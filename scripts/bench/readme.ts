// Writes the results into README.md of the benchmark, above those of the run before, and draws the chart.

import { readFileSync, writeFileSync } from 'node:fs';

import type { Results } from './results.ts';
import { toMarkdown } from './table.ts';

const README = new URL('README.md', import.meta.url);
const CHART = new URL('chart.svg', import.meta.url);
// Not a literal path, because the types of echarts exist only where it is installed.
const DRAWING = new URL('chart.mjs', import.meta.url).href;

/** Puts results between the markers of a text. Those that stood there become those of the run before. */
export function putResults(text: string, results: string): string {
  const last = contentOf(text, 'results').replace(/^!\[.*\n\n/m, ''); // the chart is of one run
  return put(put(text, 'run before', last), 'results', results);
}

function contentOf(text: string, name: string): string {
  return text.split(`<!-- ${name} -->`)[1]?.split(`<!-- end of ${name} -->`)[0]?.trim() ?? '';
}

function put(text: string, name: string, content: string): string {
  return text.replace(
    new RegExp(`(<!-- ${name} -->)[^]*(<!-- end of ${name} -->)`),
    (_, start: string, end: string) => `${start}\n\n${content}\n\n${end}`,
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
