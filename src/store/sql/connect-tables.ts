// The types of the tables of connectors, for Kysely. Times are milliseconds since 1970.

import type { ScopeColumns } from '../scope.ts';

/** What owners have granted to OAuth clients. */
export interface GrantTable extends ScopeColumns {
  id: string;
  account_id: string;
  client_id: string;
  client_name: string;
  redirect_host: string;
  resource: string;
  created_at: number;
  expires_at: number;
  last_used_at: number | null;
}

/** The kinds of tokens. */
export type TokenKind = 'code' | 'access' | 'refresh';

/** The codes and tokens of grants, by their hash. */
export interface GrantTokenTable {
  token_sha256: string;
  grant_id: string;
  account_id: string;
  kind: TokenKind;
  payload: string;
  created_at: number;
  expires_at: number;
  used_at: number | null;
}

/** The clients that have registered themselves. */
export interface OAuthClientTable {
  id: string;
  metadata: string;
  created_at: number;
  kept_until: number;
}
