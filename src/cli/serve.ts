// serve: the gateway over HTTP, until a signal ends it.

import { VERSION } from '../gateway/version.ts';
import { none } from './accounts.ts';
import type { Command } from './command.ts';
import { handedSocket } from './handed.ts';
import { readLimits } from './limited.ts';
import { limitNames } from './limits.ts';
import { listen, type ServeOptions } from './listen.ts';
import { createLogger } from './logger.ts';
import { endOnSignal } from './signals.ts';
import {
  readBaseUrl,
  readOrigins,
  readPort,
  readSize,
  readSpan,
  readThrottle,
  readWorkers,
} from './values.ts';

/** Serves until a signal ends it. */
export const serveCommand: Command = {
  summary: 'serve the memories over HTTP',
  options: [
    'database',
    'host',
    'port',
    'workers',
    'base-url',
    'access-log',
    'allow-origin',
    'cache',
    'throttle',
    'proxy',
    'grace',
    ...limitNames,
  ],
  says: { grace: 'how long running answers may take to end, 10s if left out' },
  run: async (args) => {
    none(args);
    const workers = readWorkers(args.need('workers'));
    const options = {
      database: args.need('database'),
      host: args.need('host'),
      port: readPort(args.need('port')),
      baseUrl: readBaseUrl(args.text('base-url')),
      accessLog: args.flag('access-log'),
      allowOrigins: readOrigins(args.text('allow-origin')),
      cacheBytes: readSize('cache', args.need('cache')),
      throttle: readThrottle(args.need('throttle'), args.text('proxy')),
      graceMs: readSpan('grace', args.text('grace') ?? '10s'),
      ...readLimits(args),
    };
    if (workers === 1)
      await serve({ ...options, fd: handedSocket(process.pid), log: await createLogger(1) });
    else {
      const { serveByMany } = await import('./workers.ts'); // node:cluster, for those who ask for it
      await serveByMany(workers, options);
    }
    return {};
  },
};

/** Serves until SIGTERM, SIGINT or SIGHUP; returns the base address once it listens. Fails with `Refusal`. */
export async function serve(options: ServeOptions): Promise<string> {
  const { database, log } = options;
  const { url, stop } = await listen(options);
  endOnSignal({ log, stop });
  log.logger.info({ url, database, version: VERSION, node: process.versions.node }, 'listening');
  return url;
}
