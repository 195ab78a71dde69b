// The types of the parts of oidc-provider that are used here. It has none, and those of others do not fit its version.

declare module 'oidc-provider' {
  import type { EventEmitter } from 'node:events';
  import type { IncomingMessage, ServerResponse } from 'node:http';

  /** What a client says about itself (RFC 7591 §2). */
  export interface ClientMetadata {
    client_name?: unknown;
    redirect_uris?: unknown;
    application_type?: 'native' | 'web';
    grant_types?: string[];
    response_types?: string[];
    token_endpoint_auth_method?: unknown;
    scope?: unknown;
  }

  /** A client that the server has accepted. */
  export interface Client {
    readonly clientId: string;
    readonly clientName?: string;
    /** Whether its id is the address of a document. Absent on others. */
    readonly clientIdMetadataDocument?: true;
  }

  /** A record as an adapter stores it. Times are seconds since 1970. */
  export interface AdapterPayload {
    readonly [name: string]: unknown;
    readonly jti?: string;
    readonly kind?: string;
    readonly exp?: number;
    readonly grantId?: string;
    readonly accountId?: string;
  }

  /** Stores the records of one kind. */
  export interface Adapter {
    upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void>;
    find(id: string): Promise<AdapterPayload | undefined>;
    findByUid(uid: string): Promise<AdapterPayload | undefined>;
    findByUserCode(userCode: string): Promise<AdapterPayload | undefined>;
    consume(id: string): Promise<void>;
    destroy(id: string): Promise<void>;
    revokeByGrantId(grantId: string): Promise<void>;
  }

  /** A request that the server processes. */
  export interface Context {
    readonly req: IncomingMessage;
    type: string;
    body: unknown;
    readonly oidc: {
      readonly client?: Client;
      readonly params?: Readonly<Record<string, unknown>>;
      readonly entities: { readonly Grant?: { readonly exp?: number } };
    };
  }

  /** The settings. A type of ours would only repeat what we set. */
  export type Configuration = Readonly<Record<string, unknown>>;

  /** The authorization server. */
  export class Provider extends EventEmitter {
    constructor(issuer: string, configuration: Configuration);
    readonly issuer: string;
    /** Whether errors are kept out of the console. */
    silent: boolean;
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  }

  /** What a person has to do before a request is granted. */
  export const interactionPolicy: {
    readonly Prompt: new (
      prompt: { readonly name: string; readonly requestable: boolean },
      ...checks: object[]
    ) => object;
    readonly Check: new (
      reason: string,
      description: string,
      error: string,
      check: (context: Context) => boolean,
    ) => object;
  };

  type OAuthError = new (description: string) => Error;

  /** The errors that a client is told. */
  export const errors: {
    readonly AccessDenied: OAuthError;
    readonly InvalidClientMetadata: OAuthError;
    readonly InvalidGrant: OAuthError;
    readonly InvalidTarget: OAuthError;
    readonly CustomOIDCProviderError: new (code: string, description: string) => Error;
  };
}
