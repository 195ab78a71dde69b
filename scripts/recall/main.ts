// npm run recall: asks /v1/search the questions of a file over HTTP, and prints how much of the evidence it returns.

import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

import { UsageError } from '../../src/cli/args/parse.ts';
import { flag, readWhole, runScript, say, word } from '../command.ts';
import { measureAgent, type AgentFigures } from './agent.ts';
import { measureFirstStage, TIERS, type FirstStage } from './first-stage.ts';
import { ALL_WITHIN, BUDGETS, measure, RANKS, type Figures, type Shares } from './measure.ts';
import { pool } from './pool.ts';
import { readRecallSet } from './recall-set.ts';
import { withRecallServer } from './server.ts';

const HELP = `Measures how much of the evidence for questions a search returns.

Usage: npm run recall -- FILE [OPTIONS]

FILE is JSON, which may be compressed with gzip:
{"memories": [...], "questions": [{"q": "...", "gold": [["MEMORY_ID", 1, 3]], "category": "..."}]}

  --database ADDRESS  an empty PostgreSQL database (else a new SQLite file, which is removed)
  --every N           ask only every Nth question
  --half NAME         even or odd: of these, ask every second one, to choose on one half and confirm on the other
  --pool N            add the fixtures and generated memories, until there are N
  --random SEED       number that determines the generated memories [default: 1]
  --embeddings URL    search by meaning as well, with this endpoint and --embeddings-model NAME
  --first-stage       measure only whether the right memory is among the candidates
  --agent             ask with the tool search of agents, and print what its responses show
  --json              print the figures as JSON and nothing else
  --help              show this
`;

const options = {
  database: word,
  every: word,
  half: word,
  pool: word,
  random: word,
  embeddings: word,
  'embeddings-model': word,
  'first-stage': flag,
  agent: flag,
  json: flag,
};

const script = { name: 'recall', help: HELP, options, allowPositionals: true };

await runScript(script, async ({ values, positionals }) => {
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw new UsageError('Give one FILE; see --help.');
  const some = { fallback: 1, least: 1, most: 1e8 };
  const every = readWhole('every', values.every, some);
  const seed = readWhole('random', values.random, some);
  const size = readWhole('pool', values.pool, { ...some, fallback: 0 });
  const half = ['even', 'odd'].indexOf(values.half ?? 'even');
  if (half < 0) throw new UsageError('--half takes even or odd.');
  const bytes = readFileSync(file);
  const isCompressed = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const given = readRecallSet((isCompressed ? gunzipSync(bytes) : bytes).toString());
  const set = size === 0 ? given : pool(given, size, seed);
  const few = set.questions.filter((_, i) => i % every === 0);
  const questions = values.half === undefined ? few : few.filter((_, i) => i % 2 === half);
  const asked = { ...set, questions };
  const isFirst = values['first-stage'] === true;
  const { database: address, embeddings: url, 'embeddings-model': model = '' } = values;
  const where = { address, embeddings: url === undefined ? undefined : { url, model } };
  const text = await withRecallServer(set.memories, where, async (server, database) => {
    if (values.agent === true) return show(await measureAgent(server, asked), formatAgentFigures);
    if (!isFirst) return show(await measure(server, asked), formatFigures);
    return show(await measureFirstStage(database, asked), formatFirstStage);
  });
  say(text);

  function show<T>(figures: T, format: (figures: T) => string): string {
    return values.json === true ? JSON.stringify(figures) : format(figures);
  }
});

/** Formats the figures of agents as a table. */
function formatAgentFigures(figures: readonly AgentFigures[]): string {
  const rows = [
    ['Budget of a response, in tokens', 'max_tokens'],
    ['Lines with the answer, in percent', 'gold'],
    ['Passages of a response', 'results'],
    ['Tokens of a response', 'tokens'],
  ] as const;
  const lines = rows.map(([what, field]) => {
    const values = figures.map((each) => each[field]);
    return row(what, values);
  });
  return lines.join('\n');
}

function formatFirstStage({ any, all }: FirstStage): string {
  return [
    row('Among the candidates, in groups of about 100', TIERS),
    row('a right memory', any),
    row('all right memories', all),
  ].join('\n');
}

/** Formats figures as tables. */
function formatFigures({ categories = {}, medianMs, p95Ms, ...all }: Figures): string {
  return [
    ...formatShares('All', all),
    ...Object.entries(categories).flatMap(([name, shares]) => formatShares(name, shares)),
    `Time of a question: median ${medianMs} ms, 95th percentile ${p95Ms} ms`,
  ].join('\n');
}

function formatShares(name: string, shares: Shares): string[] {
  const { questions, memory, allMemories, gold, goldWithin } = shares;
  return [
    `${name}: ${questions} questions, shares in percent`,
    '',
    row('Right memory among the first', RANKS),
    row('', memory),
    row(`All right memories among the first ${ALL_WITHIN}`, [allMemories]),
    '',
    row('Lines with the answer, within characters', BUDGETS),
    row('in all memories', gold),
    row('in the right memory', goldWithin),
    '',
  ];
}

function row(what: string, values: readonly (string | number)[]): string {
  return what.padEnd(44) + values.map((value) => String(value).padStart(8)).join('');
}
