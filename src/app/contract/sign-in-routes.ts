// The app's endpoints for getting in, as data: the first visit, sign-in links and sessions.

import * as v from 'valibot';

import { Timestamp } from '../../contract/schemas/memory.ts';
import type { ByEndpoint } from '../../contract/targets.ts';
import { ClaimToTake, LinkToCreate, Nothing, OpenedLink, SignIn } from './app-inputs.ts';
import { LinkSecret, NewLink, SessionEntry, Ways } from './records.ts';
import {
  Done,
  ofAccount,
  ofAnybody,
  ofSession,
  removal,
  type RouteAtTarget,
} from './route-parts.ts';

/** The endpoints of sign-in. */
export const signInRoutes = {
  ways: {
    get: {
      ...ofAnybody(),
      summary: 'Get the ways to sign in',
      input: Nothing,
      output: Ways,
    },
  },
  claims: {
    look: {
      ...ofAnybody(401, 422),
      summary: 'Check the link of the first visit without using it',
      input: OpenedLink,
      output: Done,
    },
    create: {
      ...ofAnybody(401, 422),
      summary: 'Name the first account, and get the secret of a sign-in link for it',
      input: ClaimToTake,
      output: v.object({ secret: LinkSecret }),
    },
  },
  links: {
    create: {
      ...ofSession(409, 422),
      summary: 'Create a sign-in link for another device',
      input: LinkToCreate,
      output: NewLink,
    },
    look: {
      ...ofAnybody(401, 422),
      summary: 'Get the name of the account that a sign-in link is for, without using it',
      input: OpenedLink,
      output: v.object({
        name: v.string(),
        expires_at: Timestamp,
        /** Whether the account has neither a passkey nor a password, and one can be added after signing in by this link. */
        can_add_way: v.boolean(),
      }),
    },
  },
  sessions: {
    create: {
      ...ofAnybody(401, 422),
      summary: 'Sign in',
      input: SignIn,
      output: Done,
    },
    list: {
      ...ofAccount,
      summary: 'List the sessions of the account, latest first',
      output: v.array(SessionEntry),
    },
    end: { ...removal, summary: 'End a session; "current" signs out' },
    endOthers: {
      ...ofAccount,
      summary: 'End all other sessions',
      output: Done,
    },
  },
} as const satisfies ByEndpoint<RouteAtTarget>;
