// doctor: looks at a database and what is around it, and says what is not well. It changes nothing.

import { styleText } from 'node:util';

import { none } from '../accounts.ts';
import type { Command } from '../command.ts';
import { needFile } from '../file.ts';
import type { Advice } from './advice.ts';

/** Looks at a database, and says what is not well. */
export const doctorCommand: Command = {
  summary: 'look at the database and say what is not well; exit 1 if something must be mended',
  options: ['database', 'json'],
  run: async (args) => {
    none(args);
    const path = needFile(args, 'see with "memory-gateway verify" whether the database is well');
    // For those who ask: a program that serves needs none of it.
    const [{ readFacts }, { readDisk }, { advise }, { describe, showFacts }] = await Promise.all([
      import('../../store/sqlite/facts.ts'),
      import('./disk.ts'),
      import('./advice.ts'),
      import('./sheet.ts'),
    ]);
    // The disk first: to look at the database makes -wal and -shm for a moment.
    const known = { ...readDisk(path), ...readFacts(path) };
    const advice = advise(known);
    return {
      text: [showFacts(known), '', ...showAdvice(advice)].join('\n'),
      json: { facts: describe(known), advice },
      exit: advice.some(({ level }) => level === 'fault') ? 1 : 0,
    };
  },
};

function showAdvice(advice: readonly Advice[]): string[] {
  if (advice.length === 0) return [`${styleText('green', '✓')} All is well.`];
  const marks = { fault: styleText('red', '✗'), hint: styleText('yellow', '!') };
  return advice.map(({ level, detail }) => `${marks[level]} ${detail}`);
}
