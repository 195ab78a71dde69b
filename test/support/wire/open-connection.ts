// An open connection whose requests are sent before `ask` returns.

import { once } from 'node:events';
import { connect } from 'node:net';

/** A response on a connection. */
export interface Said {
  readonly status: number;
  readonly body: string;
}

export interface Line {
  /** Sends a request with a key, after the previous response. */
  ask(key: string, target: string): Promise<Said>;
  end(): void;
}

/** Opens a connection to a server. */
export async function openLine(port: number): Promise<Line> {
  const socket = connect(port, '127.0.0.1');
  socket.setNoDelay(true);
  await once(socket, 'connect');
  let text = '';
  let waiting: PromiseWithResolvers<Said> | undefined;
  socket.setEncoding('latin1');
  socket.on('error', (error) => waiting?.reject(error));
  socket.on('close', () =>
    waiting?.reject(new Error(`the server closed the connection after: ${text}`)),
  );
  socket.on('data', (part: string) => {
    text += part;
    const end = text.indexOf('\r\n\r\n');
    const length = Number(/^content-length: (\d+)/im.exec(text.slice(0, end))?.[1]);
    if (end < 0 || text.length < end + 4 + length) return;
    const said = { status: Number(text.slice(9, 12)), body: text.slice(end + 4) };
    text = '';
    waiting?.resolve(said);
  });
  return {
    ask(key, target) {
      waiting = Promise.withResolvers<Said>();
      if (socket.destroyed) waiting.reject(new Error('the connection was closed before'));
      socket.write(`GET ${target} HTTP/1.1\r\nhost: a\r\nx-api-key: ${key}\r\n\r\n`);
      return waiting.promise;
    },
    end: () => socket.destroy(),
  };
}
