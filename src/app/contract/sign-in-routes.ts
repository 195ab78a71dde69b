// The app's endpoints for getting in, as data: the first visit, sign-in links and sessions.

import * as v from 'valibot';

import type { Contract } from '../../contract/route.ts';
import { Timestamp } from '../../contract/schemas/memory.ts';
import { ClaimToTake, LinkToCreate, Nothing, OpenedLink, SignIn } from './app-inputs.ts';
import { appTargets } from './app-targets.ts';
import { LinkSecret, NewLink, SessionEntry, Ways } from './records.ts';
import { Done, ofAccount, removal } from './route-parts.ts';

/** The endpoints of sign-in. */
export const signInRoutes = {
  ways: {
    get: {
      ...appTargets.ways.get,
      auth: 'public',
      summary: 'Get the ways to sign in',
      input: Nothing,
      output: Ways,
      failures: [],
    },
  },
  claims: {
    look: {
      ...appTargets.claims.look,
      auth: 'public',
      summary: 'Check the link of the first visit without using it',
      input: OpenedLink,
      output: Done,
      failures: [401, 422],
    },
    create: {
      ...appTargets.claims.create,
      auth: 'public',
      summary: 'Name the first account, and get the secret of a sign-in link for it',
      input: ClaimToTake,
      output: v.object({ secret: LinkSecret }),
      failures: [401, 422],
    },
  },
  links: {
    create: {
      ...appTargets.links.create,
      auth: 'session',
      summary: 'Create a sign-in link for another device',
      input: LinkToCreate,
      output: NewLink,
      failures: [401, 409, 422],
    },
    look: {
      ...appTargets.links.look,
      auth: 'public',
      summary: 'Get the name of the account that a sign-in link is for, without using it',
      input: OpenedLink,
      output: v.object({ name: v.string(), expires_at: Timestamp }),
      failures: [401, 422],
    },
  },
  sessions: {
    create: {
      ...appTargets.sessions.create,
      auth: 'public',
      summary: 'Sign in',
      input: SignIn,
      output: Done,
      failures: [401, 422],
    },
    list: {
      ...appTargets.sessions.list,
      ...ofAccount,
      summary: 'List the sessions of the account, latest first',
      output: v.array(SessionEntry),
    },
    end: { ...appTargets.sessions.end, ...removal, summary: 'End a session; "current" signs out' },
    endOthers: {
      ...appTargets.sessions.endOthers,
      ...ofAccount,
      summary: 'End all other sessions',
      output: Done,
    },
  },
} as const satisfies Contract;
