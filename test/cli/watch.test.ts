// watch: which files of a folder are imported, when, and what becomes of the others.

import assert from 'node:assert/strict';
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';

import { packTar } from 'modern-tar';

import { openEntry } from '../../src/cli/import/sources.ts';
import {
  createCandidates,
  factsOf,
  isIncomplete,
  wasRead,
} from '../../src/sources/watch/candidates.ts';
import { moveAside } from '../../src/sources/watch/move-aside.ts';
import { zipOf } from '../support/formats/zip-writer.ts';
import { captions, createInbox } from '../support/world/inbox.ts';
import { ROOT, run, stop, waitFor } from '../support/world/program.ts';

const MORE = '00:00:04.000 --> 00:00:05.000\nMira: I order it tonight.\n';

describe('A watched folder', () => {
  it('gives its new and changed files, and each only once', async (t) => {
    const inbox = await createInbox(t);
    inbox.write('a.vtt');
    inbox.write('team/b.vtt');
    const first = await inbox.once();
    assert.deepEqual([first.code, first.files, first.added], [0, 2, 2]);
    assert.deepEqual(await inbox.ids(), ['a.vtt', 'b.vtt']);
    assert.equal((await inbox.once()).files, 0);
    inbox.write('a.vtt', `${captions('The garlic goes in by Friday.')}\n${MORE}`);
    const third = await inbox.once();
    assert.deepEqual([third.files, third.added, third.updated], [1, 0, 1]);
    const [source] = inbox.world.writer.sources.list();
    assert.deepEqual(
      [source?.kind, source?.name, source?.result, source?.updated, source?.settings],
      ['watch', `folder:${inbox.folder}`, 'ok', 1, JSON.stringify({ folder: inbox.folder })],
    );
  });

  it('keeps files that are not complete, or are no recordings, until they are', async (t) => {
    const inbox = await createInbox(t);
    for (const name of ['.hidden.vtt', '~$a.vtt', 'a.vtt.part', 'photo.jpg', 'rejected/a.vtt'])
      inbox.write(name);
    inbox.write('empty.vtt', '');
    writeFileSync(join(inbox.folder, '../elsewhere.vtt'), captions('Elsewhere.'));
    symlinkSync(join(inbox.folder, '../elsewhere.vtt'), join(inbox.folder, 'link.vtt'));
    const { code, files, waiting } = await inbox.once('--move');
    assert.deepEqual([code, files, waiting], [0, 0, 0]);
    inbox.rename('a.vtt.part', 'a.vtt');
    inbox.write('empty.vtt', captions('No longer.'));
    assert.equal((await inbox.once('--move')).added, 2);
    assert.deepEqual(await inbox.ids(), ['a.vtt', 'empty.vtt']);
  });

  it('joins the parts of a memory, in whichever order their files arrive', async (t) => {
    const inbox = await createInbox(t);
    const samples = `${ROOT}fixtures/formats/tldv/answers`;
    const [first = '', ...others] = readdirSync(samples, {
      recursive: true,
      encoding: 'utf8',
    }).filter((name) => name.endsWith('.json'));
    for (const name of others.toReversed())
      inbox.write(`calls/${name}`, readFileSync(join(samples, name), 'utf8'));
    const before = await inbox.once('--move');
    assert.equal(before.moved, 0, 'parts wait');
    inbox.write(`calls/${first}`, readFileSync(join(samples, first), 'utf8'));
    const after = await inbox.once('--move');
    const expected = JSON.parse(readFileSync(`${samples}.expected.json`, 'utf8')) as {
      id?: string;
    }[];
    assert.deepEqual(
      await inbox.ids(),
      expected.flatMap(({ id }) => id ?? []).toSorted(),
      JSON.stringify([before, after]),
    );
    assert.equal(after.moved, 0);
    assert.equal((await inbox.once()).files, 0, 'nothing is read again');
  });

  it('gives one memory of a file that is renamed, with its new name and the date in it', async (t) => {
    const inbox = await createInbox(t);
    inbox.write('a.vtt', captions('The garlic goes in by Friday.'));
    inbox.write('b.vtt', `${captions('The onions as well.')}\n${MORE}`);
    await inbox.once();
    inbox.rename('a.vtt', 'Garlic.vtt');
    inbox.rename('b.vtt', '2026-11-18 0900 Onions.vtt');
    const { added, updated } = await inbox.once();
    assert.deepEqual([added, updated], [0, 2]);
    const memories = await inbox.world.gateway.as('mira').memories.list({ order: 'asc' });
    assert.deepEqual(memories.map(({ name }) => name).toSorted(), ['Garlic', 'Onions']);
    assert.equal(memories.find(({ id }) => id === 'b.vtt')?.started_at, '2026-11-18T09:00:00.000Z');
  });

  it('can hold archives that break off and conflict copies, which are read once and not at each look', async (t) => {
    const inbox = await createInbox(t);
    inbox.write('a.vtt');
    inbox.write('a.sync-conflict-20261118-090000-ABCDEFG.vtt');
    const zip = zipOf([{ name: 'b.vtt', data: captions('The onions as well.') }]);
    writeFileSync(join(inbox.folder, 'cut.zip'), zip.subarray(0, 40));
    writeFileSync(join(inbox.folder, 'cut.tar'), new Uint8Array(700).fill(97));
    const first = await inbox.once();
    assert.deepEqual([first.files, first.added, first.rejected], [3, 1, 2]);
    const second = await inbox.once();
    assert.deepEqual([second.files, second.rejected, second.waiting], [0, 0, 0]);
    assert.doesNotMatch(second.log, /cut|conflict/);
  });

  it('can hold archives, as an import can', async (t) => {
    const inbox = await createInbox(t);
    const archive = zipOf([
      { name: '2026-11-18 09.00 a.vtt', data: captions('In an archive.') },
      { name: 'photo.jpg', data: 'x' },
    ]);
    writeFileSync(join(inbox.folder, 'export.zip'), archive);
    const { code, files, added } = await inbox.once();
    assert.deepEqual([code, files, added], [0, 1, 1]);
  });

  it('is read from the start again after its source was forgotten', async (t) => {
    const inbox = await createInbox(t);
    inbox.write('a.vtt');
    await inbox.once();
    inbox.world.writer.sources.forget({ account_id: 'mira', name: `folder:${inbox.folder}` });
    const again = await inbox.once();
    assert.deepEqual([again.files, again.unchanged], [1, 1]);
  });

  it('must exist, and so must the account', async (t) => {
    const inbox = await createInbox(t);
    const { database } = inbox.world;
    const watch = (...words: string[]) =>
      run(['watch', ...words, '--database', database, '--once']);
    const [none, nobody, only, soon] = await Promise.all([
      watch('/nowhere', '--account', 'mira'),
      watch(inbox.folder, '--account', 'cleo'),
      watch(inbox.folder),
      watch(inbox.folder, '--account', 'mira', '--interval', '0s'),
    ]);
    assert.deepEqual([none.code, nobody.code, only.code, soon.code], [1, 1, 0, 2]);
    assert.match(none.stderr, /There is no folder \/nowhere; check the name, or mount its share\./);
    inbox.write('one.json', '{}');
    const file = await watch(`${inbox.folder}/one.json`, '--account', 'mira');
    assert.match(
      file.stderr,
      /one\.json is not a folder; name the folder around it, or import the/,
    );
    assert.match(nobody.stderr, /There is no account "cleo"/);
    assert.match(soon.stderr, /--interval takes a duration from 1s to 24h, not "0s"\./);
  });

  it('fills the only account, and needs its name if there are several', async (t) => {
    const inbox = await createInbox(t);
    const { database } = inbox.world;
    const words = ['watch', inbox.folder, '--database', database, '--once', '--settle', '1s'];
    inbox.write('a.vtt');
    const only = await run(words);
    assert.equal(only.code, 0, only.stderr);
    assert.deepEqual(await inbox.ids(), ['a.vtt']);
    await run(['accounts', 'create', 'Cleo', '--id', 'cleo', '--database', database]);
    const several = await run(words);
    assert.equal(several.code, 2);
    assert.match(several.stderr, /Give --account ACCOUNT, one of (mira.*cleo|cleo.*mira)/);
  });
});

