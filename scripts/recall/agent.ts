// Asks the questions of a recall set through the tool search of agents, and counts what its responses show.

import { sentBytes } from '../../src/agents/budget.ts';
import { callTool, tools } from '../../src/agents/tools/tools.ts';
import type { Api } from '../../src/contract/api.ts';
import { BYTES_PER_TOKEN } from '../../src/contract/schemas/parameters.ts';
import { goldLines, type Gold, type RecallSet } from './recall-set.ts';

/** Budgets in tokens. The first one is the default of the tool. */
const BUDGETS = [2000, 4000, 8000] as const;

/** What responses with a budget show: averages of all questions. */
export interface AgentFigures {
  readonly max_tokens: number;
  /** The share of the lines with the answer, in percent. */
  readonly gold: number;
  /** How many passages a response has. */
  readonly results: number;
  /** The tokens of a response as it is sent. */
  readonly tokens: number;
}

/** Asks all questions with each budget. */
export async function measureAgent(api: Api, { questions }: RecallSet): Promise<AgentFigures[]> {
  const figures: AgentFigures[] = [];
  for (const max_tokens of BUDGETS) {
    let [gold, results, tokens] = [0, 0, 0];
    for (const question of questions) {
      const text = await search(api, { query: question.q, max_tokens });
      const shown = shownLines(text);
      gold += shareOf(question.gold, shown.lines);
      results += shown.results;
      tokens += sentBytes(text) / BYTES_PER_TOKEN;
    }
    const average = (sum: number) => Math.round((10 * sum) / questions.length) / 10;
    figures.push({
      max_tokens,
      gold: average(100 * gold),
      results: average(results),
      tokens: average(tokens),
    });
  }
  return figures;
}

async function search(api: Api, args: object): Promise<string> {
  const [tool] = tools;
  if (tool === undefined) throw new TypeError('There are no tools.');
  const context = { api, now: Date.now(), timezone: 'UTC' };
  const { content, isError } = await callTool({ tool, args: { ...args } }, context, (error) => {
    throw error;
  });
  const text = content[0]?.text ?? '';
  if (isError === true) throw new TypeError(text);
  return text;
}

/** Returns the lines that a text shows, as `ID LINE`, and how many passages: lines that follow each other are one. */
function shownLines(text: string): { lines: ReadonlySet<string>; results: number } {
  const lines = new Set<string>();
  let [memory_id, results, last] = ['', 0, 0];
  for (const line of text.split('\n')) {
    const [, id] = /^(\S+?)(?:#L\d+(?:-L\d+)?)? · \w{3} \d{4}-/.exec(line) ?? [];
    const [, number] = /^L(\d+): /.exec(line) ?? [];
    if (id !== undefined) [memory_id, last] = [id, 0];
    if (number === undefined) continue;
    if (last === 0 || Number(number) > last + 1) results++;
    last = Number(number);
    lines.add(`${memory_id} ${number}`);
  }
  return { lines, results };
}

function shareOf(gold: Gold, shown: ReadonlySet<string>): number {
  const wanted = goldLines(gold);
  return wanted.intersection(shown).size / wanted.size;
}
