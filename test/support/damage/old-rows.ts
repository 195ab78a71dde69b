// Rows for the tables that earlier schemas have beside those of memories, in SQL that both engines understand.

type Row = Readonly<Record<string, string | number>>;

const HASH = 'a'.repeat(64);
const ID = '0193a4f2-7c1e-7b3a-9d4e-5f6a7b8c9d0e';
const OF_ANA = { account_id: 'ana' };
const OF_SOURCE = { ...OF_ANA, source: 'limitless' };

/** A row of each table, with every column that an earlier schema may have. A table stands behind those that it refers to. */
const ROWS: Readonly<Record<string, Row>> = {
  api_keys: {
    ...OF_ANA,
    key_sha256: HASH,
    id: 'key-scoped',
    last_four: 'abcd',
    label: 'scoped',
    created_at: 1,
    expires_at: 9,
    revoked_at: 8,
    last_used_at: 7,
    reads: 'summaries',
    started_after: -5,
    started_before: 5,
    tags: '["work"]',
  },
  sources: {
    ...OF_ANA,
    name: 'limitless',
    kind: 'pull',
    settings: '{"every": 900}',
    state: '{"since": "2026-01-01"}',
    run: ID,
    interval_ms: 900_000,
    started_at: 1,
    active_at: 2,
    ended_at: 3,
    succeeded_at: 3,
    result: 'ok',
    added: 4,
    error: "it's told",
  },
  source_memories: { ...OF_SOURCE, memory_id: 'm001', item_id: 'i1' },
  watched_files: {
    ...OF_SOURCE,
    path: 'a/b.vtt',
    size: 12,
    modified_at: 1,
    marker: '77',
    result: 'rejected',
    reason: 'it is empty',
    read_at: 2,
  },
  sessions: {
    ...OF_ANA,
    token_sha256: HASH,
    id: ID,
    way: 'passkey',
    agent: 'Firefox',
    created_at: 1,
    signed_in_at: 2,
    seen_at: 3,
    ends_at: 4,
    is_short: 1,
  },
  sign_in_links: { ...OF_ANA, secret_sha256: HASH, signed_in_at: 1, expires_at: 2 },
  challenges: { ...OF_ANA, challenge: 'c'.repeat(43), expires_at: 2 },
  passkeys: {
    ...OF_ANA,
    id: 'credential',
    label: 'Phone',
    public_key: 'MFkw',
    algorithm: -7,
    sign_count: 3,
    created_at: 1,
    last_used_at: 2,
  },
  passwords: { ...OF_ANA, hash: 'scrypt$15$8$3$salt$hash', set_at: 1 },
  sign_in_failures: { subject: 'ana', count: 2, last_at: 1 },
  account_events: { ...OF_ANA, at: 1, kind: 'sign-in', subject: 'link', agent: 'Firefox' },
  grants: {
    ...OF_ANA,
    id: ID,
    client_id: 'https://agent.example/client',
    client_name: 'Agent',
    redirect_host: 'agent.example',
    resource: 'https://memories.example/mcp',
    reads: 'summaries',
    started_after: 1,
    started_before: 2,
    created_at: 1,
    expires_at: 9,
    last_used_at: 3,
    tags: '["work", "home"]',
  },
  grant_tokens: {
    ...OF_ANA,
    token_sha256: HASH,
    grant_id: ID,
    kind: 'refresh',
    payload: '{"next": 1}',
    created_at: 1,
    expires_at: 9,
    used_at: 4,
  },
  oauth_clients: { id: ID, metadata: '{"name": "Agent"}', created_at: 1, kept_until: 9 },
  shares: {
    ...OF_ANA,
    secret_sha256: HASH,
    id: ID,
    memory_id: 'm001',
    content: '{}',
    created_at: 1,
    expires_at: 9,
    visits: 2,
  },
  key_reads: { ...OF_ANA, key_id: 'key-scoped', path: '/v1/memories', last_at: 5, count: 3 },
};

/** Returns the statements that fill all tables of a schema that `columns` names, but for those of memories. */
export function fillingOf(columns: ReadonlyMap<string, readonly string[]>): string {
  const statements = Object.entries(ROWS).map(([table, row]) => {
    const known = (columns.get(table) ?? []).filter((name) => name in row);
    const values = known.map((name) => literal(row[name] as string | number)).join();
    return known.length === 0 ? '' : `INSERT INTO ${table} (${known.join()}) VALUES (${values});`;
  });
  return statements.join('\n');
}

function literal(value: string | number): string {
  return typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`;
}
