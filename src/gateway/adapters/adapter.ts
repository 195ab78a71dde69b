// What both HTTP entry points share: the pipeline, and how it is run and reported.

import type { Schedule } from '../fair-share/time.ts';
import type { Log } from '../log.ts';
import type { Pipeline } from '../pipeline.ts';
import type { Report } from '../response/report.ts';

/** The parts of an HTTP entry point. */
export interface AdapterOptions extends Pipeline {
  /** Returns whether a request is for a path of the gateway. Default: all are. */
  readonly isOwn?: ((request: { readonly url?: string | undefined }) => boolean) | undefined;
  readonly schedule: Schedule;
  readonly report: Report;
  readonly log: Log;
  readonly state: { readonly draining: boolean };
  /** What precedes `/v1` in links, if it was configured. */
  readonly base: string | undefined;
}
