// serve: the HTTP server, until a signal stops it.

import { showDatabase } from '../../store/address.ts';
import { engineOf } from '../../store/engines.ts';
import { VERSION } from '../../version.ts';
import type { Args } from '../args/args.ts';
import { embeddingsOptionNames, readEmbeddings, withEmbeddings } from '../args/embeddings.ts';
import { logsAddress } from '../args/log.ts';
import { limitOptionNames } from '../args/options/serve-options.ts';
import { postgresOptionNames, readPostgresOptions } from '../args/postgres.ts';
import {
  readBaseUrl,
  readDuration,
  readHost,
  readListenAddress,
  readOrigins,
  readPort,
  readRequestLimits,
  readSize,
  readThrottleOption,
} from '../args/values.ts';
import type { Command } from '../command.ts';
import type { Context } from '../context.ts';
import { nameProgram } from '../exit.ts';
import { createLogger } from '../output/logger.ts';
import { printError } from '../output/print.ts';
import { openServedWrites, readApp } from './app.ts';
import { readAudio } from './audio.ts';
import { jobOptionNames, readJobs } from './jobs/read-jobs.ts';
import { createJobRunner, type JobRunner } from './jobs/run-jobs.ts';
import {
  aboutApp,
  DEFAULT_GRACE_MS,
  migrateFirst,
  startServer,
  warnAboutOptions,
  type ServeOptions,
} from './listen/listen.ts';
import { createLogControl } from './listen/reload.ts';
import { shutDownOnSignal } from './listen/shutdown.ts';
import { inheritedSocket, type ListenAddress } from './listen/socket.ts';
import { prepareSocket } from './listen/unix-socket.ts';
import type { ProcessMetrics } from './metrics/metrics.ts';

/** Serves until a signal stops it. */
export const serveCommand: Command = {
  summary: 'Serve the memories over HTTP',
  about:
    'The log is JSON, one line for each event. SIGHUP reads --config and --env-file again: --log-level and --access-log change at once, other options need a restart. The first signal (Ctrl+C) lets open requests finish, the second stops at once.',
  options: [
    'database',
    'host',
    'port',
    'reuse-port',
    'base-url',
    'base-stripped',
    'migrate',
    'access-log',
    'log-level',
    'log-format',
    'allow-origin',
    'cache',
    'throttle',
    'proxy',
    'app',
    'max-upload',
    'bin',
    'no-key-log',
    'connect',
    'sign-in-header',
    'sign-out-url',
    'audio',
    ...embeddingsOptionNames,
    'admin',
    'grace',
    ...jobOptionNames,
    ...postgresOptionNames,
    ...limitOptionNames,
  ],
  overrides: {
    grace: { default: '10s', help: 'Time for open requests to finish on shutdown' },
    account: {
      unset: 'the only one',
      help: 'Account that gets the memories of --watch and --pull, and has the folder of --audio',
    },
    move: { help: 'Move files of --watch that cannot be read to FOLDER/rejected' },
  },
  examples: [
    ['Serve a database on this machine', 'memory-gateway serve --database mine.db'],
    [
      'Behind a proxy on this machine, with metrics and a rate limit for failed keys',
      'memory-gateway serve --base-url https://a.example --throttle 10 --proxy 127.0.0.1 --admin 9464',
    ],
    [
      'On a Unix socket, for a proxy on this machine',
      'memory-gateway serve --host unix:/run/memories/gateway.sock --throttle 10 --proxy unix',
    ],
    [
      'Import what arrives in a folder, and pull every 15 minutes, as one service',
      'memory-gateway serve --watch inbox/ --pull limitless=15m --account mira',
    ],
    [
      'Connect claude.ai or ChatGPT, behind a proxy with TLS',
      'memory-gateway serve --base-url https://a.example --connect --proxy 127.0.0.1',
    ],
    [
      'PostgreSQL with a read replica',
      'memory-gateway serve --database postgres://user@host/memories --replica postgres://user@replica/memories',
    ],
  ],
  run: async (args, context) => {
    const options = await readServeOptions(args, context);
    const text = args.text('admin');
    const admin = text ? readListenAddress('admin', text) : undefined;
    const control = createLogControl(args, serveCommand.options, context);
    const { accessLog, format } = control;
    const log = await createLogger(context.stdout, { level: control.settings().level, format });
    if (options.migrate) await migrateFirst(options.database, log);
    const planned = await readJobs(args, context);
    const audio = await readAudio(args);
    // Imports and jobs make vectors with the endpoint of the server, however it was named.
    const within = { ...context, env: withEmbeddings(context.env, options.embeddings) };
    const jobs = createJobRunner({
      context: within,
      database: options.database,
      logger: log.logger,
    });
    const writes = await openServedWrites(args, { context: within, logger: log.logger, jobs });
    const app = options.app === false ? options.app : { ...options.app, ...writes };
    const onStopped = async () => writes?.close?.();
    const fd = inheritedSocket(process.pid, context.env);
    const reload = control.onHangUp(log);
    const own = { fd, log, accessLog, reload, jobs, app, audio, onStopped };
    const serving = await serve(context, { ...options, ...own }, admin);
    warnAboutOptions(log.logger, serving.url, options);
    jobs.start(planned);
    await writes?.sources?.begin();
    await greet(serving.url, options, context);
    return serving;
  },
};

