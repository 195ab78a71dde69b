// Fetches the document that describes a client, from the public internet only: https, no redirects, small and soon.

import { lookup as resolveName, type LookupAddress } from 'node:dns';
import { request, type RequestOptions } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';

import { isPublicAddress } from './public-address.ts';

/** The largest document, in bytes. Those of hosted assistants have about 500. */
export const MAX_DOCUMENT_BYTES = 16_384;

/** How long a document may take, with its connection. */
const PATIENCE_MS = 5000;

/** Finds the addresses of a name. With an error there are none, whatever the types of Node say. */
export type ResolveName = (
  hostname: string,
  done: (error: Error | null, addresses?: readonly LookupAddress[]) => void,
) => void;

/** How documents are fetched. The defaults are those of the program. Others are for tests, which have no internet. */
export interface DocumentOptions {
  readonly resolve?: ResolveName;
  readonly isAllowed?: (address: string) => boolean;
  /** The authorities that certificates are checked against. Default: those of Node. */
  readonly ca?: string | undefined;
  /** The only port that is reached. Default: 443. */
  readonly port?: number;
}

/** Fetches a document. Rejects if it may not be fetched or does not arrive whole. */
export type FetchDocument = (url: string, options?: FetchOptions) => Promise<Response>;

/** What is used of the options of `fetch`. */
interface FetchOptions {
  readonly headers?: ConstructorParameters<typeof Headers>[0] | undefined;
  readonly signal?: AbortSignal | null | undefined;
}

/** Creates the function that fetches documents. */
export function createFetchDocument(options: DocumentOptions = {}): FetchDocument {
  const { port = 443 } = options;
  const lookup = createLookup(options);
  return (address, { headers, signal } = {}) => {
    const url = new URL(address);
    // A name alone: no address, and no name of this machine's network.
    const { protocol, hostname } = url;
    if (
      protocol !== 'https:' ||
      isIP(hostname.replaceAll(/[[\]]/g, '')) > 0 ||
      !/\.[a-z][\w-]*\.?$/i.test(hostname)
    )
      return Promise.reject(
        new Error('its address does not begin with https:// and a public name'),
      );
    if (Number(url.port || 443) !== port)
      return Promise.reject(new Error(`its address names another port than ${port}`));
    const timeout = AbortSignal.timeout(PATIENCE_MS);
    return send(url, {
      headers: Object.fromEntries(new Headers(headers)),
      // A connection of its own, because the resolved address is checked once for each.
      agent: false,
      lookup,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      ...(options.ca === undefined ? {} : { ca: options.ca }),
    });
  };
}

/**
 * Creates the look-up of a connection. The connection goes to an address that was checked here, so a name that
 * resolves to another address a moment later (DNS rebinding) gains nothing. One bad address refuses the name.
 */
function createLookup({
  resolve = (hostname, done) => resolveName(hostname, { all: true }, done),
  isAllowed = isPublicAddress,
}: DocumentOptions): LookupFunction {
  return (hostname, { all }, done) => {
    resolve(hostname, (error, found = []) => {
      const addresses = [...found];
      const [first] = addresses;
      if (error !== null || first === undefined)
        return done(error ?? new Error(`${hostname} has no address`), []);
      const refused = addresses.find(({ address }) => !isAllowed(address));
      if (refused !== undefined)
        return done(new Error(`${hostname} is not on the public internet`), []);
      return all === true ? done(null, addresses) : done(null, first.address, first.family);
    });
  };
}

function send(url: URL, options: RequestOptions): Promise<Response> {
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (response) => {
      const chunks: Buffer[] = [];
      let received = 0;
      response.on('data', (chunk: Buffer) => {
        received += chunk.length;
        if (received > MAX_DOCUMENT_BYTES)
          response.destroy(new Error(`it has more than ${MAX_DOCUMENT_BYTES} bytes`));
        else chunks.push(chunk);
      });
      response.once('error', reject);
      response.once('end', () => {
        // A site may send a status that no Response can have. Nothing may be thrown here: nobody would catch it.
        const { statusCode: status = 0 } = response;
        if (status < 200 || status > 599) return reject(new Error(`its status is ${status}`));
        const headers = Object.entries(response.headers).map(([name, value]): [string, string] => [
          name,
          String(value),
        ]);
        // Only the body of a 200 is used, and some statuses may have none.
        resolve(new Response(status === 200 ? Buffer.concat(chunks) : null, { status, headers }));
      });
    });
    // Without a listener, neither a response nor an error would arrive.
    sent.once('upgrade', (_, socket) => {
      socket.destroy();
      reject(new Error('it changes the protocol'));
    });
    sent.once('error', reject);
    sent.end();
  });
}