describe('A file that cannot be read', () => {
  it('is reported once, and tried again when it changes', async (t) => {
    const inbox = await createInbox(t);
    inbox.write('a.json', '{"a":');
    const { code, rejected, rejects, log } = await inbox.once();
    assert.deepEqual([code, rejected], [1, 1]);
    assert.match(rejects[0]?.reason ?? '', /^a\.json, item 1: it is not JSON, or breaks off/);
    assert.equal(JSON.parse(log).file, 'a.json');
    const again = await inbox.once();
    assert.deepEqual([again.code, again.files, again.log], [0, 0, '']);
    inbox.write('a.json', '{"a": 1');
    assert.equal((await inbox.once()).rejected, 1);
    const list = ['sources', 'list', '--database', inbox.world.database];
    const { stdout } = await run(list);
    assert.match(stdout, /\na\.json \(rejected\): .*it is not JSON, or breaks off/);
    const [source] = JSON.parse((await run([...list, '--json'])).stdout);
    const [file, ...more] = source.unread_files;
    assert.deepEqual([file.path, file.result, more.length], ['a.json', 'rejected', 0]);
    assert.deepEqual(inbox.files(), ['a.json']);
  });

  it('is moved with --move, with a note, and overwrites nothing', async (t) => {
    const inbox = await createInbox(t);
    inbox.write('rejected/team/a.json', 'a file of mine');
    inbox.write('rejected/team/a (2).json.txt', 'a note of mine');
    inbox.write('team/a.json', '{"a":');
    await inbox.once(); // without --move
    const { code, moved } = await inbox.once('--move');
    assert.deepEqual([code, moved], [1, 1]);
    assert.deepEqual(inbox.files(), [
      'rejected/team/a (2).json.txt',
      'rejected/team/a (3).json',
      'rejected/team/a (3).json.txt',
      'rejected/team/a.json',
    ]);
    const read = (name: string) => readFileSync(join(inbox.folder, 'rejected/team', name), 'utf8');
    assert.equal(read('a (3).json'), '{"a":');
    assert.match(
      read('a (3).json.txt'),
      /^Why: team\/a\.json, item 1: .*\nWhat to do: correct the file .* put it back as team\/a\.json\./m,
    );
    assert.deepEqual(
      [read('a.json'), read('a (2).json.txt')],
      ['a file of mine', 'a note of mine'],
    );
  });

  it('is read again when it is put back, also unchanged', async (t) => {
    const inbox = await createInbox(t);
    inbox.write('a.json', '{"a":');
    await inbox.once('--move');
    inbox.rename('rejected/a.json', 'a.json');
    assert.equal((await inbox.once('--move')).moved, 1);
    assert.ok(inbox.files().includes('rejected/a (2).json'), 'its first note is still there');
  });

  it('stays where it is if a part of it was imported', async (t) => {
    const inbox = await createInbox(t);
    const talk = { id: 'talk-1', name: 'Garden', started_at: '2026-11-16T08:12:00Z' };
    inbox.write('a.jsonl', `${JSON.stringify({ ...talk, transcript: 'Ines: Hello.' })}\n{"a":1}\n`);
    const { code, added, rejected, moved, log } = await inbox.once('--move');
    assert.deepEqual([code, added, rejected, moved], [1, 1, 1, 0]);
    assert.match(log, /"msg":"partly imported"/);
    assert.deepEqual(inbox.files(), ['a.jsonl']);
    assert.equal((await inbox.once('--move')).files, 0);
  });
});

