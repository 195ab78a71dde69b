// A relay between a gateway and its database that can be slow, silent or broken.

import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

/** How the relay passes on bytes from the server. */
export interface Weather {
  /** Returns the delay of a piece in milliseconds, a new one for each. */
  delayMs?: () => number;
  /** Whether it drops all bytes, of open and of new connections. */
  isSilent?: boolean;
  /** The number of server bytes after which a connection breaks, with or without a reset. */
  cutAfter?: () => number;
  isReset?: boolean;
}

export interface Relay {
  /** The address of the database through the relay. */
  address(database: string): string;
  /** Can be changed at any time. */
  weather: Weather;
  /** Breaks all open connections. */
  cutAll(): void;
  readonly count: () => number;
}

/** Opens a relay to a port until the test ends. */
export async function openRelay(t: TestContext, port: number): Promise<Relay> {
  const pairs = new Set<readonly [Socket, Socket]>();
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    const pair = [near, far] as const;
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      near.destroy();
      far.destroy();
    };
    for (const socket of pair) socket.setNoDelay(true).on('error', end).on('close', end);
    near.on('data', (part: Buffer) => relay.weather.isSilent || far.write(part));
    void pass(pair, end);
  });
  const pass = async ([near, far]: readonly [Socket, Socket], end: () => void) => {
    let left = relay.weather.cutAfter?.() ?? Infinity;
    try {
      for await (const part of far as AsyncIterable<Buffer>) {
        const { delayMs, isSilent, isReset } = relay.weather;
        if (isSilent) continue;
        if (delayMs) await sleep(delayMs());
        near.write(part.subarray(0, left));
        left -= part.length;
        if (left > 0) continue;
        if (isReset) near.resetAndDestroy();
        else near.end();
        break;
      }
    } catch {
      // It has broken.
    }
    end();
  };
  const relay: Relay = {
    address: (database) => database.replace(/:\d+\//, `:${at}/`),
    weather: {},
    cutAll() {
      for (const [near] of pairs) near.resetAndDestroy();
    },
    count: () => pairs.size,
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: at } = server.address() as AddressInfo;
  t.after(() => {
    relay.cutAll();
    server.close();
  });
  return relay;
}
