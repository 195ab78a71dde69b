// Handlers of the password: sign in with it, set it, remove it.

import { Failure } from '../../../../contract/failure.ts';
import type { AppAccount } from '../../../../store/app/app-store.ts';
import type { AppContext } from '../../app-parts.ts';
import { DONE, type GroupOf } from '../../call.ts';
import { requireFresh } from '../../sign-in/fresh.ts';
import { checkGuesses, countWrong, forgetWrong, guessing } from '../../sign-in/guesses.ts';
import { createPasswords } from '../../sign-in/password.ts';
import { unauthorized } from '../../sign-in/reader.ts';
import { isWeakPassword, WEAK_PASSWORD } from '../../sign-in/weak-password.ts';
import type { SignInCallOf } from './sessions.ts';

const WRONG = 'The name or the password is wrong.';

/** The same on a page that asks for no name, because there is only one account. */
const WRONG_PASSWORD = 'The password is wrong.';

/** Creates the handlers of an app, which share its limit of hashes at a time. */
export function createPasswordHandlers({ gateway }: AppContext) {
  const passwords = createPasswords();

  /** The response and its time are the same for an unknown account, one without a password, and a wrong password. */
  async function signIn(call: SignInCallOf<'password'>): Promise<AppAccount> {
    const { store, request, input } = call;
    const { count, first } = await store.accounts.count();
    const isOnly = input.account === undefined && count === 1;
    const account = isOnly ? first : await store.accounts.find(input.account ?? '');
    const address = gateway.clientIp(request);
    const guess = guessing(account?.id ?? input.account ?? '', address);
    await checkGuesses(store.passwords, guess, gateway.now());
    const stored = account && (await store.passwords.get(account.id));
    const isRight = await passwords.matches(input.password, stored, address);
    if (!isRight || account === undefined) {
      await countWrong(store.passwords, guess, gateway.now());
      throw unauthorized(isOnly ? WRONG_PASSWORD : WRONG);
    }
    await forgetWrong(store.passwords, guess);
    return account;
  }

  const password: GroupOf<'password'> = {
    set: async ({ store, reader, agent, input }) => {
      const { account_id } = requireFresh(reader, gateway.now());
      const account = await store.accounts.find(account_id);
      if (isWeakPassword(input.password, account ?? { id: account_id, name: '' }))
        throw new Failure(422, WEAK_PASSWORD);
      const hash = await passwords.hash(input.password);
      await store.passwords.set({ account_id, hash, agent });
      return DONE;
    },
    remove: async ({ store, reader, agent }) => {
      await store.passwords.remove({ account_id: reader.account_id, agent });
      return DONE;
    },
  };
  return { password, signIn };
}
