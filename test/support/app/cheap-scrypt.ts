// Makes scrypt cheap in this process, because tests hash a hundred passwords, and each takes a third of a second at full cost.

import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import type { TestContext } from 'node:test';

const { scrypt } = crypto;

/** Hashes with a thousandth of the rounds. The program cannot tell, and stores the cost that it asked for. */
const cheapScrypt = ((password, salt, length, options, done) =>
  scrypt(password, salt, length, { ...options, N: 32 }, done)) as typeof scrypt;

function use(next: typeof scrypt): void {
  crypto.scrypt = next;
  syncBuiltinESMExports();
}

use(cheapScrypt);

/** Hashes at full cost until the test ends. */
export function hashAtFullCost(t: TestContext): void {
  use(scrypt);
  t.after(() => use(cheapScrypt));
}
