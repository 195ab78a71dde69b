// createConnector: the endpoint for agents of OAuth clients, the endpoints of the authorization server, and their metadata.

import type { CreateConnector } from '../app/server/connector.ts';
import { createKeyUse } from '../app/server/key-use.ts';
import { explaining } from '../app/server/store-problems.ts';
import { Failure } from '../contract/failure.ts';
import { toJson } from '../contract/json.ts';
import type { GatewayRequest } from '../gateway/request/request.ts';
import { pathNotFound, pathOf } from '../gateway/request/route.ts';
import type { Content } from '../gateway/response/http-response.ts';
import { ResponseFailure } from '../gateway/response/response-failure.ts';
import { andThen } from '../lib/async.ts';
import { once } from '../lib/once.ts';
import { CONNECT_PATH, connectAddresses, OAUTH_PATH } from './addresses.ts';
import { createAuthorizationServer } from './authorization-server.ts';
import { createClientEndpoints } from './client-endpoints.ts';
import { createFetchDocument, type FetchDocument } from './fetch-document.ts';
import { createFindGrantee } from './grantee.ts';
import { issuerMetadata, resourceMetadata } from './metadata.ts';

/** What a connector can be created with. */
export interface ConnectorOptions {
  /** Fetches the documents of clients. Default: from the public internet only. */
  readonly fetchDocument?: FetchDocument | undefined;
}

/** The longest query of an authorization request. Those of hosted assistants have about 500 characters. */
const MAX_QUERY = 4096;

const OWN = ['cache-control', 'no-store', 'vary', 'authorization'];
const METADATA = ['cache-control', 'public, max-age=300', 'access-control-allow-origin', '*'];

/** Creates the function that creates the connector of an app. Throws `Refusal` if the gateway has no safe address. */
export function createConnector(options: ConnectorOptions = {}): CreateConnector {
  return ({ gateway, store, keyLog }) => {
    const addresses = connectAddresses(gateway.base);
    const { fetchDocument = createFetchDocument() } = options;
    const server = once(() =>
      createAuthorizationServer({ addresses, store, fetchDocument, log: gateway.log }),
    );
    const uses = createKeyUse(
      (used, reads) => andThen(store(), ({ grants }) => grants.recordUse(used, reads)),
      (error) => gateway.log.warn?.({ err: error }, 'the last use of grants cannot be written'),
      keyLog,
    );
    const findGrantee = createFindGrantee({ addresses, gateway, store, noteUse: uses.note });
    const clientEndpoints = createClientEndpoints({ gateway, server });
    const documents = new Map([
      [addresses.resourceMetadataPath, toJson(resourceMetadata(addresses))],
      [addresses.issuerMetadataPath, toJson(issuerMetadata(addresses))],
    ]);

    return {
      url: addresses.resource,
      owns: (path) =>
        path === CONNECT_PATH || path.startsWith(`${OAUTH_PATH}/`) || documents.has(path),
      commonHeaders: (path) => (documents.has(path) ? METADATA : OWN),
      handle(request, target) {
        const path = pathOf(target);
        const document = documents.get(path);
        if (document !== undefined) {
          requireMethod(request, ['GET', 'HEAD']);
          return { body: document };
        }
        if (path === CONNECT_PATH) return gateway.mcp(request, findGrantee);
        const name = path.slice(OAUTH_PATH.length + 1);
        if (name === 'authorize') return toOwner(request, target);
        const endpoint = clientEndpoints.get(name);
        if (endpoint === undefined) throw pathNotFound();
        requireMethod(request, ['POST']);
        return explaining('writes', () => endpoint(request));
      },
      look: async (query) => (await server()).look(readQuery(query)),
      async decide(query, allowed) {
        const { look, answer } = await server();
        const looked = await look(readQuery(query));
        if (!('client' in looked)) throw new Failure(422, looked.problem);
        const { id: client_id, name: client_name, redirect: redirect_host } = looked.client;
        const { grants } = await store();
        const client = { client_id, client_name, redirect_host, resource: addresses.resource };
        const grant = allowed && (await grants.create({ ...allowed, ...client }));
        let answered: Awaited<ReturnType<typeof answer>> | undefined;
        try {
          answered = await answer(query, grant);
        } finally {
          // A grant without a code would count, and nobody would see it.
          if (grant !== null && typeof answered !== 'string') await grants.end(grant.id);
        }
        if (typeof answered === 'string') return answered;
        throw new Failure(
          422,
          'problem' in answered ? answered.problem : 'Start again at the client.',
        );
      },
      flush: uses.flush,
      close: uses.close,
    };
  };
}

/**
 * Sends a browser to the owner's page with the whole request. Nothing is checked before, so nobody who is not
 * signed in makes the gateway fetch or store anything, or send a browser to another site.
 */
function toOwner(request: GatewayRequest, target: string): Content {
  requireMethod(request, ['GET', 'HEAD']);
  const query = readQuery(target.slice(pathOf(target).length + 1));
  const location = `${request.base}/app/consent?${query}`;
  return {
    status: 303,
    type: 'text/plain; charset=utf-8',
    headers: ['location', location, 'referrer-policy', 'no-referrer'],
    body: Buffer.from('See the page of the app.\n'),
  };
}

function readQuery(query: string): string {
  if (query.length > MAX_QUERY)
    throw new Failure(
      414,
      `Keep the query of an authorization request within ${MAX_QUERY} characters.`,
    );
  return query;
}

function requireMethod({ method }: GatewayRequest, methods: readonly string[]): void {
  if (methods.includes(method)) return;
  throw new ResponseFailure(405, `Use ${methods.join(' or ')} at this path.`, {
    headers: ['allow', methods.join(', ')],
  });
}
