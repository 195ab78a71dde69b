// Linger: a connection ends in a way that leaves its last answer to who is still sending (RFC 9112 §9.6).

import type { Duplex } from 'node:stream';

/** How long what still comes is read and dropped. */
const LINGER_MS = 2000;

/**
 * Ends a connection behind its last bytes: our side at once, the other when it has been ended there,
 * or after two seconds. To close it with bytes unread would reset it, and who has sent a body of
 * megabytes would never read why it was refused.
 */
export function linger(socket: Duplex, last?: Uint8Array): void {
  socket.end(last, () => {
    const cut = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => clearTimeout(cut));
  });
  // A body may have paused it, or be about to go on: whichever it is, Node then reads again by itself.
  socket.pause();
  socket.once('resume', () => {
    // Its parser lets go of a connection that is listened to, and takes no request from it any more.
    socket.removeAllListeners('data');
    socket.on('data', () => {});
  });
  socket.resume();
}
