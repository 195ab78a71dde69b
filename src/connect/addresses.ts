// The addresses of connectors: the endpoint for agents, the issuer of its tokens, and the metadata of both.

import { readBase } from '../gateway/request/base-url.ts';
import { isLoopback } from '../lib/loopback.ts';
import { Refusal } from '../store/refusal.ts';

/** The path of the endpoint for agents, below the base URL. */
export const CONNECT_PATH = '/mcp/connect';

/** The path of the authorization server, below the base URL. It is a path, so that the root has no metadata. */
export const OAUTH_PATH = '/oauth';

/** What clients read about the two. */
export interface Addresses {
  /** The endpoint for agents: the resource that tokens are for. */
  readonly resource: string;
  /** The issuer of tokens. */
  readonly issuer: string;
  /** Where the metadata of the resource is (RFC 9728 §3.1): the path of the resource goes behind the well-known one. */
  readonly resourceMetadata: string;
  readonly resourceMetadataPath: string;
  /** The path of the metadata of the issuer (RFC 8414 §3.1). */
  readonly issuerMetadataPath: string;
}

/** Returns the addresses below a base URL. Throws `Refusal` if nobody else could reach them safely. */
export function connectAddresses(baseUrl: string): Addresses {
  const { base, prefix } = readBase(baseUrl) ?? { base: '', prefix: '' };
  if (!URL.canParse(base) || !isSafe(new URL(base))) {
    const given = baseUrl === '' ? '' : `, not "${baseUrl}"`;
    throw new Refusal(
      `--connect needs --base-url with the public https:// address of this gateway${given}; on this machine, http://localhost and its port are enough to try it.`,
    );
  }
  const { origin } = new URL(base);
  const resourceMetadataPath = `/.well-known/oauth-protected-resource${prefix}${CONNECT_PATH}`;
  return {
    resource: `${base}${CONNECT_PATH}`,
    issuer: `${base}${OAUTH_PATH}`,
    resourceMetadataPath,
    resourceMetadata: `${origin}${resourceMetadataPath}`,
    issuerMetadataPath: `/.well-known/oauth-authorization-server${prefix}${OAUTH_PATH}`,
  };
}

/** Codes and tokens are secrets, so they need TLS. A browser sends them to its own machine without a network. */
function isSafe({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || isLoopback(hostname);
}
