// Results as tables: one per measurement for a terminal, and few with all spreads for the README.

import { readFileSync, writeFileSync } from 'node:fs';

import { OURS } from './contestants.ts';
import type { Circumstances, Results, WorkResult } from './results.ts';
import type { Count, Measured, Spread } from './stats.ts';

const README = new URL('README.md', import.meta.url);

interface Column {
  readonly title: string;
  readonly show: (value: number) => string;
}

const number = (digits: number) => (value: number) =>
  value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
const megabytes = (bytes: number) => number(0)(bytes / 1e6);
const micros = (us: number) => number(us < 1000 ? 1 : 0)(us);

const COLUMNS: Readonly<Record<Count, Column>> = {
  cpuUs: { title: 'CPU µs', show: micros },
  perSecond: { title: 'requests/s', show: number(0) },
  memoriesPerSecond: { title: 'memories/s', show: number(0) },
  megabytesPerSecond: { title: 'MB/s', show: number(0) },
  p50Ms: { title: 'p50 ms', show: number(2) },
  p99Ms: { title: 'p99 ms', show: number(2) },
  peakBytes: { title: 'peak MB', show: megabytes },
  grownBytes: { title: 'above idle MB', show: megabytes },
  firstAnswerMs: { title: 'first answer ms', show: number(0) },
  firstAnswerCpuUs: { title: 'CPU ms', show: (us) => number(0)(us / 1000) },
  idleBytes: { title: 'idle MB', show: megabytes },
  listeningMs: { title: 'listening ms', show: number(0) },
};

/**
 * The rows of a table: a header, then one row per server. Cells have values and their ratios to the
 * baseline.
 */
export function rowsOf(work: WorkResult, spreads: 'all' | 'first'): string[][] {
  const counts = Object.keys(work.servers[0]?.summary ?? {}) as Count[];
  const head = counts.flatMap((count) => [COLUMNS[count].title, 'ratio']);
  const rows = work.servers.map(({ name, summary }, i) => [
    name,
    ...counts.flatMap((count, nth) => {
      const { value, ratio } = summary[count] as Measured;
      const withSpread = i > 0 && (spreads === 'all' || nth === 0);
      return [COLUMNS[count].show(value.median), withSpread ? spread(ratio) : plain(ratio.median)];
    }),
  ]);
  return [['', ...head], ...rows];
}

/** Formats a measurement as text for a terminal. */
export function showWork(work: WorkResult): string {
  const rows = rowsOf(work, 'first');
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join('  '),
  );
  return [
    work.title,
    `  ${showCircumstances(work.circumstances)}`,
    ...lines.map((text) => `  ${text}`),
    ...verdictsOf(work, '  '),
  ].join('\n');
}

/** Formats measurements as Markdown: one table for those that count the same, and a line for each with its targets. */
export function toMarkdown(works: readonly WorkResult[]): string {
  const alike = Map.groupBy(works, ({ servers }) => Object.keys(servers[0]?.summary ?? {}).join());
  const tables = Array.from(alike.values(), (group) => {
    const rows = group.flatMap((work) =>
      rowsOf(work, 'all').map((row, i) => [i === 1 ? `\`${work.name}\`` : '', ...row]),
    );
    const [head = []] = rows;
    const rule = head.map((_, i) => (i < 2 ? '---' : '---:'));
    const servers = rows.filter(([, server]) => server !== '');
    return [head, rule, ...servers].map(line).join('\n');
  });
  const notes = works.map((work) => {
    const said = [showCircumstances(work.circumstances), ...verdictsOf(work, '').map(sentence)];
    return `- \`${work.name}\`: ${said.join(' ')}`;
  });
  return [...tables, notes.join('\n')].join('\n\n');
}

/** Writes the results between the markers of the README. */
export function writeReadme({ date, machine, versions, floor, works }: Results): void {
  const names = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  const results = [
    '<!-- results -->',
    `The run began on ${date}, on ${machine}. Load by wrk. The bare server sends by: ${floor}.`,
    `${names.join(', ')}.`,
    toMarkdown(works),
    '<!-- end of results -->',
  ].join('\n\n');
  const text = readFileSync(README, 'utf8');
  const last = /<!-- results -->[^]*<!-- end of results -->/;
  writeFileSync(
    README,
    text.replace(last, () => results),
  );
}

function showCircumstances({ at, commit, load }: Circumstances): string {
  return `${at}, commit ${commit}, ${load}.`;
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** Formats the targets, and whether they were reached. */
function verdictsOf({ servers, targets }: WorkResult, before: string): string[] {
  const own = targets.flatMap((target) => {
    if ('timesOurs' in target) return [];
    const { title, show } = COLUMNS[target.count];
    const what =
      'least' in target
        ? `${title}, ratio at least ${plain(target.least)}`
        : 'mostOverUs' in target
          ? `${title}, at most ${show(target.mostOverUs)} more than ${servers[0]?.name}`
          : `${title}, at most ${show(target.mostBytes)}`;
    const who = target.server === OURS ? '' : `, ${target.server}`;
    return [`${what}${who}: ${verdict(target.reached)}`];
  });
  return [...own, ...behind(servers, targets)].map((text) => before + text);
}

/** Formats the distance of peers from the gateway, with and without its cache, and their targets. */
function behind(servers: WorkResult['servers'], targets: WorkResult['targets']): string[] {
  const names = { cached: 'ours, cached', uncached: 'ours, --cache 0' } as const;
  return (['uncached', 'cached'] as const).flatMap((than) => {
    const times = servers.flatMap(({ name, timesOurs }) => {
      const median = timesOurs?.[than].median ?? Number.NaN;
      return Number.isNaN(median) ? [] : [`${name} ${median.toFixed(1)}`];
    });
    if (times.length === 0) return [];
    const judged = targets.filter((target) => 'timesOurs' in target && target.than === than);
    const says = `times the CPU of ${names[than]}: ${times.join(', ')}`;
    return [says, ...verdictsOn(judged)];
  });
}

/** Formats the target for peers, if they have one. */
function verdictsOn(judged: WorkResult['targets']): string[] {
  const [first] = judged;
  if (first === undefined || !('timesOurs' in first)) return [];
  const who = first.peers?.join(', ') ?? 'all';
  const reached = verdict(judged.every((target) => target.reached));
  return [`at least ${first.timesOurs} times: ${who}: ${reached}`];
}

function verdict(reached: boolean): string {
  return reached ? 'reached' : 'not reached';
}

function plain(ratio: number): string {
  return Number.isFinite(ratio) ? ratio.toFixed(2) : '–';
}

function spread({ median, min, max }: Spread): string {
  return `${plain(median)} (${plain(min)}–${plain(max)})`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
