// The two documents that a client reads first: about the endpoint for agents, and about the issuer of its tokens.

import type { Addresses } from './addresses.ts';

/** The only scope. What a client may read is chosen by the owner and is part of the grant. */
export const READ_SCOPE = 'memories:read';

/** How clients may prove who they are at the token endpoint. */
export const CLIENT_AUTH_METHODS = ['none', 'private_key_jwt'] as const;

/** The algorithms that such a proof may be signed with. */
export const CLIENT_AUTH_ALGORITHMS = ['ES256', 'PS256', 'RS256', 'EdDSA'] as const;

/** Returns the metadata of the endpoint for agents (RFC 9728). */
export function resourceMetadata({ resource, issuer }: Addresses): object {
  return {
    resource,
    authorization_servers: [issuer],
    scopes_supported: [READ_SCOPE],
    bearer_methods_supported: ['header'],
    resource_name: 'Memory Gateway',
  };
}

/** Returns the metadata of the issuer (RFC 8414). */
export function issuerMetadata({ issuer }: Addresses): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    registration_endpoint: `${issuer}/register`,
    revocation_endpoint: `${issuer}/revoke`,
    scopes_supported: [READ_SCOPE],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: CLIENT_AUTH_METHODS,
    token_endpoint_auth_signing_alg_values_supported: CLIENT_AUTH_ALGORITHMS,
    revocation_endpoint_auth_methods_supported: CLIENT_AUTH_METHODS,
    revocation_endpoint_auth_signing_alg_values_supported: CLIENT_AUTH_ALGORITHMS,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  };
}
