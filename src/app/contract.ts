// The app's own endpoints as data: sign-in, sessions, keys, passkeys and the password of the signed-in account.

import * as v from 'valibot';

import { Label } from '../contract/label.ts';
import { MemoryId, Timestamp } from '../contract/memory.ts';
import { grantRoutes } from './grant-routes.ts';
import { keyRoutes } from './key-routes.ts';
import {
  AccountEvent,
  AgentSetup,
  Challenge,
  LinkSecret,
  Me,
  NewLink,
  NewPasskey,
  Passkey,
  Password,
  RecordId,
  Session,
  SignIn,
  SignInPage,
  Ways,
} from './records.ts';
import type { AppRoute } from './route.ts';

export type { AppRoute };

const nothing = v.strictObject({});
const Done = v.null();

/** The endpoints under `/app/v1` besides the reads of `/v1`. */
export const appRoutes = {
  me: {
    get: {
      method: 'GET',
      path: '/app/v1/me',
      summary: 'Get the signed-in account and what the app can do',
      input: nothing,
      output: Me,
      failures: [401],
    },
  },
  ways: {
    get: {
      method: 'GET',
      path: '/app/v1/ways',
      summary: 'Get the ways to sign in',
      input: nothing,
      output: Ways,
      isPublic: true,
      failures: [],
    },
  },
  links: {
    create: {
      method: 'POST',
      path: '/app/v1/links',
      summary: 'Create a sign-in link for another device',
      input: v.strictObject({ page: v.optional(SignInPage) }),
      output: NewLink,
      failures: [401, 409, 422],
    },
    look: {
      method: 'POST',
      path: '/app/v1/links/look',
      summary: 'Get the name of the account that a sign-in link is for, without using it',
      input: v.strictObject({ secret: LinkSecret }),
      output: v.object({ name: v.string(), expires_at: Timestamp }),
      isPublic: true,
      failures: [401, 422],
    },
  },
  sessions: {
    create: {
      method: 'POST',
      path: '/app/v1/sessions',
      summary: 'Sign in',
      input: SignIn,
      output: Done,
      isPublic: true,
      failures: [401, 422],
    },
    list: {
      method: 'GET',
      path: '/app/v1/sessions',
      summary: 'List the sessions of the account, latest first',
      input: nothing,
      output: v.array(Session),
      failures: [401],
    },
    end: {
      method: 'DELETE',
      path: '/app/v1/sessions/{id}',
      summary: 'End a session; "current" signs out',
      input: v.strictObject({ id: RecordId }),
      output: Done,
      failures: [401, 404],
    },
    endOthers: {
      method: 'DELETE',
      path: '/app/v1/sessions',
      summary: 'End all other sessions',
      input: nothing,
      output: Done,
      failures: [401],
    },
  },
  ...keyRoutes,
  ...grantRoutes,
  agents: {
    list: {
      method: 'GET',
      path: '/app/v1/agents',
      summary: 'List the configurations that connect the clients of agents, without a key',
      input: nothing,
      output: v.array(AgentSetup),
      failures: [401],
    },
  },
  notes: {
    get: {
      method: 'GET',
      path: '/app/v1/memories/{id}/markdown',
      summary: 'Get a memory as the Markdown note that `export` writes',
      input: v.strictObject({ id: MemoryId }),
      /** The name of the file, and its text. */
      output: v.object({ name: v.string(), text: v.string() }),
      failures: [401, 404, 422],
    },
  },
  challenges: {
    create: {
      method: 'POST',
      path: '/app/v1/challenges',
      summary: 'Create the challenge that a passkey signs, for a sign-in or a new passkey',
      input: nothing,
      output: Challenge,
      isPublic: true,
      failures: [],
    },
  },
  passkeys: {
    list: {
      method: 'GET',
      path: '/app/v1/passkeys',
      summary: 'List the passkeys of the account',
      input: nothing,
      output: v.array(Passkey),
      failures: [401],
    },
    create: {
      method: 'POST',
      path: '/app/v1/passkeys',
      summary: 'Add a passkey; needs a sign-in of the last 10 minutes',
      input: NewPasskey,
      output: Passkey,
      failures: [401, 409, 422],
    },
    relabel: {
      method: 'POST',
      path: '/app/v1/passkeys/{id}',
      summary: 'Give a passkey another name',
      input: v.strictObject({ id: RecordId, label: Label }),
      output: Passkey,
      failures: [401, 404, 422],
    },
    remove: {
      method: 'DELETE',
      path: '/app/v1/passkeys/{id}',
      summary: 'Remove a passkey',
      input: v.strictObject({ id: RecordId }),
      output: Done,
      failures: [401, 404],
    },
  },
  password: {
    set: {
      method: 'POST',
      path: '/app/v1/password',
      summary: 'Set the password; needs a sign-in of the last 10 minutes',
      input: v.strictObject({ password: Password }),
      output: Done,
      failures: [401, 409, 422],
    },
    remove: {
      method: 'DELETE',
      path: '/app/v1/password',
      summary: 'Remove the password',
      input: nothing,
      output: Done,
      failures: [401],
    },
  },
  events: {
    list: {
      method: 'GET',
      path: '/app/v1/events',
      summary: 'List the latest 100 sign-ins and changes of keys, latest first',
      input: nothing,
      output: v.array(AccountEvent),
      failures: [401],
    },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, AppRoute>>>>;
