// listen: a gateway on a file behind a server on a port, and how both end.

import type { Server } from 'node:http';

import type { Gateway } from '../gateway/gateway.ts';
import type { Limits } from '../gateway/limits.ts';
import type { Log } from '../gateway/log.ts';
import { connectGateway, type ConnectGatewayOptions } from '../gateway/open.ts';
import { createServer, stopServer } from '../gateway/server.ts';
import { addressOf, hasAddresses, listenAt, type Bind } from './bind.ts';
import type { ProgramLog } from './logger.ts';

/** How long running answers may take to end where nobody says. */
export const GRACE_MS = 10_000;

/** What is served, where, and where it is logged. */
export interface ServeOptions extends Bind, Omit<ConnectGatewayOptions, 'log'> {
  readonly accessLog?: boolean;
  /** Takes the lines of the access log, too, whether it is written or not. */
  readonly onAccess?: Log['access'];
  readonly limits?: Limits;
  /** How long running answers may take after the signal to stop: 10 s if left out. */
  readonly graceMs?: number;
  readonly log: ProgramLog;
}

/** What listens. */
export interface Listening {
  readonly url: string;
  readonly gateway: Gateway;
  readonly server: Server;
  /** Takes no connection from this call on; resolves when all answers have ended and the file is closed. */
  readonly stop: () => Promise<void>;
}

const UNTHROTTLED =
  'nobody is throttled: who asks through a Unix socket has no address, and no --proxy can name one; hand over a socket of an address and a port';

/** Opens the file and listens. Fails with `Refusal`. */
export async function listen(options: ServeOptions): Promise<Listening> {
  const {
    host,
    port,
    fd,
    limits,
    graceMs = GRACE_MS,
    log,
    accessLog,
    onAccess,
    ...opened
  } = options;
  const { logger } = log;
  const report = {
    error: logger.error.bind(logger),
    warn: logger.warn.bind(logger),
    access: accessLog ? both(logger.info.bind(logger), onAccess) : onAccess,
  };
  const gateway = await connectGateway({ ...opened, log: report });
  const server = createServer(gateway.listener, report, limits);
  try {
    await listenAt(server, { host, port, fd });
  } catch (error) {
    await gateway.close();
    throw error;
  }
  if (opened.throttle?.perMinute && !hasAddresses(server)) logger.warn({}, UNTHROTTLED);
  return {
    url: addressOf(server),
    gateway,
    server,
    async stop() {
      gateway.drain();
      await stopServer(server, graceMs);
      await gateway.close();
    },
  };
}

type Access = NonNullable<Log['access']>;

function both(first: Access, second: Access | undefined): Access {
  if (second === undefined) return first;
  return (fields, message) => {
    first(fields, message);
    second(fields, message);
  };
}
