// npm run fuzz: sends almost valid and invalid requests to the program.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { UsageError, parseStrictly } from '../../src/cli/args/parse.ts';
import { runToExit } from '../../src/cli/exit.ts';
import { print } from '../../src/cli/output/print.ts';
import { withProgress } from '../../src/cli/output/progress.ts';
import { processContext } from '../../src/cli/process.ts';
import { showFigures } from './figures.ts';
import { fuzz, type Finding, type Outcome } from './fuzz.ts';

const HELP = `Sends requests made at random out of good ones, and judges every answer.

Usage: npm run fuzz -- [OPTIONS]

  --minutes N  for how long (else 1); 0.5 is half a minute
  --seed S     any word; the same word makes the same requests, in the same order (else a new one)
  --only N     script number N of that seed alone, as a failure names it
  --json       print what came of it as JSON and nothing else
  --help       show this

Exit codes: 0 nothing was found; 1 something was; 2 called wrongly.
`;

const word = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const options = { minutes: word, seed: word, only: word, json: flag, help: flag };

process.exitCode = await runToExit('fuzz', processContext, async () => {
  const { values } = parseStrictly({ options });
  if (values.help) {
    print(processContext.stdout, HELP.trimEnd());
    return 0;
  }
  const { seed = String(Date.now()), json: isJson = false } = values;
  const minutes = readNumber('minutes', values.minutes ?? '1', /^\d{1,5}(\.\d{1,4})?$/);
  const only = values.only === undefined ? undefined : readNumber('only', values.only, /^\d{1,9}$/);
  if (!isJson) print(processContext.stdout, `seed ${seed}`);
  const outcome = await fuzzAnew({ seed, minutes, only });
  print(processContext.stdout, isJson ? JSON.stringify({ seed, ...outcome }) : show(seed, outcome));
  return outcome.findings.length === 0 && outcome.server === undefined ? 0 : 1;
});

function readNumber(name: string, text: string, grammar: RegExp): number {
  if (grammar.test(text)) return Number(text);
  throw new UsageError(`--${name} takes a number, not "${text}".`);
}

interface Wanted {
  readonly seed: string;
  readonly minutes: number;
  readonly only: number | undefined;
}

async function fuzzAnew(wanted: Wanted): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'memory-gateway-fuzz-'));
  const counted = { total: Math.ceil(wanted.minutes * 60), unit: 'seconds' };
  try {
    return await withProgress(processContext, counted, (progress) =>
      fuzz({
        ...wanted,
        database: join(folder, 'fuzz.db'),
        hear: ({ seconds, requests }) => progress.to(Math.floor(seconds), `${requests} requests`),
      }),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function show(seed: string, { figures, findings, server }: Outcome): string {
  const lines = findings.map((finding) => showFinding(seed, finding));
  if (server !== undefined) lines.push(`THE SERVER: ${server}`);
  if (lines.length === 0) lines.push('no findings');
  return [showFigures(figures), ...lines].join('\n');
}

function showFinding(seed: string, { kind, facts, number, script, isShrunk }: Finding): string {
  const bytes = script.parts.map((part) => part.bytes).join('');
  return [
    `FOUND: ${kind}`,
    `  it came: ${facts}`,
    `  ${isShrunk ? 'smallest' : 'not reproduced, original'}: ${toLiteral(bytes)}`,
    `  cuts: ${script.cuts.join(', ') || 'none'}; ending: ${script.ending}`,
    `  reproduce: npm run fuzz -- --seed ${seed} --only ${Math.max(number, 0)}`,
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
