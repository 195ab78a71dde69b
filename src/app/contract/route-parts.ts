// What several of the app's endpoints have in common.

import * as v from 'valibot';

import type { Route } from '../../contract/route.ts';
import type { Target } from '../../contract/targets.ts';
import { Nothing, OneMemoryInput, OneRecord } from './app-inputs.ts';

/** An endpoint without where it is, which `app-targets.ts` says for the pages as well. */
export type RouteAtTarget = Omit<Route, keyof Target>;

/** The output of an endpoint that returns nothing. */
export const Done = v.null();

/** An endpoint for the signed-in account, and its error statuses besides 401. */
export const ofSession = (...others: number[]) =>
  ({ auth: 'session', failures: [401, ...others] }) as const;

/** An endpoint that needs no session, and its error statuses. */
export const ofAnybody = (...failures: number[]) => ({ auth: 'public', failures }) as const;

/** An endpoint about the signed-in account, without input. */
export const ofAccount = { ...ofSession(), input: Nothing } as const;

/** An endpoint that writes memories, or that writes records beside them. */
export const ofMemories = ofSession(404, 409, 422);

/** An endpoint that removes a record of the account. */
export const removal = { ...ofSession(404), input: OneRecord, output: Done } as const;

/** The name of a file, and its text. */
export const TextFile = v.object({ name: v.string(), text: v.string() });

/** An endpoint that returns a memory as a file. */
export const asFile = {
  ...ofSession(404, 422),
  input: OneMemoryInput,
  output: TextFile,
} as const;
