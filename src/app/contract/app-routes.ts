// The app's own endpoints as data: sign-in, sessions, keys, connected clients, passkeys and the password of the signed-in account.

import * as v from 'valibot';

import type { ByEndpoint, Target } from '../../contract/targets.ts';
import {
  AccountToErase,
  ClientRequest,
  Consent,
  NewKeyInput,
  NewPasskeyInput,
  Nothing,
  PageToSave,
  OneRecord,
  PasskeyLabel,
  PasswordToSet,
  Rotation,
} from './app-inputs.ts';
import { appTargets } from './app-targets.ts';
import { bookmarkRoutes } from './bookmark-routes.ts';
import { changeRoutes } from './change-routes.ts';
import { AccountEvent } from './event-records.ts';
import { importRoutes } from './import-routes.ts';
import { phraseRoutes } from './phrase-routes.ts';
import {
  AgentSetup,
  AskingClient,
  Challenge,
  DeviceAddress,
  Grant,
  Key,
  Me,
  NewKey,
  Passkey,
  ReadPath,
} from './records.ts';
import {
  asFile,
  Done,
  ofAccount,
  ofAnybody,
  ofSession,
  removal,
  TextFile,
  type RouteAtTarget,
} from './route-parts.ts';
import { signInRoutes } from './sign-in-routes.ts';

/** Where the browser goes after a decision. */
const Location = v.object({ location: v.string() });

const routes = {
  me: {
    get: {
      ...ofAccount,
      summary: 'Get the signed-in account and what the app can do',
      output: Me,
    },
    erase: {
      ...ofSession(403, 409, 422),
      summary:
        'Erase the account with everything in it for good; needs a sign-in of the last 10 minutes',
      input: AccountToErase,
      output: Done,
    },
  },
  addresses: {
    list: {
      ...ofAccount,
      summary: 'List the addresses of this machine for other devices, each tried now',
      output: v.array(DeviceAddress),
    },
  },
  ...signInRoutes,
  ...importRoutes,
  ...bookmarkRoutes,
  ...phraseRoutes,
  ...changeRoutes,
  keys: {
    list: {
      ...ofAccount,
      summary: 'List the API keys of the account, latest first',
      output: v.array(Key),
    },
    create: {
      ...ofSession(409, 422),
      summary: 'Create an API key',
      input: NewKeyInput,
      output: NewKey,
    },
    rotate: {
      ...ofSession(404, 409, 422),
      summary: 'Create a successor of a key, and end the key after a grace period',
      input: Rotation,
      output: NewKey,
    },
    revoke: { ...removal, summary: 'Revoke a key' },
    reads: {
      ...ofSession(404),
      summary: 'List the paths that a key has read in the last 30 days, latest first',
      input: OneRecord,
      output: v.array(ReadPath),
    },
  },
  grants: {
    list: {
      ...ofAccount,
      summary: 'List the OAuth clients that are connected to the account, latest first',
      output: v.array(Grant),
    },
    revoke: {
      ...removal,
      summary: 'Revoke a grant: the client cannot read any more',
    },
    reads: {
      ...ofSession(404),
      summary: 'List what a client has read since the gateway was started, latest first',
      input: OneRecord,
      output: v.array(ReadPath),
    },
  },
  consents: {
    look: {
      ...ofSession(404, 422),
      summary: 'Look at the request of an OAuth client, without deciding',
      input: ClientRequest,
      output: AskingClient,
    },
    allow: {
      ...ofSession(404, 409, 422),
      summary: 'Allow the request of an OAuth client',
      input: Consent,
      output: Location,
    },
    deny: {
      ...ofSession(404, 422),
      summary: 'Deny the request of an OAuth client',
      input: ClientRequest,
      output: Location,
    },
  },
  agents: {
    list: {
      ...ofAccount,
      summary: 'List the configurations that connect the clients of agents, without a key',
      output: v.array(AgentSetup),
    },
  },
  notes: {
    get: {
      ...asFile,
      summary:
        'Get a memory as the Markdown note that `export` writes, with the action items ticked that the owner has ticked',
    },
    captions: {
      ...asFile,
      summary: 'Get a memory as the WebVTT captions that `export` writes, if its lines have times',
    },
    page: {
      ...ofSession(404, 409, 422),
      summary: 'Get a memory, or some of its lines, as one HTML page, as plain text or as JSON',
      input: PageToSave,
      output: v.pick(TextFile, ['text']),
    },
  },
  challenges: {
    create: {
      ...ofAnybody(),
      summary: 'Create the challenge that a passkey signs, for a sign-in or a new passkey',
      input: Nothing,
      output: Challenge,
    },
  },
  passkeys: {
    list: {
      ...ofAccount,
      summary: 'List the passkeys of the account',
      output: v.array(Passkey),
    },
    create: {
      ...ofSession(409, 422),
      summary: 'Add a passkey; needs a sign-in of the last 10 minutes',
      input: NewPasskeyInput,
      output: Passkey,
    },
    relabel: {
      ...ofSession(404, 422),
      summary: 'Give a passkey another name',
      input: PasskeyLabel,
      output: Passkey,
    },
    remove: { ...removal, summary: 'Remove a passkey' },
  },
  password: {
    set: {
      ...ofSession(409, 422),
      summary: 'Set the password; needs a sign-in of the last 10 minutes',
      input: PasswordToSet,
      output: Done,
    },
    remove: {
      ...ofAccount,
      summary: 'Remove the password',
      output: Done,
    },
  },
  events: {
    list: {
      ...ofAccount,
      summary:
        'List what was done lately, such as sign-ins and changes of keys: the latest 100 of each kind, latest first',
      output: v.array(AccountEvent),
    },
  },
} as const satisfies {
  readonly [G in keyof Targets]: { readonly [N in keyof Targets[G]]: RouteAtTarget };
};

type Targets = typeof appTargets;
type Routes = typeof routes;

/** The endpoints under `/app/v1` besides the reads of `/v1`. All may also have 400, 403, 411, 413, 415, 429 and 503. */
export const appRoutes = Object.fromEntries(
  Object.entries(appTargets).map(([group, targets]) => [group, atTargets(group, targets)]),
) as {
  readonly [G in keyof Targets]: {
    readonly [N in keyof Targets[G] & keyof Routes[G]]: Targets[G][N] & Routes[G][N];
  };
};

function atTargets(group: string, targets: Readonly<Record<string, Target>>): object {
  const { [group]: ofGroup = {} }: ByEndpoint<RouteAtTarget> = routes;
  const named = Object.entries(targets);
  return Object.fromEntries(named.map(([name, at]) => [name, { ...at, ...ofGroup[name] }]));
}
