// npm run fuzz: sends almost valid and invalid requests to the program.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { UsageError, parseStrictly } from '../../src/cli/args/parse.ts';
import { runToExit } from '../../src/cli/exit.ts';
import { print } from '../../src/cli/output/print.ts';
import { withProgress } from '../../src/cli/output/progress.ts';
import { processContext } from '../../src/cli/process.ts';
import { fuzz, type Figures, type Finding, type Outcome } from './fuzz.ts';

const HELP = `Sends requests made at random out of good ones, and judges every answer.

Usage: npm run fuzz -- [OPTIONS]

  --minutes N  for how long (else 1); 0.5 is half a minute
  --seed N     a whole number; the same one makes the same requests (else a new one)
  --path P     one script of that seed alone, as a failure names it
  --json       print what came of it as JSON and nothing else
  --help       show this

Exit codes: 0 nothing was found; 1 something was; 2 called wrongly.
`;

const word = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const options = { minutes: word, seed: word, path: word, json: flag, help: flag };

process.exitCode = await runToExit('fuzz', processContext, async () => {
  const { values } = parseStrictly({ options });
  if (values.help) {
    print(processContext.stdout, HELP.trimEnd());
    return 0;
  }
  const { path, json: isJson = false } = values;
  const seed = readNumber('seed', values.seed ?? String(Date.now() % 1e9), /^\d{1,9}$/);
  const minutes = readNumber('minutes', values.minutes ?? '1', /^\d{1,5}(\.\d{1,4})?$/);
  if (!isJson) print(processContext.stdout, `seed ${seed}`);
  const folder = mkdtempSync(join(tmpdir(), 'memory-gateway-fuzz-'));
  const counted = { total: Math.ceil(minutes * 60), unit: 'seconds' };
  try {
    const outcome = await withProgress(processContext, counted, (progress) =>
      fuzz({
        seed,
        path,
        minutes,
        database: join(folder, 'fuzz.db'),
        hear: ({ seconds, requests }) => progress.to(Math.floor(seconds), `${requests} requests`),
      }),
    );
    print(processContext.stdout, isJson ? JSON.stringify({ seed, ...outcome }) : show(outcome));
    return outcome.findings.length === 0 && outcome.server === undefined ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
});

function readNumber(name: string, text: string, grammar: RegExp): number {
  if (grammar.test(text)) return Number(text);
  throw new UsageError(`--${name} takes a number, not "${text}".`);
}

function show({ figures, findings, server }: Outcome): string {
  const lines = findings.map(showFinding);
  if (server !== undefined) lines.push(`THE SERVER: ${server}`);
  if (lines.length === 0) lines.push('no findings');
  return [showFigures(figures), ...lines].join('\n');
}

function showFigures({ seconds, connections, requests, answers, before, after }: Figures): string {
  const statuses = Object.entries(answers).map(([status, count]) => `${status}: ${count}`);
  const pace = Math.round(requests / seconds);
  return [
    `${requests} requests on ${connections} connections in ${seconds.toFixed(1)} s, ${pace} a second`,
    `responses by status: ${statuses.join(', ')}`,
    `the server holds ${after.megabytes} MB and ${after.descriptors} descriptors, at the beginning ${before.megabytes} MB and ${before.descriptors}`,
  ].join('\n');
}

function showFinding({ kind, facts, series, script }: Finding): string {
  const bytes = script.parts.map((part) => part.bytes).join('');
  return [
    `FOUND: ${kind}`,
    `  it came: ${facts}`,
    `  smallest: ${toLiteral(bytes)}`,
    `  cuts: ${script.cuts.join(', ') || 'none'}; ending: ${script.ending}`,
    `  reproduce: npm run fuzz -- --seed ${series?.seed ?? 0} --path ${series?.path ?? 0}`,
  ].join('\n');
}

/** Formats bytes as a literal to paste. Long runs of a character become `repeat` calls. */
function toLiteral(bytes: string): string {
  return JSON.stringify(bytes)
    .replaceAll(/[\x7F-\xFF]/g, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`)
    .replaceAll(
      /([^\\])\1{99,}/g,
      (run, char: string) => `" + ${JSON.stringify(char)}.repeat(${run.length}) + "`,
    );
}
