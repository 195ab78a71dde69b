// export: all memories of an account, as one snapshot, complete or not at all.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { promisify } from 'node:util';

import { readArgs } from '../../src/cli/args/args.ts';
import { UsageError } from '../../src/cli/args/parse.ts';
import { readFixtures } from '../../src/cli/commands/database/seed.ts';
import { exportCommand } from '../../src/cli/export/export.ts';
import { countMemories } from '../../src/store/accounts/accounts.ts';
import type { Snapshot } from '../../src/store/engine.ts';
import { engineOf } from '../../src/store/engines.ts';
import { Refusal } from '../../src/store/refusal.ts';
import { createDatabase } from '../../src/store/sqlite/writer.ts';
import { onlyFiles } from '../support/engines/engine.ts';
import { send } from '../support/wire/wire.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { filesIn } from '../support/world/files-in.ts';
import { createContext } from '../support/world/program-in-process.ts';
import {
  noLoading,
  PROGRAM_WORDS,
  run,
  runProcess,
  startProcess,
} from '../support/world/program.ts';
import { createWorld, memories, memory } from '../support/world/world.ts';

const mira = [...(readFixtures().find(({ id }) => id === 'mira')?.memories ?? [])];

/** Creates a world with Mira's memories, and the command for it. */
async function createMira(t: TestContext) {
  const world = await createWorld(t);
  const key = world.addAccount('mira', mira);
  const out = (...args: string[]) => run(['export', '--database', world.database, ...args]);
  const folder = newFolder();
  return { world, key, out, folder, at: (name: string) => join(folder, name) };
}

/** Counts the memories of ana in a snapshot. */
async function countIn({ connection }: Snapshot): Promise<number | undefined> {
  return (await connection.prepare(countMemories).get({ account_id: 'ana' }))?.n;
}

function assertWhole(folder: string): void {
  const files = filesIn(folder);
  const sums = files.get('SHA256SUMS') ?? '';
  files.delete('SHA256SUMS');
  const listed = sums.split('\n').slice(0, -1);
  assert.deepEqual(
    listed.toSorted(),
    Array.from(files, ([name, text]) => `${hash('sha256', text)}  ${name}`).toSorted(),
  );
}

