// Serves on a port, or on the next free one.

import { Refusal } from '../../../store/refusal.ts';
import type { Context } from '../../context.ts';
import { serve, type Serving, type ServingOptions } from '../serve.ts';

/** Returns the sentence that says which port was free instead of the wanted one, as lines before others. */
export function otherPort(wanted: number, url: string): string {
  const isOther = wanted !== 0 && !url.endsWith(`:${wanted}`);
  return isOther ? `Port ${wanted} is in use; ${url} is not.\n\n` : '';
}

/** How many ports are tried. */
const MOST = 100;

/** Serves on the port of `options`, or on the next free one if it is in use. Rejects with `Refusal`. */
export async function serveOnFreePort(context: Context, options: ServingOptions): Promise<Serving> {
  const last = Math.min(options.port + MOST, 65_535);
  for (let port = options.port; ; port++) {
    try {
      return await serve(context, { ...options, port });
    } catch (error) {
      const isTaken =
        error instanceof Refusal && (error.cause as NodeJS.ErrnoException)?.code === 'EADDRINUSE';
      if (!isTaken || port === last) throw error;
    }
  }
}
