// What the doors that speak HTTP share with their gateway.

import type { FindAddress } from './address.ts';
import type { Log } from './log.ts';
import type { Report } from './report.ts';
import type { Respond } from './respond.ts';
import type { Together } from './together.ts';

/** How requests are answered, and under which settings. */
export interface DoorOptions {
  readonly respond: Respond;
  readonly together: Together;
  readonly report: Report;
  readonly log: Log;
  readonly state: { readonly draining: boolean };
  readonly allowOrigins: readonly string[];
  /** Finds who asks, where that counts. */
  readonly findAddress: FindAddress | undefined;
  /** What stands before `/v1` in links, where it was configured. */
  readonly base: string | undefined;
}
