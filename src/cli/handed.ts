// Handed: a listening socket that a supervisor keeps open, so that a restart loses no connection.

import { Refusal } from '../store/refusal.ts';

/** The file descriptor of the first socket, by the protocol of systemd's sd_listen_fds(3). */
const FIRST = 3;

/** Finds the socket that was handed to a process, whose environment this is. Fails with `Refusal` when there are several. */
export function handedSocket(pid: number): number | undefined {
  const { LISTEN_PID, LISTEN_FDS } = process.env;
  // An environment is inherited, and the socket may have been for another.
  if (LISTEN_FDS === undefined || LISTEN_PID !== String(pid)) return undefined;
  if (LISTEN_FDS === '1') return FIRST;
  throw new Refusal(`${LISTEN_FDS} sockets were handed over; hand over one.`);
}
