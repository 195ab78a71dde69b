// Loopback: whether an address means this machine.

/** Returns whether the host of an http or https URL is this machine. `URL` writes every form of an IPv4 address as four numbers. */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}
