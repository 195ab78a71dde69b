// doctor: its report about a healthy and an unhealthy database, without changing it.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it, type TestContext } from 'node:test';

import Database from 'better-sqlite3';

import { advise, type Advice, rules } from '../../src/cli/doctor/advice.ts';
import { inspectDisk } from '../../src/cli/doctor/disk.ts';
import type { Inspection } from '../../src/cli/doctor/rule.ts';
import { prepareMemory } from '../../src/store/import/memory-row.ts';
import type { RefusalCode } from '../../src/store/refusal.ts';
import { inspectFile } from '../../src/store/sqlite/check/inspect.ts';
import { findLeftovers } from '../../src/store/sqlite/files/safety-copy.ts';
import {
  createDatabase,
  openWriter,
  withFileWriterSync,
  type FileWriter,
} from '../../src/store/sqlite/writer.ts';
import { createDisk, fill, NO_MOUNT } from '../support/damage/full-disk.ts';
import { serveAlone } from '../support/processes/serve-process.ts';
import { startBeside } from '../support/processes/writer-process.ts';
import { issued } from '../support/world/artifacts.ts';
import { fullDetails } from '../support/world/details.ts';
import { ROOT, run, runProcess, stop } from '../support/world/program.ts';
import { createWorld, memories, memory } from '../support/world/world.ts';

/** The schema of this version. */
const LATEST = readdirSync(join(ROOT, 'sql/sqlite')).filter((name) => name.endsWith('.sql')).length;

const DAY_MS = 86_400_000;
const MB = 1e6;
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const NO_ROOT = isRoot ? false : 'needs root';

const DENIED = /needs permission to use it and to write in its folder/;

/** Runs a program as a user other than root, and the reason to skip a test that needs one. */
const AS_NOBODY = isRoot ? ['setpriv', `--reuid=${NOBODY}`, '--clear-groups'] : [];
const canRead = [...AS_NOBODY, 'test', '-r', `'${ROOT}package.json'`].join(' ');
const NO_OTHER =
  spawnSync('sh', ['-c', canRead]).status === 0 ? false : 'needs a project that others can read';

/** All codes that tests have provoked. */
const provoked = new Set<string>();

