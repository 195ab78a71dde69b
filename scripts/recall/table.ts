// Formats the figures of a recall run for people.

import { BUDGETS, RANKS, type Figures } from './measure.ts';

/** Formats figures as a table. */
export function formatFigures(figures: Figures): string {
  const { questions, memory, gold, goldWithin, medianMs, p95Ms } = figures;
  return [
    `${questions} questions, shares in percent`,
    '',
    row('Right memory among the first', RANKS),
    row('', memory),
    '',
    row('Lines with the answer, within characters', BUDGETS),
    row('in all memories', gold),
    row('in the right memory', goldWithin),
    '',
    `Time of a question: median ${medianMs} ms, 95th percentile ${p95Ms} ms`,
  ].join('\n');
}

function row(what: string, values: readonly (string | number)[]): string {
  return what.padEnd(44) + values.map((value) => String(value).padStart(8)).join('');
}