describe('export', () => {
  it('writes the same bytes as the API, oldest first, and prints their number and hash', async (t) => {
    const { world, key, out, at } = await createMira(t);
    const { text: all } = await send(world.port, { key, path: '/v1/memories?order=asc' });
    const bodies = (JSON.parse(all) as unknown[]).map((each) => JSON.stringify(each));
    assert.equal(bodies.length, mira.length);
    const lines = await out();
    assert.equal(lines.stdout, bodies.map((body) => `${body}\n`).join(''));
    assert.equal(`[${lines.stdout.trimEnd().replaceAll('\n', ',')}]`, all);
    assert.equal(
      lines.stderr,
      `Exported ${bodies.length} memories of account mira; the SHA-256 is ${hash('sha256', lines.stdout)}.\n`,
    );
    const array = await out('--format', 'json');
    assert.equal(array.stdout, `[\n${lines.stdout.trimEnd().replaceAll('\n', ',\n')}\n]\n`);
    assert.deepEqual(JSON.parse(array.stdout), JSON.parse(all));

    const told = await out('--output', at('mira.jsonl'), '--json');
    assert.deepEqual([told.code, told.stderr], [0, '']);
    assert.deepEqual(JSON.parse(told.stdout), {
      account_id: 'mira',
      format: 'jsonl',
      output: at('mira.jsonl'),
      memories: bodies.length,
      sha256: hash('sha256', lines.stdout),
    });
    assert.equal(readFileSync(at('mira.jsonl'), 'utf8'), lines.stdout);
    assert.equal(statSync(at('mira.jsonl')).mode & 0o777, 0o600);
  });

  it('uses the only account, and asks for --account if there are several', async (t) => {
    const { world, out } = await createMira(t);
    world.addAccount('ana');
    const which = await out();
    assert.deepEqual([which.code, which.stdout], [2, '']);
    assert.equal(
      which.stderr,
      'memory-gateway: Give --account ACCOUNT, one of mira (Account mira), ana (Account ana).\n',
    );
    const [none, empty] = [
      await out('--account', 'ana'),
      await out('--account', 'ana', '--format', 'json'),
    ];
    assert.deepEqual([none.code, none.stdout, empty.stdout], [0, '', '[]\n']);
    world.writer.accounts.setDisabled('mira', true);
    assert.equal((await out('--account', 'mira')).code, 0, 'its owner can take them out still');
    const unknown = await out('--account', 'bo');
    assert.deepEqual([unknown.code, unknown.stdout], [1, '']);
    assert.match(unknown.stderr, /^memory-gateway: There is no account "bo"; .*\n$/);
  });

  it('writes a folder of Markdown that sha256sum accepts', async (t) => {
    const { out, at } = await createMira(t);
    const { code, stderr } = await out('--format', 'markdown', '--output', at('notes'));
    assert.equal(code, 0, stderr);
    assertWhole(at('notes'));
    const files = filesIn(at('notes'));
    assert.equal(files.size, 1 + mira.length);
    for (const { id } of mira)
      assert.ok(
        [...files.values()].some((text) => text.includes(`\nid: "${id}"\n`)),
        id,
      );
    assert.ok(
      stderr.endsWith(
        ` the SHA-256 of SHA256SUMS is ${hash('sha256', files.get('SHA256SUMS') ?? '')}.\n`,
      ),
    );
    const { stdout } = await promisify(execFile)('sha256sum', ['-c', 'SHA256SUMS'], {
      cwd: at('notes'),
    });
    assert.equal(stdout.split(': OK\n').length, files.size);
  });

  it('writes the same bytes every time', async (t) => {
    const { out, at } = await createMira(t);
    for (const name of ['a', 'b']) {
      assert.equal((await out('--output', at(`${name}.jsonl`))).code, 0);
      assert.equal((await out('--output', at(name), '--format', 'markdown')).code, 0);
    }
    assert.equal(readFileSync(at('a.jsonl'), 'utf8'), readFileSync(at('b.jsonl'), 'utf8'));
    assert.deepEqual(filesIn(at('a')), filesIn(at('b')));
  });

  it('has no changes of another process that writes during the export', async (t) => {
    const world = await createWorld(t);
    world.addAccount('ana', memories(50, 20_000)); // several batches
    const ids = await engineOf(world.database).withSnapshot(async (snapshot) => {
      const seen: string[] = [];
      for await (const items of snapshot.memories('ana')) {
        if (seen.length === 0) {
          world.writer.memories.put(
            'ana',
            memory({ id: 'new', started_at: '2027-01-01T00:00:00.000Z' }),
          );
          world.writer.memories.put('ana', memory({ id: 'm049', transcript: 'changed' }));
          world.writer.memories.delete('ana', 'm040');
        }
        for (const { id, bytes } of items) {
          assert.doesNotMatch(Buffer.from(bytes).toString(), /changed/);
          seen.push(id);
        }
      }
      assert.equal(await countIn(snapshot), 50);
      return seen;
    });
    assert.deepEqual(
      ids,
      memories(50).map(({ id }) => id),
    );
    const after = await engineOf(world.database).withSnapshot(countIn);
    assert.equal(after, 50, 'one more, one less');
  });

  it('replaces nothing without --overwrite', async (t) => {
    const { world, out, at } = await createMira(t);
    writeFileSync(at('file'), 'mine');
    mkdirSync(at('full'));
    writeFileSync(at('full/mine.md'), 'mine');
    mkdirSync(at('empty'));
    symlinkSync(at('nothing'), at('dangling'));
    symlinkSync(world.database, at('database'));
    const calls: [error: typeof UsageError | typeof Refusal, args: string[], says: RegExp][] = [
      [
        Refusal,
        ['--output', at('file')],
        /exists already; give another name, or add --overwrite\./,
      ],
      [Refusal, ['--output', at('full')], /is not a file; name a file\./],
      [Refusal, ['--output', at('dangling')], /is a link to nothing; remove it first\./],
      [Refusal, ['--output', at('no/such')], /There is no folder .*; make it first\./],
      [
        Refusal,
        ['--output', at('file/x')],
        /cannot be reached \(ENOTDIR\)|There is no folder|cannot be created \(ENOTDIR\)/,
      ],
      [Refusal, ['--output', '/dev/null', '--overwrite'], /is not a file; name a file\./],
      [
        Refusal,
        ['--format', 'markdown', '--output', at('file')],
        /is not a folder; name a folder\./,
      ],
      [
        Refusal,
        ['--format', 'markdown', '--output', at('full')],
        /is not empty; name another folder, or add --overwrite\./,
      ],
      [
        Refusal,
        ['--format', 'markdown', '--output', at('full'), '--overwrite'],
        /because mine\.md in it is not from an export; name another folder\./,
      ],
      [
        UsageError,
        ['--format', 'markdown'],
        /Give --output FOLDER; --format markdown writes a folder of files\./,
      ],
      [
        UsageError,
        ['--format', 'docx'],
        /--format takes jsonl, json, csv, markdown, vtt, srt, txt, bookmarks, searches, not "docx"\./,
      ],
      [UsageError, ['--json'], /--json needs --output/],
      [UsageError, ['--overwrite'], /--overwrite needs --output\./],
    ];
    const belongs = /belongs to the database; choose another name\./;
    if (!onlyFiles)
      for (const path of [world.database, `${world.database}-wal`, at('database')])
        calls.push([Refusal, ['--output', path, '--overwrite'], belongs]);
    for (const [error, args, says] of calls) {
      const work = async () =>
        exportCommand.run(
          readArgs(['--database', world.database, ...args], exportCommand.options, {
            env: {},
            overrides: exportCommand.overrides,
          }),
          createContext().context,
        );
      await assert.rejects(work, (thrown) => {
        assert.ok(thrown instanceof error, args.join(' '));
        assert.match(thrown.message, says);
        return true;
      });
    }
    assert.equal(readFileSync(at('file'), 'utf8'), 'mine');
    assert.equal(readFileSync(at('full/mine.md'), 'utf8'), 'mine');
    assert.deepEqual(readdirSync(at('.')).toSorted(), [
      'dangling',
      'database',
      'empty',
      'file',
      'full',
    ]);
    assert.equal((await out('--output', at('empty'), '--format', 'markdown')).code, 0);
    assertWhole(at('empty'));
  });

  it('refuses file names that SQLite would use for the database', async () => {
    const folder = newFolder();
    const at = (name: string) => join(folder, name);
    const database = at('rest.db');
    createDatabase(database, ({ accounts }) =>
      accounts.create({ id: 'ana', name: 'Ana', created_by: 'command line' }),
    );
    symlinkSync(folder, at('link'));
    for (const end of ['-journal', '-wal', '-shm']) {
      for (const name of [`rest.db${end}`, `./link/rest.db${end}`]) {
        for (const format of ['jsonl', 'markdown']) {
          const args = ['--database', database, '--output', at(name), '--format', format];
          await assert.rejects(
            async () =>
              exportCommand.run(
                readArgs(args, exportCommand.options, { ...exportCommand, env: {} }),
                createContext().context,
              ),
            { name: 'Refusal', message: /belongs to the database; choose another name\.$/ },
            `${format} to ${name}`,
          );
        }
      }
    }
    const left = readdirSync(folder).filter((name) => !/-(wal|shm)$/.test(name)); // files of a read connection
    assert.deepEqual(left.toSorted(), ['link', 'rest.db']);
  });

  it('replaces a file or the folder of an earlier export with --overwrite', async (t) => {
    const { world, out, at } = await createMira(t);
    const both = async () => {
      const one = await out('--output', at('file'), '--overwrite');
      const two = await out('--output', at('notes'), '--format', 'markdown', '--overwrite');
      assert.deepEqual([one.code, two.code], [0, 0], one.stderr + two.stderr);
    };
    await both();
    const before = filesIn(at('notes'));
    world.writer.memories.put('mira', memory({ id: 'new', name: 'New one' }));
    world.writer.memories.delete('mira', '2026-11-18-memo-milk');
    await both();
    assertWhole(at('notes'));
    const after = filesIn(at('notes'));
    assert.equal(after.size, before.size);
    assert.ok(
      after.has('2026/2026-11-16 New one.md') && !after.has('2026/2026-11-18 Voice memo.md'),
    );
    assert.match(readFileSync(at('file'), 'utf8'), /"id":"new"/);
    writeFileSync(at('notes/2026/mine.md'), 'mine');
    const other = await out('--output', at('notes'), '--format', 'markdown', '--overwrite');
    assert.equal(other.code, 1);
    assert.match(other.stderr, /because 2026\/mine\.md in it is not from an export;/);
    assert.deepEqual(readdirSync(at('.')).toSorted(), ['file', 'notes'], 'no draft is left');
  });

  it(
    'leaves whole notes if it is killed while it replaces a folder, and can replace it again',
    { skip: noLoading },
    async (t) => {
      const { world, out, at } = await createMira(t);
      const words = ['--format', 'markdown', '--overwrite', '--output'];
      const exportTo = async (name: string) =>
        assert.equal((await out(...words, at(name))).code, 0);
      await exportTo('notes');
      const old = new Set(filesIn(at('notes')).values());
      world.writer.memories.put('mira', memory({ id: 'new', name: 'New one' }));
      world.writer.memories.delete('mira', '2026-11-18-memo-milk');
      await exportTo('next');
      const next = new Set(filesIn(at('next')).values());
      for (const count of [1, 2, 3]) {
        const code = `import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module'; let left = ${count}; const rename = fs.renameSync; fs.renameSync = (...args) => { rename(...args); if (--left === 0) process.kill(process.pid, 'SIGKILL'); }; syncBuiltinESMExports();`;
        const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` };
        const killed = await runProcess(
          ['export', '--database', world.database, ...words, at('notes')],
          {
            env,
          },
        );
        assert.notEqual(killed.code, 0);
        const found = filesIn(at('notes'));
        found.delete('SHA256SUMS');
        assert.ok(found.size > 0);
        assert.deepEqual(
          [...found.values()].filter((text) => !old.has(text) && !next.has(text)),
          [],
        );
      }
      await exportTo('notes');
      assertWhole(at('notes'));
      assert.deepEqual(filesIn(at('notes')), filesIn(at('next')));
      assert.deepEqual(
        readdirSync(at('.')).toSorted(),
        ['next', 'notes'],
        'nothing is left behind',
      );
    },
  );

  it('leaves the old file or none if the disk is full', async (t) => {
    const { out, at, world } = await createMira(t);
    writeFileSync(at('old'), 'old');
    for (const args of [
      ['--output', at('new')],
      ['--output', at('old'), '--overwrite'],
      ['--output', at('notes'), '--format', 'markdown'],
    ]) {
      // A limit on the file size stands in for a full disk: 8 blocks of 512 bytes.
      const line = `ulimit -f 8; exec "$@"`;
      const command = [...PROGRAM_WORDS, 'export', '--database', world.database, ...args];
      // The coverage output would reach the limit, too.
      const env = { ...process.env, NODE_V8_COVERAGE: '' };
      const ended = await promisify(execFile)('sh', ['-c', line, 'sh', ...command], { env }).then(
        () => assert.fail('there was room'),
        (error: { code: number; stderr: string }) => error,
      );
      assert.equal(ended.code, 1, ended.stderr);
      assert.match(ended.stderr, /^memory-gateway: \S+ could not be written \(EFBIG\); [^\n]+\n$/);
    }
    assert.deepEqual(readdirSync(at('.')), ['old']);
    assert.equal(readFileSync(at('old'), 'utf8'), 'old');
    assert.equal((await out('--output', '/proc/mira.jsonl')).code, 1);
  });

  it('ends without a word if its reader leaves, and in one sentence if the disk is full', async (t) => {
    const world = await createWorld(t);
    world.addAccount('ana', memories(200, 100_000));
    const child = startProcess(['export', '--database', world.database]);
    let said = '';
    child.stderr.on('data', (part: Buffer) => (said += part.toString()));
    await once(child.stdout, 'data');
    child.stdout.destroy();
    const [code] = await once(child, 'close');
    assert.equal(code, 1);
    assert.equal(said, '');
    const full = await promisify(execFile)('sh', [
      '-c',
      '"$@" > /dev/full',
      'sh',
      ...PROGRAM_WORDS,
      'export',
      '--database',
      world.database,
    ]).then(
      () => assert.fail('there was room'),
      (error: { code: number; stderr: string }) => error,
    );
    assert.equal(full.code, 1);
    assert.match(
      full.stderr,
      /^memory-gateway: Standard output could not be written \(ENOSPC\); [^\n]+\n$/,
    );
  });
});
