// The app's own endpoints as data: sign-in, sessions, keys, connected clients, passkeys and the password of the signed-in account.

import * as v from 'valibot';

import type { Contract } from '../../contract/route.ts';
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
import { importRoutes } from './import-routes.ts';
import {
  AccountEvent,
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
import { asFile, Done, ofAccount, removal, TextFile } from './route-parts.ts';
import { shareRoutes } from './share-routes.ts';
import { signInRoutes } from './sign-in-routes.ts';
import { sourceRoutes } from './source-routes.ts';

/** Where the browser goes after a decision. */
const Location = v.object({ location: v.string() });

/** The endpoints under `/app/v1` besides the reads of `/v1`. All may also have 400, 403, 411, 413, 415, 429 and 503. */
export const appRoutes = {
  me: {
    get: {
      ...appTargets.me.get,
      ...ofAccount,
      summary: 'Get the signed-in account and what the app can do',
      output: Me,
    },
    erase: {
      ...appTargets.me.erase,
      auth: 'session',
      summary:
        'Erase the account with everything in it for good; needs a sign-in of the last 10 minutes',
      input: AccountToErase,
      output: Done,
      failures: [401, 403, 409, 422],
    },
  },
  addresses: {
    list: {
      ...appTargets.addresses.list,
      ...ofAccount,
      summary: 'List the addresses of this machine for other devices, each tried now',
      output: v.array(DeviceAddress),
    },
  },
  ...signInRoutes,
  ...importRoutes,
  ...sourceRoutes,
  ...shareRoutes,
  ...bookmarkRoutes,
  ...changeRoutes,
  keys: {
    list: {
      ...appTargets.keys.list,
      ...ofAccount,
      summary: 'List the API keys of the account, latest first',
      output: v.array(Key),
    },
    create: {
      ...appTargets.keys.create,
      auth: 'session',
      summary: 'Create an API key',
      input: NewKeyInput,
      output: NewKey,
      failures: [401, 409, 422],
    },
    rotate: {
      ...appTargets.keys.rotate,
      auth: 'session',
      summary: 'Create a successor of a key, and end the key after a grace period',
      input: Rotation,
      output: NewKey,
      failures: [401, 404, 409, 422],
    },
    revoke: { ...appTargets.keys.revoke, ...removal, summary: 'Revoke a key' },
    reads: {
      ...appTargets.keys.reads,
      auth: 'session',
      summary: 'List the paths that a key has read in the last 30 days, latest first',
      input: OneRecord,
      output: v.array(ReadPath),
      failures: [401, 404],
    },
  },
  grants: {
    list: {
      ...appTargets.grants.list,
      ...ofAccount,
      summary: 'List the OAuth clients that are connected to the account, latest first',
      output: v.array(Grant),
    },
    revoke: {
      ...appTargets.grants.revoke,
      ...removal,
      summary: 'Revoke a grant: the client cannot read any more',
    },
    reads: {
      ...appTargets.grants.reads,
      auth: 'session',
      summary: 'List what a client has read since the gateway was started, latest first',
      input: OneRecord,
      output: v.array(ReadPath),
      failures: [401, 404],
    },
  },
  consents: {
    look: {
      ...appTargets.consents.look,
      auth: 'session',
      summary: 'Look at the request of an OAuth client, without deciding',
      input: ClientRequest,
      output: AskingClient,
      failures: [401, 404, 422],
    },
    allow: {
      ...appTargets.consents.allow,
      auth: 'session',
      summary: 'Allow the request of an OAuth client',
      input: Consent,
      output: Location,
      failures: [401, 404, 409, 422],
    },
    deny: {
      ...appTargets.consents.deny,
      auth: 'session',
      summary: 'Deny the request of an OAuth client',
      input: ClientRequest,
      output: Location,
      failures: [401, 404, 422],
    },
  },
  agents: {
    list: {
      ...appTargets.agents.list,
      ...ofAccount,
      summary: 'List the configurations that connect the clients of agents, without a key',
      output: v.array(AgentSetup),
    },
  },
  notes: {
    get: {
      ...appTargets.notes.get,
      ...asFile,
      summary: 'Get a memory as the Markdown note that `export` writes',
    },
    captions: {
      ...appTargets.notes.captions,
      ...asFile,
      summary: 'Get a memory as the WebVTT captions that `export` writes, if its lines have times',
    },
    page: {
      ...appTargets.notes.page,
      ...asFile,
      summary: 'Get a memory, or some of its lines, as one HTML page',
      input: PageToSave,
      output: v.pick(TextFile, ['text']),
    },
  },
  challenges: {
    create: {
      ...appTargets.challenges.create,
      auth: 'public',
      summary: 'Create the challenge that a passkey signs, for a sign-in or a new passkey',
      input: Nothing,
      output: Challenge,
      failures: [],
    },
  },
  passkeys: {
    list: {
      ...appTargets.passkeys.list,
      ...ofAccount,
      summary: 'List the passkeys of the account',
      output: v.array(Passkey),
    },
    create: {
      ...appTargets.passkeys.create,
      auth: 'session',
      summary: 'Add a passkey; needs a sign-in of the last 10 minutes',
      input: NewPasskeyInput,
      output: Passkey,
      failures: [401, 409, 422],
    },
    relabel: {
      ...appTargets.passkeys.relabel,
      auth: 'session',
      summary: 'Give a passkey another name',
      input: PasskeyLabel,
      output: Passkey,
      failures: [401, 404, 422],
    },
    remove: { ...appTargets.passkeys.remove, ...removal, summary: 'Remove a passkey' },
  },
  password: {
    set: {
      ...appTargets.password.set,
      auth: 'session',
      summary: 'Set the password; needs a sign-in of the last 10 minutes',
      input: PasswordToSet,
      output: Done,
      failures: [401, 409, 422],
    },
    remove: {
      ...appTargets.password.remove,
      ...ofAccount,
      summary: 'Remove the password',
      output: Done,
    },
  },
  events: {
    list: {
      ...appTargets.events.list,
      ...ofAccount,
      summary:
        'List what was done lately, such as sign-ins and changes of keys: the latest 100 of each kind, latest first',
      output: v.array(AccountEvent),
    },
  },
} as const satisfies Contract;
