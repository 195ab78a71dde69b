// A grant with an access token, written to the store without a client.

import { DAY_MS } from '../../../src/lib/time.ts';
import { createSecret } from '../../../src/store/app/access.ts';
import type { AppStore } from '../../../src/store/app/app-store.ts';
import type { GrantRecord, NewGrant } from '../../../src/store/app/connect/connect-store.ts';
import { issued } from '../world/artifacts.ts';

/** Adds a grant for 30 days to the account `ana`, unless a test says otherwise, with a token for as long. */
export async function addGrant(
  { grants, grantTokens }: AppStore,
  more: Partial<NewGrant> = {},
): Promise<{ readonly grant: GrantRecord; readonly token: string }> {
  const grant = await grants.create({
    account_id: 'ana',
    client_id: 'https://assistant.example/client.json',
    client_name: 'Assistant',
    redirect_host: 'assistant.example',
    resource: 'https://memories.example/mcp/connect',
    scope: undefined,
    expires_at: Date.now() + 30 * DAY_MS,
    agent: 'Firefox on Linux',
    ...more,
  });
  const { id: grant_id, account_id, expires_at } = grant;
  const token = issued(createSecret());
  await grantTokens.add({ grant_id, account_id, kind: 'access', payload: '{}', expires_at, token });
  return { grant, token };
}