async function readServeOptions(
  args: Args,
  context: Context,
): Promise<Omit<ServeOptions, 'log' | 'accessLog'>> {
  return {
    database: args.need('database'),
    postgres: readPostgresOptions(args),
    host: readHost(args.need('host')),
    port: readPort(args.need('port')),
    reusePort: args.flag('reuse-port'),
    baseUrl: readBaseUrl(args.text('base-url')),
    isBaseStripped: args.flag('base-stripped'),
    migrate: args.flag('migrate'),
    logAddress: logsAddress(args),
    allowOrigins: readOrigins(args.text('allow-origin')),
    cacheBytes: readSize('cache', args.need('cache')),
    throttle: readThrottleOption(args.need('throttle'), args.text('proxy')),
    app: await readApp(args, context),
    embeddings: readEmbeddings(args, context.env),
    graceMs: readDuration('grace', args.need('grace'), ['0s', '24h']),
    ...readRequestLimits(args),
  };
}

/** Prints a link for the person at a terminal, if nobody has signed in to the app yet. */
async function greet(url: string, options: Greeted, { stdout, stderr }: Context): Promise<void> {
  if (!stdout.isTTY || options.app === false || !url.startsWith('http')) return;
  const { firstSignInLink } = await import('./start/links.ts');
  const link = await firstSignInLink(url, options).catch(() => undefined); // the server listens already
  if (link !== undefined)
    printError(stderr, `Open this link to sign in. It works once, within 10 minutes:\n  ${link}`);
}

type Greeted = Pick<ServeOptions, 'app' | 'baseUrl' | 'database'>;

/** A server that runs until a signal stops it. */
export interface Serving {
  readonly url: string;
  /** Resolves when it has stopped. */
  readonly running: Promise<void>;
}

/** What to serve, and what is done beside it. */
export interface ServingOptions extends ServeOptions {
  /** What SIGHUP does instead of stopping. */
  readonly reload?: (() => void) | undefined;
  /** The jobs, which stop with the server. */
  readonly jobs?: Pick<JobRunner, 'stop'> | undefined;
}

/**
 * Serves until SIGTERM, SIGINT or SIGHUP, with a metrics server if it has an address. Resolves once it listens. Rejects with `Refusal`.
 */
export async function serve(
  context: Context,
  options: ServingOptions,
  metricsAddress?: ListenAddress,
): Promise<Serving> {
  const { database, host, fd, log, onStopped } = options;
  if (fd === undefined) await prepareSocket(host);
  const metrics =
    metricsAddress &&
    (await (await import('./metrics/metrics.ts')).openMetrics(metricsAddress, options)); // loads prom-client
  const { url, stop } = await startWithMetrics(metrics, options);
  const tidy = async () => {
    if (options.app !== false) await engineOf(database).tidy?.(); // the app has written
  };
  const { reload, jobs, graceMs = DEFAULT_GRACE_MS } = options;
  const running = shutDownOnSignal(context, {
    log,
    reload,
    stop: () =>
      Promise.all([stop(), jobs?.stop(graceMs)])
        .then(tidy)
        .then(onStopped),
  });
  const versions = { version: VERSION, node: process.versions.node };
  const about = { database: showDatabase(database), ...versions };
  const { app, sign_in = '' } = aboutApp(url, options);
  const places = {
    ...(app && { app, sign_in: nameProgram(sign_in, context.env) }),
    ...(metrics && { admin: metrics.url }),
  };
  log.logger.info({ url, ...places, ...about }, 'listening');
  return { url, running };
}

/** Starts the server. The metrics server stops last, so that the shutdown can be watched. */
async function startWithMetrics(metrics: ProcessMetrics | undefined, options: ServeOptions) {
  if (metrics === undefined) return startServer(options);
  try {
    const running = await startServer({ ...options, onAccess: metrics.access });
    metrics.watch(running);
    const stop = () => running.stop().then(metrics.close);
    return { ...running, stop };
  } catch (error) {
    await metrics.close();
    throw error;
  }
}
