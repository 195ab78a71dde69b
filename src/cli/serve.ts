// serve: the gateway over HTTP, until a signal ends it.

import { VERSION } from '../gateway/version.ts';
import { showDatabase } from '../store/address.ts';
import { none } from './accounts.ts';
import type { Watch } from './admin/alone.ts';
import { readAllowance } from './allowance.ts';
import type { Bind } from './bind.ts';
import type { Command } from './command.ts';
import { handedSocket } from './handed.ts';
import { limitNames } from './limits.ts';
import { listen, type ServeOptions } from './listen.ts';
import { createLogger } from './logger.ts';
import { readServers, serverNames } from './servers.ts';
import { endOnSignal } from './signals.ts';
import {
  readBaseUrl,
  readBind,
  readOrigins,
  readPort,
  readSize,
  readGrace,
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
    'admin',
    'grace',
    ...serverNames,
    ...limitNames,
  ],
  says: { grace: 'how long running answers may take to end, 10s if left out' },
  run: async (args) => {
    none(args);
    const workers = readWorkers(args.need('workers'));
    const options = {
      database: args.need('database'),
      postgres: readServers(args),
      host: args.need('host'),
      port: readPort(args.need('port')),
      baseUrl: readBaseUrl(args.text('base-url')),
      accessLog: args.flag('access-log'),
      allowOrigins: readOrigins(args.text('allow-origin')),
      cacheBytes: readSize('cache', args.need('cache')),
      throttle: readThrottle(args.need('throttle'), args.text('proxy')),
      graceMs: readGrace(args.text('grace')),
      ...readAllowance(args),
    };
    const at = args.text('admin');
    const admin = at ? readBind('admin', at) : undefined;
    if (workers === 1)
      await serve({ ...options, fd: handedSocket(process.pid), log: await createLogger(1) }, admin);
    else {
      const { serveByMany } = await import('./workers.ts'); // node:cluster, for those who ask for it
      await serveByMany(workers, options, admin);
    }
    return {};
  },
};

/**
 * Serves until SIGTERM, SIGINT or SIGHUP, with metrics where there is a place for them; returns the base
 * address once it listens. Fails with `Refusal`.
 */
export async function serve(options: ServeOptions, bind?: Bind): Promise<string> {
  const { database, log } = options;
  // Loaded for those who ask for it.
  const admin = bind && (await (await import('./admin/alone.ts')).openWatch(bind, options));
  const { url, stop } = await listenWith(admin, options);
  endOnSignal({ log, stop });
  const about = { database: showDatabase(database), version: VERSION, node: process.versions.node };
  log.logger.info({ url, ...(admin && { admin: admin.url }), ...about }, 'listening');
  return url;
}

/** Listens; what watches is the last to end, so that the end can be watched, too. */
async function listenWith(admin: Watch | undefined, options: ServeOptions) {
  if (admin === undefined) return listen(options);
  try {
    const listening = await listen({ ...options, onAccess: admin.access });
    admin.watch(listening);
    const stop = () => listening.stop().then(admin.close);
    return { ...listening, stop };
  } catch (error) {
    await admin.close();
    throw error;
  }
}