describe('A folder in which others may write', async () => {
  /** Creates a folder outside with a file. */
  async function withVictim(t: TestContext) {
    const inbox = await createInbox(t);
    const outside = join(inbox.folder, '../outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'a.json'), 'VICTIM');
    const isUntouched = () =>
      readdirSync(outside).join() === 'a.json' &&
      readFileSync(join(outside, 'a.json'), 'utf8') === 'VICTIM';
    const link = (to: string, name: string) => symlinkSync(to, join(inbox.folder, name));
    return { ...inbox, outside, isUntouched, link };
  }

  it('gets no note through a link, nor into an empty file', async (t) => {
    const { outside, isUntouched, link, ...inbox } = await withVictim(t);
    inbox.write('rejected/x.json', '');
    link(join(outside, 'a.json'), 'rejected/x.json.txt');
    link(join(outside, 'none'), 'rejected/x (2).json');
    link(join(outside, 'a.json'), 'rejected/x (3).json.txt');
    inbox.write('x.json', '{"a":');
    assert.equal((await inbox.once('--move')).moved, 1);
    assert.ok(isUntouched());
    assert.equal(readFileSync(join(inbox.folder, 'rejected/x (4).json'), 'utf8'), '{"a":');
    assert.match(readFileSync(join(inbox.folder, 'rejected/x (4).json.txt'), 'utf8'), /^Why: /m);
  });

  it('gets no file through a link', async (t) => {
    const why =
      /"code":"ENOTDIR".*because that or a folder in it is a link or a file; make it a folder/;
    for (const name of ['rejected', 'rejected/team']) {
      const { outside, isUntouched, link, ...inbox } = await withVictim(t);
      inbox.write('team/x.json', '{"a":');
      if (name !== 'rejected') mkdirSync(join(inbox.folder, 'rejected'));
      link(outside, name);
      const { code, moved, log } = await inbox.once('--move');
      assert.deepEqual([code, moved], [1, 0]);
      assert.match(log, why);
      assert.ok(isUntouched());
      assert.deepEqual(inbox.files().at(-1), 'team/x.json');
    }
  });

  const kinds = {
    'a.json': '{}',
    'a.zip': zipOf([{ name: 'a.json', data: '{}' }]),
    'a.tar': await packTar([{ header: { name: 'a.json', size: 2 }, body: '{}' }]),
  };
  it('gives nothing of another folder through a link that came after the look', async (t) => {
    const parts = Object.entries(kinds).flatMap(([name, bytes]) => [
      { name, bytes, part: 'team' },
      { name, bytes, part: `team/${name}` },
    ]);
    for (const { name, bytes, part } of parts) {
      const { folder, outside, link } = await withVictim(t);
      mkdirSync(join(folder, 'team'));
      writeFileSync(join(folder, `team/${name}`), bytes);
      const stats = lstatSync(join(folder, `team/${name}`));
      // The same file, so that nothing but its place tells it apart.
      renameSync(join(folder, `team/${name}`), join(outside, name));
      renameSync(join(folder, 'team'), join(folder, 'was'));
      if (part === 'team') link(outside, 'team');
      else {
        mkdirSync(join(folder, 'team'));
        link(join(outside, name), part);
      }
      const read = async () => {
        for await (const found of openEntry(folder, { name: `team/${name}`, stats }, {})) {
          if ('reason' in found) throw new Error(found.reason);
          if ('open' in found) for await (const _ of found.open());
        }
      };
      await assert.rejects(read, /it cannot be read \((?:ENOTDIR|ELOOP)\)/);
      const facts = factsOf(stats);
      const moving = moveAside(folder, { name: `team/${name}`, facts, note: '' });
      if (part === 'team') await assert.rejects(moving, { code: 'ENOTDIR' });
      else assert.equal(await moving, undefined);
      assert.deepEqual(readdirSync(outside).toSorted(), [...new Set(['a.json', name])].toSorted());
    }
  });
});

describe('A watcher', () => {
  it('imports what arrives, stops, says what it did, and logs no text', async (t) => {
    const inbox = await createInbox(t);
    const child = inbox.watch();
    let log = '';
    child.stdout.on('data', (part: Buffer) => (log += part.toString()));
    await waitFor(child, 'stdout', /"msg":"watching"/);
    inbox.write('a.vtt.tmp', captions('A secret of the garden.'));
    inbox.rename('a.vtt.tmp', 'a.vtt');
    await waitFor(child, 'stdout', /"file":"a\.vtt","added":1,.*"msg":"imported"/);
    const { stdout } = await run(['sources', 'list', '--database', inbox.world.database]);
    assert.match(stdout, /^mira .* watching /m);
    assert.equal(await stop(child), 0);
    assert.match(log, /"signal":"SIGTERM","msg":"stopping"/);
    assert.match(log, /"files":1,"added":1,.*"msg":"stopped"/);
    assert.doesNotMatch(log, /secret/);
    assert.equal(inbox.world.writer.sources.list()[0]?.result, 'ok');
  });
});

describe('A version of a file', () => {
  const facts = { size: 5, modified_at: 1000, marker: '7:1000' };
  const imported = { ...facts, isRejected: false };

  it('is another one if its size, its date, or its number and its state differ', () => {
    assert.ok(wasRead(imported, facts));
    assert.ok(!wasRead(imported, { ...facts, size: 6 }));
    assert.ok(!wasRead(imported, { ...facts, modified_at: 999 }));
    assert.ok(!wasRead(imported, { ...facts, marker: '8:1001' }), 'another file with its name');
    assert.ok(wasRead(imported, { ...facts, marker: '8:1000' }), 'a share that was mounted again');
    assert.ok(wasRead(imported, { ...facts, marker: '7:1001' }), 'other rights');
    assert.ok(!wasRead({ ...imported, isRejected: true }, { ...facts, marker: '7:1001' }));
  });

  it('is complete if nothing has happened to it for a while', () => {
    const files = createCandidates(5000);
    assert.ok(!files.see('a.vtt', facts, 0));
    assert.deepEqual([files.due(4999), files.nextAt()], [[], 5000]);
    assert.ok(!files.see('a.vtt', { ...facts, size: 6 }, 4000));
    assert.ok(!files.see('a.vtt', { ...facts, size: 6 }, 8999));
    assert.ok(files.see('a.vtt', { ...facts, size: 6 }, 9000));
    assert.deepEqual(files.due(9000), ['a.vtt']);
    assert.ok(!files.see('a.vtt', { ...facts, size: 0 }, 10_000));
    assert.deepEqual([files.due(90_000), files.nextAt()], [[], Infinity]);
  });

  it('has a name of its own until it is complete, with many programs', () => {
    for (const name of ['a/b.vtt.part', 'a.json.CRDOWNLOAD', 'a.tmp', 'x/~$a.docx', 'a.filepart'])
      assert.ok(isIncomplete(name), name);
    for (const name of ['a.vtt', 'part', 'a.part/b.vtt', '~a.vtt', 'tmp.json'])
      assert.ok(!isIncomplete(name), name);
  });
});
