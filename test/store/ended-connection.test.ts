// A connection that PostgreSQL ends in the moment it opens: the work fails, and the process goes on.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { describe, it } from 'node:test';

import { connect } from '../../src/store/postgres/servers/connection.ts';
import { Refusal } from '../../src/store/refusal.ts';

/** A message of the protocol: a letter, the length, and the rest. */
function message(letter: string, rest: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(rest.length + 4);
  return Buffer.concat([Buffer.from(letter), length, rest]);
}

const OPENED = [message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))];
const ENDED = message('E', Buffer.from('SFATAL\0C57P01\0Mterminating connection\0\0'));

describe('A connection that PostgreSQL ends in the packet that opens it', () => {
  it('fails the work that it was for, and not the process', async (t) => {
    // A real server ends a connection so early once in a few hundred times.
    const server = createServer((socket) => {
      socket.once('data', () => socket.end(Buffer.concat([...OPENED, ENDED])));
      socket.on('error', () => {});
    }).listen(0, '127.0.0.1');
    t.after(() => server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const connections = await connect(`postgres://memory_app@127.0.0.1:${port}/memories`);
    t.after(() => connections.close());
    await assert.rejects(
      connections.withClient((client) => client.query('SELECT 1')),
      Refusal,
    );
  });
});