/** Creates a healthy database in a folder of its own, owned by a user who is not root. */
function createHealthy(t: TestContext, change: (writer: FileWriter) => void = () => {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'memory-gateway-doctor-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const database = join(folder, 'memories.db');
  createDatabase(database);
  withFileWriterSync(database, (writer) => {
    writer.accounts.create({ id: 'ana', name: 'Ana', created_by: 'command line' });
    writer.memories.put('ana', memory({ id: 'one' }));
    const expires_at = Date.now() + 90 * DAY_MS;
    issued(writer.keys.create({ account_id: 'ana', label: 'laptop', expires_at }).key);
    change(writer);
  });
  return handOver(database);
}

/** Gives a folder and its contents to a user who is not root. */
function handOver(database: string): string {
  const folder = dirname(database);
  if (!isRoot) return database;
  for (const name of ['.', ...readdirSync(folder)]) chownSync(join(folder, name), NOBODY, NOBODY);
  return database;
}

/** Returns the facts and the advice that the owner of a database gets. */
function look(database: string): { readonly known: Inspection; readonly advice: Advice[] } {
  if (isRoot) process.seteuid?.(NOBODY);
  try {
    const known = { ...inspectDisk(database, leftoversOf(database)), ...inspectFile(database) };
    return { known, advice: advise(known) };
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

/** Asserts a single finding and its text. Returns the facts. */
function assertOne(
  database: string,
  [level, code, says]: [Advice['level'], string, RegExp],
): Inspection {
  const { known, advice } = look(database);
  assertAdvice(advice, [level, code, says]);
  return known;
}

function assertAdvice(advice: readonly Advice[], ...expected: [Advice['level'], string, RegExp][]) {
  assert.deepEqual(
    advice.map(({ level, code }) => [level, code]),
    expected.map(([level, code]) => [level, code]),
    JSON.stringify(advice),
  );
  advice.forEach(({ code, detail }, i) => {
    assert.match(
      detail.replaceAll('npm run -s cli -- ', 'memory-gateway '),
      expected[i]?.[2] ?? /./,
    );
    assert.match(detail, /^[^\n]{20,}$/, 'one line');
    provoked.add(code);
  });
}

function edit(database: string, sql: string): string {
  const db = new Database(database);
  db.exec(sql);
  db.close();
  return handOver(database);
}

/** Returns everything visible of a folder: names, bytes, and modification times. */
function stateOf(folder: string): [string, string, number][] {
  return readdirSync(folder)
    .toSorted()
    .map((name) => {
      const path = join(folder, name);
      // In -shm, readers change only their own read marks.
      const bytes = name.endsWith('-shm') ? '' : readFileSync(path);
      const hash = createHash('sha256').update(bytes).digest('hex');
      return [name, hash, name.endsWith('-shm') ? 0 : statSync(path).mtimeMs];
    });
}

/** Finds leftovers like the engine does. */
const leftoversOf = (database: string) => ({ leftovers: () => findLeftovers(database) });

describe('doctor, about a healthy database', () => {
  it('prints facts and no advice', (t) => {
    const database = createHealthy(t, ({ accounts, keys, memories: put }) => {
      accounts.create({ id: 'bo', name: 'Bo', created_by: 'command line' });
      put.put('bo', memory({ id: 'two', started_at: '2026-12-01T00:00:00.000Z' }));
      const key = (account_id: string, expires_at: number | null) => {
        const made = keys.create({ account_id, label: 'test', expires_at });
        issued(made.key);
        return made.id;
      };
      key('bo', null);
      accounts.setDisabled('bo', true);
      key('ana', null);
      key('ana', Date.now() - 1);
      keys.revoke(key('ana', null));
    });
    const { known, advice } = look(database);
    assert.deepEqual(advice, []);
    assert.deepEqual(known.accounts, { active: 1, disabled: 1 });
    assert.deepEqual(known.keys, { active: 2, revoked: 1, expired: 1, disabled: 1 });
    assert.equal(known.keys_without_end, 1);
    assert.deepEqual(known.keys_expiring, []);
    assert.deepEqual([known.memories, known.changes], [2, 2]);
    assert.equal(known.oldest, Date.parse('2026-11-16T09:00:00.000Z'));
    assert.equal(known.newest, Date.parse('2026-12-01T00:00:00.000Z'));
    const { size } = statSync(database);
    assert.equal(known.size, size);
    assert.equal((known.pages ?? 0) * (known.page_size ?? 0), size);
    assert.deepEqual(
      [known.schema, known.schema_wanted, known.journal_mode],
      [LATEST, LATEST, 'wal'],
    );
    assert.equal(known.wal_size, null);
    assert.ok((known.free ?? 0) > 0);
    assert.deepEqual(
      known.files.map(({ path, mode }) => [path, mode]),
      [[database, 0o600]],
    );
    assert.equal(known.folder?.mode, 0o700);
  });

  it('counts what memories were made from, and what that takes', async (t) => {
    const bytes = Buffer.alloc(50_000, 'It hums. ');
    const database = createHealthy(t, ({ memories: put }) => {
      const original = { media_type: 'text/plain', bytes, reading: '{}' };
      const details = { ...fullDetails(), original };
      // One file of two memories is stored once.
      for (const id of ['two', 'three'])
        put.putReady([prepareMemory('ana', memory({ id }), details)]);
    });
    const { known } = look(database);
    assert.deepEqual([known.originals?.count, known.originals?.bytes], [1, 50_000]);
    assert.ok((known.originals?.stored ?? 0) > 0 && (known.originals?.stored ?? 0) < 1000);
    const { stdout } = await run(['doctor', '--database', database]);
    assert.match(stdout, /originals +1 of 50 kB, compressed to [\d.]+ kB/);
  });

  it('prints the file that a link points to', (t) => {
    const database = createHealthy(t);
    const link = join(dirname(database), 'link.db');
    symlinkSync(database, link);
    const { known, advice } = look(link);
    assert.deepEqual([known.path, known.real_path, advice], [link, database, []]);
  });
});

describe('doctor, about a database that cannot be served', () => {
  it('says that it is missing, older, newer, foreign or damaged, with the facts it could read', (t) => {
    const folder = dirname(createHealthy(t));
    const of = (name: string, sql: string): string => {
      const path = join(folder, name);
      copyFileSync(join(folder, 'memories.db'), path);
      return edit(path, sql);
    };
    const text = join(folder, 'text.db');
    writeFileSync(text, 'Dear diary, '.repeat(500), { mode: 0o600 });
    const empty = join(folder, 'empty.db');
    writeFileSync(empty, '', { mode: 0o600 });
    handOver(text);
    assertOne(join(folder, 'none.db'), [
      'fault',
      'missing',
      /create one with: memory-gateway migrate/,
    ]);
    const old = of(
      'old.db',
      'DROP TABLE change_epochs; DROP TABLE search_weeks; PRAGMA user_version = 1',
    );
    const known = assertOne(old, [
      'fault',
      'older',
      new RegExp(`schema version 1, but .* needs ${LATEST}; run: memory-gateway migrate`),
    ]);
    assert.deepEqual([known.schema, known.memories, known.accounts?.active], [1, 1, 1]);
    const newer = of('new.db', 'ALTER TABLE changes RENAME TO feed; PRAGMA user_version = 99');
    const its = assertOne(newer, [
      'fault',
      'newer',
      new RegExp(`schema version 99, but .* knows only ${LATEST}; use a newer version`),
    ]);
    assert.deepEqual([its.schema, its.memories, its.changes], [99, 1, null]);
    for (const path of [text, empty])
      assertOne(path, ['fault', 'foreign', /is not a Memory Gateway database; name another file/]);
    const lacking = of('lacking.db', 'DROP TABLE changes');
    assertAdvice(
      look(lacking).advice,
      ['fault', 'damaged', /lacks what this program reads; put a backup in its place with/],
      ['fault', 'schema', /^The table changes is missing; restore a backup, or export/],
    );
    assertOne(folder, ['fault', 'unusable', /is not a file; name a database file/]);
  });

  it('says that it is damaged, with the facts it read before the damage', (t) => {
    const database = createHealthy(t, (writer) => {
      writer.memories.putAll('ana', memories(300));
    });
    const db = new Database(database);
    const pages = db
      .prepare<[], number>(`SELECT pageno FROM dbstat WHERE name LIKE 'memories_by_%'`)
      .pluck()
      .all();
    db.close();
    const bytes = readFileSync(database);
    for (const page of pages) bytes.fill(0xff, (page - 1) * 4096, page * 4096);
    writeFileSync(database, bytes);
    handOver(database);
    const known = assertOne(database, [
      'fault',
      'damaged',
      /is damaged; put a backup in its place with/,
    ]);
    assert.deepEqual([known.schema, known.memories], [LATEST, null]);
  });

  it('says that it is locked', (t) => {
    const database = createHealthy(t);
    const other = new Database(database);
    t.after(() => other.close());
    other.pragma('locking_mode = EXCLUSIVE');
    other.exec('BEGIN EXCLUSIVE');
    handOver(database);
    assertOne(database, ['fault', 'locked', /is locked by another program/]);
  });

  it('says that it has no permission', (t) => {
    const database = createHealthy(t);
    const folder = dirname(database);
    for (const [path, mode, back] of [
      [database, 0o000, 0o600],
      [folder, 0o500, 0o700],
    ] as const) {
      chmodSync(path, mode);
      assertOne(database, ['fault', 'denied', DENIED]);
      chmodSync(path, back);
      assert.deepEqual(readdirSync(folder), ['memories.db']);
    }
    chmodSync(folder, 0o000);
    assertOne(database, [
      'fault',
      'unusable',
      /cannot be reached \(EACCES\); check the permissions/,
    ]);
    chmodSync(folder, 0o700);
  });
});

describe('doctor, about the permissions of a database', () => {
  it('finds files that other users can read, with the command to fix that', (t) => {
    const database = createHealthy(t);
    const writer = new Database(database);
    t.after(() => writer.close());
    writer.exec('BEGIN IMMEDIATE');
    handOver(database);
    chmodSync(database, 0o644);
    chmodSync(`${database}-wal`, 0o660);
    assertOne(database, [
      'fault',
      'readable',
      /memories\.db \(mode 0644\), \S+-wal \(mode 0660\); run: chmod 600 \S+memories\.db \S+-wal$/,
    ]);
  });

  it('finds a folder that other users can write to or list', (t) => {
    const database = createHealthy(t);
    const folder = dirname(database);
    for (const mode of [0o1777, 0o770, 0o702]) {
      chmodSync(folder, mode);
      assertOne(database, [
        'fault',
        'folder-writable',
        /move it to a folder that only its owner can use/,
      ]);
    }
    for (const mode of [0o755, 0o750, 0o701]) {
      chmodSync(folder, mode);
      assertOne(database, ['hint', 'folder-readable', /run: chmod 700 \S+$/]);
    }
  });

  it('finds files of another user, and a database of root', { skip: NO_ROOT }, (t) => {
    const database = createHealthy(t);
    const writer = new Database(database);
    writer.exec('BEGIN IMMEDIATE');
    handOver(database);
    chownSync(`${database}-shm`, 1234, 1234);
    const seen = { ...inspectDisk(database, leftoversOf(database)), ...inspectFile(database) };
    assertAdvice(advise(seen), [
      'fault',
      'other-owner',
      /^User 65534 uses the database but does not own \S+-shm; .*: chown 65534 \S+-shm$/,
    ]);
    writer.close();
    chownSync(database, 1234, 1234);
    chmodSync(database, 0o600);
    const { advice } = look(database);
    assert.deepEqual(
      advice.map(({ code }) => code),
      ['denied', 'other-owner'],
    );
    chownSync(database, 0, 0);
    chownSync(dirname(database), 0, 0);
    const root = { ...inspectDisk(database, leftoversOf(database)), ...inspectFile(database) };
    assertAdvice(advise(root), ['hint', 'root', /belongs to root; serve it as a user of its own/]);
  });

  it('finds a file with two names, which a killed command can leave', (t) => {
    const database = createHealthy(t);
    linkSync(database, `${dirname(database)}/copy.db`);
    assertOne(database, [
      'fault',
      'hard-links',
      /has 2 names \(hard links\), .* find -samefile \S+memories\.db/,
    ]);
  });
});

describe('doctor, about the disk', () => {
  it('finds a disk that is full, nearly full, or lost on restart', { skip: NO_MOUNT }, (t) => {
    const database = join(createDisk(t, 20 * MB), 'memories.db');
    copyFileSync(createHealthy(t, bigger), database);
    chmodSync(database, 0o600);
    handOver(database);
    const inMemory = ['hint', 'in-memory', /is in memory \(tmpfs\)/] as const;
    assertAdvice(look(database).advice, [...inMemory]);
    let free = fill(dirname(database), 4.5 * MB);
    assertAdvice(
      look(database).advice,
      ['hint', 'disk-nearly-full', /has 4\.5 MB left, less than the size of the database/],
      [...inMemory],
    );
    free();
    free = fill(dirname(database), MB);
    assertAdvice(
      look(database).advice,
      ['fault', 'disk-full', /has only (999 kB|1\.0 MB) left/],
      [...inMemory],
    );
    free();
    fill(dirname(database));
    assertAdvice(
      look(database).advice,
      ['fault', 'full', /cannot be written, the disk is full/],
      ['fault', 'disk-full', /has only 0\.0 kB left/],
      [...inMemory],
    );
  });

  it('finds a shared disk, FUSE and an old SQLite, which test machines do not have', (t) => {
    const { known } = look(createHealthy(t));
    for (const file_system of ['NFS', 'SMB', '9P', 'Ceph', 'AFS'])
      assertAdvice(advise({ ...known, file_system }), [
        'fault',
        'shared-disk',
        /move it to a local disk/,
      ]);
    assertAdvice(advise({ ...known, file_system: 'FUSE' }), ['hint', 'fuse', /one machine only/]);
    for (const sqlite of ['3.41.2', '2.8.17'])
      assertAdvice(advise({ ...known, sqlite }), ['fault', 'sqlite-too-old', /which needs 3\.42/]);
    for (const sqlite of ['3.42.0', '3.100.0', '4.0.0'])
      assert.deepEqual(advise({ ...known, sqlite }), []);
  });

  it('finds temporary files of killed commands, but not of running ones', (t) => {
    const database = createHealthy(t);
    const kept = ['before-migrate-20261118T090000000Z', 'before-restore-20261118T090000000Z'];
    const ends = ['0c7e3a91.new', '0c7e3a91.new-journal', '0c7e3a91.new-wal'];
    const drafts = [...ends, ...kept.map((name) => `${name}.0c7e3a91.new`)].map(
      (end) => `${database}.${end}`,
    );
    const others = ['11111111.new', 'bak'].map((end) => `${database}.${end}`);
    for (const path of [...drafts, ...others, 'other.new'])
      writeFileSync(join(dirname(database), path.replace(/.*\//, '')), '', { mode: 0o600 });
    for (const path of drafts) utimesSync(path, new Date(), Date.now() / 1000 - 3700);
    utimesSync(`${database}.bak`, new Date(), Date.now() / 1000 - 3700);
    assertOne(database, ['hint', 'draft', new RegExp(`: rm -r ${drafts.join(' ')}$`)]);
  });

  it('finds the safety copies of restores and migrations, with their size', (t) => {
    const database = createHealthy(t);
    const kept = ['migrate', 'restore'].map(
      (before) => `${database}.before-${before}-20261118T090000000Z`,
    );
    for (const path of kept) writeFileSync(path, Buffer.alloc(2_000_000), { mode: 0o600 });
    writeFileSync(`${database}.before-lunch`, '', { mode: 0o600 });
    const known = assertOne(database, [
      'hint',
      'kept',
      new RegExp(`take 4\\.0 MB; .*: rm ${kept.join(' ')}$`),
    ]);
    assert.deepEqual(
      known.kept,
      kept.map((path) => ({ path, size: 2_000_000 })),
    );
  });
});

describe('doctor, about the file', () => {
  it('finds another journal mode, and names the command to fix it', async (t) => {
    const database = edit(createHealthy(t), 'PRAGMA journal_mode = DELETE');
    assertOne(database, [
      'hint',
      'journal-mode',
      /is delete, .*memory-gateway migrate --database \S+$/,
    ]);
    assert.equal((await run(['migrate', '--database', database])).code, 0);
    assert.deepEqual(look(handOver(database)).advice, []);
  });

  it('finds tables, columns, indexes and triggers that are missing, changed or not ours', (t) => {
    for (const [sql, says] of [
      ['DROP TABLE change_epochs', /^The table change_epochs is missing; restore a backup, or/],
      ['DROP INDEX memories_by_state', /^The index memories_by_state is missing; restore/],
      ['DROP TRIGGER memories_updated', /^The trigger memories_updated is missing; restore/],
      [
        'ALTER TABLE changes ADD COLUMN x TEXT',
        /^The table changes differs from the one that this program creates/,
      ],
      ['CREATE TABLE mine (x)', /^The table mine does not belong to this program; drop it if you/],
    ] as const)
      assertOne(edit(createHealthy(t), sql), ['fault', 'schema', says]);
    const statistics = edit(createHealthy(t), 'ANALYZE');
    assert.deepEqual(look(statistics).advice, []);
  });

  it('finds a large log, and names the command to shrink it', async (t) => {
    const database = createHealthy(t);
    const writer = new Database(database);
    writer.pragma('wal_autocheckpoint = 0');
    writer.exec('CREATE TABLE much (x); INSERT INTO much VALUES (zeroblob(33000000))');
    writer.exec('DROP TABLE much');
    handOver(database);
    assertAdvice(
      look(database).advice,
      ['hint', 'large-log', /has 33 MB; .* then run: memory-gateway accounts list --database \S+$/],
      ['hint', 'free-pages', /^33 MB of the file are free/],
    );
    assert.equal((await run(['accounts', 'list', '--database', database])).code, 0);
    writer.close();
    assertOne(handOver(database), ['hint', 'free-pages', /used for the next memories/]);
  });
});

describe('doctor, about the contents of a database', () => {
  it('names the next command if there is no account, key or memory', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'memory-gateway-doctor-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const database = join(folder, 'memories.db');
    createDatabase(database);
    handOver(database);
    assertOne(database, [
      'hint',
      'no-account',
      /memory-gateway accounts create NAME --database \S+$/,
    ]);
    withFileWriterSync(database, ({ accounts }) =>
      accounts.create({ id: 'ana', name: 'Ana', created_by: 'command line' }),
    );
    handOver(database);
    assertAdvice(
      look(database).advice,
      ['hint', 'no-key', /memory-gateway keys create --account ACCOUNT --database \S+$/],
      ['hint', 'no-memory', /There is no memory yet/],
    );
    withFileWriterSync(database, ({ accounts, memories: { put } }) => {
      put('ana', memory({ id: 'one' }));
      accounts.setDisabled('ana', true);
    });
    assert.deepEqual(look(handOver(database)).advice, [], 'closed on purpose');
  });

  it('names keys that expire within 30 days, earliest first, or counts them from ten on', (t) => {
    const database = createHealthy(t, ({ keys }) => {
      for (const days of [29.9, 3, 30.1])
        keys.create({
          account_id: 'ana',
          label: `${days}`,
          expires_at: Date.now() + days * DAY_MS,
        });
    });
    const { known, advice } = look(database);
    assert.deepEqual(
      known.keys_expiring?.map(({ label }) => label),
      ['3', '29.9'],
    );
    assertAdvice(
      advice,
      [
        'hint',
        'key-expires',
        /^Key \S+ \("3"\) of account ana expires at .*: memory-gateway keys rotate \S+ --database/,
      ],
      ['hint', 'key-expires', /\("29\.9"\)/],
    );
    withFileWriterSync(database, ({ keys }) => {
      for (let i = 0; i < 10; i++)
        keys.create({ account_id: 'ana', label: 'x', expires_at: Date.now() + DAY_MS });
    });
    const many = look(handOver(database)).advice.map(({ detail }) => detail);
    assert.equal(many.length, 11);
    assert.match(many[10] ?? '', /^2 more keys expire soon; see all with: .*keys list/);
  });
});

describe('doctor, about the use of keys', () => {
  /** Creates a database with a key for each label, last used so many days ago. */
  const withUses = (t: TestContext, days: Readonly<Record<string, number>>) => {
    const database = createHealthy(t, ({ keys }) => {
      for (const label of Object.keys(days))
        keys.create({ account_id: 'ana', label, expires_at: null });
    });
    for (const [label, ago] of Object.entries(days))
      edit(
        database,
        `UPDATE api_keys SET last_used_at = ${Date.now() - ago * DAY_MS} WHERE label = '${label}'`,
      );
    return database;
  };

  it('names keys that were not used for 90 days', (t) => {
    const { known, advice } = look(withUses(t, { laptop: 0, phone: 89, tablet: 91, radio: 400 }));
    assert.deepEqual(
      known.keys_unused?.map(({ label }) => label),
      ['radio', 'tablet'],
    );
    assertAdvice(
      advice,
      [
        'hint',
        'key-unused',
        /^Key \S+ \("radio"\) of account ana was last used at .*; if nobody needs it, run: memory-gateway keys revoke \S+ --database/,
      ],
      ['hint', 'key-unused', /\("tablet"\)/],
    );
  });

  it('says nothing of keys while no use is recorded', (t) => {
    const { known, advice } = look(withUses(t, { tablet: 91, radio: 400 }));
    assert.deepEqual([known.keys_unused, advice], [[], []]);
  });
});

describe('doctor, about sources', () => {
  const HOUR_MS = 3_600_000;

  /** Creates a database with a source, with changes of its row. */
  const withSource = (t: TestContext, set: string) =>
    edit(
      createHealthy(t, ({ sources }) => {
        sources.start({ account_id: 'ana', name: 'limitless', kind: 'pull', settings: '{}' });
      }),
      `UPDATE sources SET ${set}`,
    );
  const ago = (hours: number) => `active_at = ${Date.now() - hours * HOUR_MS}`;

  it('says which one failed, and why', (t) => {
    const set = `result = 'failed', error = 'limitless refuses the credential (401).'`;
    assertOne(withSource(t, set), [
      'hint',
      'source-failed',
      /^The last run of source limitless of account ana failed at .*Z: limitless refuses the credential \(401\)\. If you no longer need it, run: memory-gateway sources forget limitless --account ana --database/,
    ]);
  });

  it('says which one has not run for three times its usual interval, or for seven days', (t) => {
    const late: [Advice['level'], string, RegExp] = [
      'hint',
      'source-late',
      /^The source limitless of account ana has not run since .*: memory-gateway sources forget limitless --account ana --database/,
    ];
    assertOne(withSource(t, `${ago(25)}, interval_ms = ${HOUR_MS}`), late);
    assertOne(withSource(t, ago(24 * 7 + 1)), late);
    for (const set of [
      `${ago(23)}, interval_ms = ${HOUR_MS}`,
      `${ago(60)}, interval_ms = ${24 * HOUR_MS}`,
      ago(24 * 6),
    ])
      assert.deepEqual(look(withSource(t, set)).advice, []);
  });
});

describe('doctor', () => {
  it('changes neither an unused file nor one that a killed writer left', (t) => {
    const database = createHealthy(t);
    const folder = dirname(database);
    const atRest = stateOf(folder);
    look(database);
    assert.deepEqual(stateOf(folder), atRest);

    const writer = openWriter(database);
    writer.memories.put('ana', memory({ id: 'late' }));
    const left = join(folder, 'left');
    for (const end of ['', '-wal', '-shm']) copyFileSync(database + end, left + end);
    writer.close();
    handOver(database);
    const killed = stateOf(folder);
    assert.ok(statSync(`${left}-wal`).size > 0);
    assert.equal(look(left).known.memories, 2, 'what is in the log counts');
    assert.deepEqual(stateOf(folder), killed);

    rmSync(`${left}-shm`);
    const { known } = look(left);
    assert.deepEqual([known.trouble, known.memories], [null, 2]);
    assert.deepEqual(stateOf(folder), killed, 'but for a new -shm');
  });

  it('creates no file beside a database in a read-only folder', { skip: NO_OTHER }, async (t) => {
    const database = createHealthy(t);
    chmodSync(database, 0o400);
    const { code, stdout } = await runProcess(['doctor', '--database', database], {
      under: AS_NOBODY,
    });
    assert.equal(code, 1);
    assert.match(stdout, DENIED);
    assert.deepEqual(readdirSync(dirname(database)), ['memories.db']);
  });

  it('changes nothing while a server runs, and reports the same as without it', async (t) => {
    const database = createHealthy(t);
    const { child } = await serveAlone(t, database);
    handOver(database);
    const before = stateOf(dirname(database));
    assert.deepEqual(look(database).advice, []);
    assert.deepEqual(stateOf(dirname(database)), before);
    assert.equal(await stop(child), 0);
  });

  it('works while another process writes, and finds no faults then', async (t) => {
    const world = await createWorld(t);
    world.addAccount('ana');
    const beside = await startBeside(t, world, 'ana');
    for (let i = 0; i < 20; i++) {
      await beside.more();
      const { trouble, memories: count, changes } = inspectFile(world.database);
      assert.equal(trouble, null);
      assert.ok((count ?? 0) > 0 && (changes ?? 0) >= (count ?? 0));
    }
    assert.equal(await beside.end(), 0);
  });

  it('prints a table and advice, or JSON, and exits with 1 for faults only', async (t) => {
    const database = createHealthy(t);
    const on = ['--database', database];
    const well = await run(['doctor', ...on]);
    assert.deepEqual([well.code, well.stderr], [0, '']);
    assert.match(well.stdout, /^DATABASE +\S+memories\.db\nsize +\d+ kB: \d+ pages of 4096 bytes/);
    assert.match(well.stdout, /\nkeys +1 active, 0 revoked, 0 expired, 0 disabled\n/);
    assert.match(well.stdout, /\nmemories +1, from 2026-11-16 09:00Z to 2026-11-16 09:00Z\n/);
    assert.match(well.stdout, /\nversions +memory-gateway [\d.]+, Node [\d.]+, SQLite [\d.]+\n/);
    assert.match(well.stdout, /\n\n✓ No problems found\.\n$/);

    chmodSync(dirname(database), 0o755);
    const hint = await run(['doctor', ...on]);
    assert.equal(hint.code, 0);
    assert.match(hint.stdout, /\n\n! Other users can list the folder of the database, .*\n$/);

    chmodSync(database, 0o644);
    const fault = await run(['doctor', '--json', ...on]);
    assert.deepEqual([fault.code, fault.stderr], [1, '']);
    const { facts, advice } = JSON.parse(fault.stdout);
    assert.deepEqual(
      advice.map((each: Advice) => [each.code, each.level, Object.keys(each)]),
      [
        ['readable', 'fault', ['code', 'level', 'detail']],
        ['folder-readable', 'hint', ['code', 'level', 'detail']],
      ],
    );
    assert.deepEqual([facts.files[0].mode, facts.folder.mode], ['0644', '0755']);
    assert.deepEqual([facts.node_wanted, facts.oldest], ['>= 22.18', '2026-11-16T09:00:00.000Z']);
    assert.match((await run(['doctor', ...on])).stdout, /\n\n✗ Other users can open .*\n! /);

    const missing = await run(['doctor', '--database', `${database}x`]);
    assert.deepEqual([missing.code, missing.stderr], [1, '']);
    assert.match(missing.stdout, /\n\n✗ There is no database at \S+; create one with/);
    assert.ok(!existsSync(`${database}x`));
    assert.equal((await run(['doctor', 'x', ...on])).code, 2);
  });

  it('reports an empty log as empty', async (t) => {
    const database = createHealthy(t);
    writeFileSync(`${database}-wal`, '', { mode: 0o600 });
    const { stdout } = await run(['doctor', '--database', database]);
    assert.match(stdout, /\nlog +empty, journal mode wal\n/);
  });

  it('prints no text of memories and no part of keys', async (t) => {
    const words = ['quokka', 'numbat', 'potoroo', 'dunnart'];
    const [name = '', quick_summary = '', takeaway = '', transcript = ''] = words;
    const summary = { quick_summary, key_takeaways: [takeaway] };
    const database = createHealthy(t, (writer) => {
      writer.memories.put('ana', memory({ id: 'bilby', name, summary, transcript }));
      const expires_at = Date.now() + DAY_MS;
      issued(writer.keys.create({ account_id: 'ana', label: 'soon', expires_at }).key);
    });
    const db = new Database(database, { readonly: true });
    const secrets = db
      .prepare<[], string[]>('SELECT key_sha256, last_four FROM api_keys')
      .raw()
      .all()
      .flat();
    db.close();
    for (const args of [[], ['--json']]) {
      const { stdout } = await run(['doctor', '--database', handOver(database), ...args]);
      assert.match(stdout, /soon/);
      const said = stdout.replaceAll(/[0-9a-f-]{36}|\d+/g, '');
      for (const word of [...words, 'bilby', ...secrets]) assert.ok(!said.includes(word), word);
    }
  });
});

function bigger(writer: FileWriter): void {
  writer.memories.putAll('ana', memories(120, 50_000));
}

after(() => {
  const troubles: RefusalCode[] = [
    ...(['missing', 'foreign', 'older', 'newer', 'locked', 'damaged'] as const),
    ...(['denied', 'full', 'unusable'] as const),
  ];
  const expected = new Set([...rules.map(([code]) => code), ...troubles]);
  if (isRoot && !NO_MOUNT) assert.deepEqual(provoked, expected, 'each advice has been provoked');
});
