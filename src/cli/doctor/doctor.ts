// doctor: checks a database and its surroundings, and says what to fix. It changes nothing.

import { styleText } from 'node:util';

import { requireSqliteFile } from '../args/postgres.ts';
import type { Command } from '../command.ts';
import type { OutputStream } from '../context.ts';
import { formatMessage } from '../exit.ts';
import type { Advice } from './advice.ts';

/** Checks a database, and says what to fix. */
export const doctorCommand: Command = {
  summary: 'Check the database for problems and say what to fix',
  about:
    'Looks at permissions, the disk, the schema, accounts, keys and grants. It does not read the memories; "verify" does. Exit code 1 means that something must be fixed.',
  options: ['database', 'json'],
  overrides: { database: { value: 'FILE', help: 'SQLite file' } },
  examples: [['Check the database of a service', 'memory-gateway doctor --database mine.db']],
  run: async (args, context) => {
    const { database, file } = await requireSqliteFile(
      args,
      'run "memory-gateway verify" to check the database',
    );
    // Loaded here, because a server needs none of it.
    const [{ inspectDisk }, { advise }, { toReportJson, formatReport }] = await Promise.all([
      import('./disk.ts'),
      import('./advice.ts'),
      import('./report.ts'),
    ]);
    // The disk first: reading the database creates -wal and -shm for a moment.
    const known = { ...inspectDisk(database, file), ...file.inspect() };
    const advice = advise(known).map(({ detail, ...each }) => ({
      ...each,
      detail: formatMessage(detail, context.env),
    }));
    return {
      text: [formatReport(known), '', ...showAdvice(context.stdout, advice)].join('\n'),
      json: { facts: toReportJson(known), advice },
      exit: advice.some(({ level }) => level === 'fault') ? 1 : 0,
    };
  },
};

function showAdvice({ stream }: OutputStream, advice: readonly Advice[]): string[] {
  if (advice.length === 0) return [`${styleText('green', '✓', { stream })} No problems found.`];
  const marks = {
    fault: styleText('red', '✗', { stream }),
    hint: styleText('yellow', '!', { stream }),
  };
  return advice.map(({ level, detail }) => `${marks[level]} ${detail}`);
}
