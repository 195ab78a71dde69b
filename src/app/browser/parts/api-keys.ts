// API keys as the screens show them: their types, the one that is new, and the address of the API.

import { signal } from '@preact/signals';
import type { InferOutput } from 'valibot';

import type { AgentSetup, Key, NewKey } from '../../contract/records.ts';
import { GATEWAY } from '../state/base.ts';
import { me } from '../state/session.ts';

/** An API key, without the key itself. */
export type KeyRecord = InferOutput<typeof Key>;

/** A key with its text. */
export type KeyWithText = InferOutput<typeof NewKey>;

/** How a client is connected. */
export type Setup = InferOutput<typeof AgentSetup>;

/** A new key, and what happens when the reader has closed it. */
export interface NewestKey {
  readonly made: KeyWithText;
  /** The client that the key is for. Undefined: the reader has not said. */
  readonly setup?: Setup | undefined;
  readonly onClose: () => void;
}

/** The key that is shown now. It cannot be shown again, so it stays over any screen, and over the sign-in. */
export const newestKey = signal<NewestKey>();

/** The address of the public API, which the gateway may know as a path only. */
export function apiUrl(): string {
  return new URL(me.value?.api_url ?? 'v1', `${GATEWAY}/`).href;
}
