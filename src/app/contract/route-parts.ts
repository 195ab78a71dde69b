// What several of the app's endpoints have in common.

import * as v from 'valibot';

import { Nothing, OneMemoryInput, OneRecord } from './app-inputs.ts';

/** The output of an endpoint that returns nothing. */
export const Done = v.null();

/** An endpoint about the signed-in account, without input. */
export const ofAccount = { auth: 'session', input: Nothing, failures: [401] } as const;

/** An endpoint that writes memories, or that writes records beside them. */
export const ofMemories = { auth: 'session', failures: [401, 404, 409, 422] } as const;

/** An endpoint that removes a record of the account. */
export const removal = {
  auth: 'session',
  input: OneRecord,
  output: Done,
  failures: [401, 404],
} as const;

/** The name of a file, and its text. */
export const TextFile = v.object({ name: v.string(), text: v.string() });

/** An endpoint that returns a memory as a file. */
export const asFile = {
  auth: 'session',
  input: OneMemoryInput,
  output: TextFile,
  failures: [401, 404, 422],
} as const;
