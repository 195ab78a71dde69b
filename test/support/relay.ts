// A relay: the network between a gateway and its database, which can be slow, silent, or break.

import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

/** How what a server says goes on to who has asked. */
export interface Weather {
  /** How long a piece is held back: drawn anew for each. */
  delayMs?: () => number;
  /** Whether nothing comes through any more, of connections that there are and of new ones. */
  isSilent?: boolean;
  /** After so many bytes of the server a connection breaks, with or without a reset. */
  cutAfter?: () => number;
  isReset?: boolean;
}

export interface Relay {
  /** The address of a database, by way of the relay. */
  address(database: string): string;
  /** May be changed at any time. */
  weather: Weather;
  /** Breaks all connections that there are now. */
  cutAll(): void;
  readonly count: () => number;
}

/** Opens a relay to a port, until the test ends. */
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
