// Puts the app's store together, on the transactions of an engine.

import type { AppAccess } from './access.ts';
import { appAccounts, eventStore } from './accounts.ts';
import { appKeyStore } from './app-keys.ts';
import type { AppStore } from './app-store.ts';
import { binStore } from './bin.ts';
import { bookmarkStore } from './bookmarks.ts';
import { grantTokenStore } from './connect/grant-tokens.ts';
import { grantStore } from './connect/grants.ts';
import { oauthClientStore } from './connect/oauth-clients.ts';
import { editStore } from './edits.ts';
import { peopleStore } from './people.ts';
import { pullStore } from './pulls.ts';
import { searchStore } from './searches.ts';
import { shareStore } from './shares.ts';
import { challengeStore, linkStore } from './sign-in/links.ts';
import { passkeyStore } from './sign-in/passkeys.ts';
import { passwordStore } from './sign-in/passwords.ts';
import { sessionStore } from './sign-in/sessions.ts';

/** Creates the app's store on the transactions of an engine. */
export function createAppStore(
  access: AppAccess,
  ends: Pick<AppStore, 'canWrite' | 'close'>,
): AppStore {
  return {
    sessions: sessionStore(access),
    links: linkStore(access),
    challenges: challengeStore(access),
    passkeys: passkeyStore(access),
    passwords: passwordStore(access),
    keys: appKeyStore(access),
    grants: grantStore(access),
    grantTokens: grantTokenStore(access),
    oauthClients: oauthClientStore(access),
    pulls: pullStore(access),
    shares: shareStore(access),
    bookmarks: bookmarkStore(access),
    searches: searchStore(access),
    people: peopleStore(access),
    accounts: appAccounts(access),
    events: eventStore(access),
    bin: binStore(access),
    edits: editStore(access),
    ...ends,
  };
}
