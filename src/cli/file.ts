// Databases among the options: where only a file will do, and what has no place among the arguments.

import { hasPassword, isPostgres } from '../store/address.ts';
import { Mistake, type Args } from './args.ts';

/** The file that a command works on. Fails with `Mistake` on the address of a server, and says what is done there. */
export function needFile(args: Args, there: string): string {
  const database = args.need('database');
  if (!isPostgres(database)) return database;
  throw new Mistake(`This command is for a file of SQLite; for PostgreSQL, ${there}.`);
}

/** Fails with `Mistake` where there is a key or a password among the arguments, which every user of the machine can read. */
export function refuseSecrets(argv: readonly string[]): void {
  if (argv.some((word) => /mem_[0-9A-Za-z]{40}/i.test(word)))
    throw new Mistake(
      'A key has no place among the arguments; "keys check" reads one from its input.',
    );
  if (argv.some((word) => hasPassword(word.replace(/^--?[\w-]+=/, ''))))
    throw new Mistake(
      'A password has no place among the arguments; give it by PGPASSWORD, in ~/.pgpass, or with the whole address by MEMORY_GATEWAY_DATABASE.',
    );
}
