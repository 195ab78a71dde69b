// Changes for the app of a test gateway: the app needs them before the gateway has a database, and they need the database.

import type { TestContext } from 'node:test';

import type { Changes } from '../../../src/app/server/changes.ts';
import { createChanges } from '../../../src/cli/serve/imports/changes.ts';
import { PROGRAM_WORDS } from '../world/program.ts';

/** What changes need before there is a database. */
export interface LaterChangesOptions {
  /** Default: true. */
  readonly hasBin?: boolean;
  /** The words that start the program. */
  readonly program?: readonly string[];
}

/** Creates changes that wait for `open`. They are closed when the test ends. `said` gets their warnings. */
export function createLaterChanges(
  t: TestContext,
  { hasBin = true, program = PROGRAM_WORDS }: LaterChangesOptions = {},
) {
  const ready = Promise.withResolvers<Changes>();
  const said: object[] = [];
  const changes: Changes = {
    binDays: hasBin ? 30 : 0,
    make: async (change, check) => (await ready.promise).make(change, check),
  };
  const open = (database: string) => {
    const context = { env: { ...process.env }, program };
    const opened = createChanges({
      context,
      database,
      hasBin,
      warn: (fields) => said.push(fields),
    });
    t.after(() => opened.close());
    ready.resolve(opened);
  };
  return { changes, said, open };
}
