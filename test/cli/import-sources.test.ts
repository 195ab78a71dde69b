// The sources of an import: files, folders, archives and standard input, and what is skipped in them.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

import * as fc from 'fast-check';
import { packTar } from 'modern-tar';

import { UsageError } from '../../src/cli/args/parse.ts';
import { withoutConflict } from '../../src/cli/import/conflict-copy.ts';
import { unpackGzip } from '../../src/cli/import/gzip.ts';
import { toReadRefusal } from '../../src/cli/import/import-folder.ts';
import { findSources, type SourceEntry } from '../../src/cli/import/sources.ts';
import { itemFormats, textFormats } from '../../src/formats/formats.ts';
import { readMemories } from '../../src/formats/read.ts';
import { timeInName } from '../../src/formats/time/written-time.ts';
import { Refusal } from '../../src/store/refusal.ts';
import { deflatedZeros, zipOf } from '../support/formats/zip-writer.ts';
import { ROOT } from '../support/world/program.ts';
import { randomBy } from '../support/world/random.ts';
import { isThorough } from '../support/world/thorough.ts';

const root = mkdtempSync(join(tmpdir(), 'memory-gateway-test-'));
after(() => rmSync(root, { recursive: true }));

describe('The source of an import', () => {
  it('can be a folder: every file in it and its subfolders, in the order of their names', async () => {
    const folder = folderOf({
      'b.json': 'b',
      'a/z.jsonl': 'z',
      'a/é.VTT': 'é',
      'a.srt': 's',
      'Z.txt': 'Z',
    });
    const found = await sources([folder]);
    assert.deepEqual(
      found.map((each) => 'name' in each && each.name),
      ['Z.txt', 'a/z.jsonl', 'a/é.VTT', 'a.srt', 'b.json'],
    );
    assert.deepEqual(
      found.map(({ place }) => place),
      found.map((each) => 'name' in each && join(folder, each.name)),
    );
    assert.deepEqual(await contents(found), ['Z', 'z', 'é', 's', 'b']);
    assert.deepEqual(
      found.map((each) => 'size' in each && each.size),
      [1, 1, 2, 1, 1],
    );
  });

  it('can be several files, and a file named twice is read twice', async () => {
    const folder = folderOf({ 'a.json': 'a', 'b.json': 'b' });
    const [a, b] = [join(folder, 'a.json'), join(folder, 'b.json')];
    assert.deepEqual(await contents(await sources([b, a, b])), ['b', 'a', 'b']);
  });

  it('can be a file of any name', async () => {
    const folder = folderOf({ '.hidden': 'h', 'notes.md': 'm' });
    const found = await sources([join(folder, '.hidden'), join(folder, 'notes.md')]);
    assert.deepEqual(await contents(found), ['h', 'm']);
  });

  it('has the files of a folder with the endings that the manual names', async () => {
    const manual = readFileSync(join(ROOT, 'docs/reference/formats.md'), 'utf8');
    const [, row = ''] = /^\| Endings in folders and archives \| (.*) \|$/m.exec(manual) ?? [];
    const plain = row.slice(0, row.indexOf('each also with'));
    const endings = Array.from(plain.matchAll(/`(\.\w+)`/g), ([, ending]) => ending as string);
    assert.ok(endings.length > 5);
    const names = endings.flatMap((ending) => [`a${ending}`, `b${ending}.gz`]);
    const found = await sources([folderOf(Object.fromEntries(names.map((name) => [name, ''])))]);
    assert.equal(found.length, names.length);
    for (const each of found) assert.ok(!('skipped' in each), each.place);
  });

  it('has no hidden files of a folder, and counts the other skipped files', async () => {
    const folder = folderOf({
      'a.json': 'a',
      'photo.jpg': '',
      '.DS_Store': '',
      '.git/a.json': '',
      '__MACOSX/a.json': '',
      'elsewhere/b.json': 'b',
    });
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'link.json'));
    symlinkSync('..', join(folder, 'elsewhere', 'up'));
    execFileSync('mkfifo', [join(folder, 'pipe.json')]);
    assert.deepEqual(
      (await sources([folder])).map(({ place, ...each }) => [
        place.slice(folder.length + 1),
        'skipped' in each ? each.skipped : '',
      ]),
      [
        ['a.json', ''],
        ['elsewhere/b.json', ''],
        ['elsewhere/up', 'a symbolic link'],
        ['link.json', 'a symbolic link'],
        ['photo.jpg', 'a file of another kind'],
        ['pipe.json', 'neither a file nor a folder'],
      ],
    );
    const [named] = await sources([join(folder, 'link.json')]);
    assert.ok(
      named && 'name' in named && named.name === 'b.json',
      'a link that is named is followed',
    );
  });

  it('has nothing of the waste baskets and snapshots of a system, so that what was deleted stays deleted', async () => {
    const folders = [
      '#recycle',
      '#Trash',
      '_recycle',
      'Trash',
      '@sharebin',
      '@eaDir',
      '$RECYCLE.BIN',
      'Network Recycle Bin',
      '_NAS_Recycle_RAID',
    ];
    folders.push('#snapshot/GMT+01-2026.11.20-00.00.01');
    const more = ['@Recycle', '.Trash-1000', 'files_trashbin/files', 'System Volume Information'];
    const old = ['@GMT-2026.11.20-00.00.01', 'trashbox', 'RECYCLED', 'FOUND.000', '@SynologyDrive'];
    const inside = [...folders, ...more, ...old].map((name) => [`team/${name}/a.json`, 'old']);
    const named = ['#1 meetings/a.json', 'recycle/b.json', '@work/c.json', 'found/d.json'];
    const folder = folderOf({
      ...Object.fromEntries(inside),
      ...Object.fromEntries(named.map((name) => [name, 'new'])),
    });
    assert.deepEqual(
      await contents(await sources([folder])),
      named.map(() => 'new'),
    );
    const zip = join(folder, 'all.zip');
    writeFileSync(zip, zipOf(inside.map(([name = '', data = '']) => ({ name, data }))));
    assert.deepEqual(await sources([zip]), []);
    assert.deepEqual(await contents(await sources([join(folder, 'team/#recycle')])), ['old']);
  });

  it('skips and counts conflict copies, and takes no date from the name of one', async () => {
    const copies = [
      'talk.sync-conflict-20261118-090000-ABCDEFG.vtt',
      'talk-conflict-20261120-090000.vtt',
      'talk_conflict_copy-20261120090000.vtt',
      "talk (Mira's conflicted copy 2026-11-20).vtt",
      'talk (conflicted copy 2026-11-20 090000).vtt',
      'talk (SFConflict mira@example.org 2026-11-20-09-00-00).vtt',
      'talk (Miras in Konflikt stehende Kopie 2026-11-20).vtt',
      'talk (Copie en conflit de Mira 2026-11-20).vtt',
      'talk_conflict-20261120-090000.vtt',
      'talk (Case Conflict).vtt',
      'talk (Unicode Encoding Conflict 1).vtt',
      'talk (case clash from Mira).vtt',
      'talk [conflicted].vtt',
      'talk (conflict 2026-11-20).vtt',
      'talk (Conflicting copy from office 2026-11-20).vtt',
      'talk (конфликтующая копия с office 2026-11-20).vtt',
      'talk_Office_Nov-20-0900-2026_Conflict.vtt',
      'talk.Conflict.vtt',
      'talk-DESKTOP-7A2B9CD.vtt',
      'talk-LAPTOP-0AB12CD3.vtt',
      'talk [Conflict].vtt',
      'talk # Name clash 2026-11-20 aBc12 #.vtt',
    ];
    const folder = folderOf({
      'talk.vtt': 'a',
      'The conflict copy talk.vtt': 'b',
      'The conflict (by Ana).vtt': 'b',
      'Why we left (Conflict).vtt': 'b',
      'The-desktop-reviews.vtt': 'b',
      'Talk (conflict in the team).vtt': 'b',
      ...Object.fromEntries(copies.map((name) => [name, 'c'])),
      'z.zip': zipOf(copies.map((name) => ({ name, data: 'c' }))),
    });
    const found = await sources([folder]);
    const skipped = found.filter((each) => 'skipped' in each);
    assert.equal(skipped.length, 2 * copies.length);
    for (const each of skipped) assert.match(each.skipped, /^a conflict copy/);
    const rest = found.filter((each) => 'open' in each);
    assert.deepEqual(
      rest.map(({ name }) => name),
      [
        'Talk (conflict in the team).vtt',
        'The conflict (by Ana).vtt',
        'The conflict copy talk.vtt',
        'The-desktop-reviews.vtt',
        'Why we left (Conflict).vtt',
        'talk.vtt',
      ],
    );
    for (const name of copies) assert.equal(timeInName(withoutConflict(name)), undefined, name);
    const dated = withoutConflict(`2026-11-18 09.00 ${copies[1]}`);
    assert.equal(timeInName(dated), '2026-11-18T09:00:00');
    assert.equal((await contents(await sources([join(folder, copies[0] ?? '')]))).length, 1);
  });

  it(
    'says of a name that is not UTF-8 that it must be renamed',
    { skip: process.platform !== 'linux' },
    async () => {
      const folder = folderOf({ 'a.json': 'a' });
      for (const byte of [0xfc, 0xe9])
        writeFileSync(
          Buffer.concat([Buffer.from(`${folder}/T`), Buffer.of(byte), Buffer.from('r.vtt')]),
          'b',
        );
      const found = await sources([folder]);
      assert.deepEqual(
        found.flatMap((each) => ('reason' in each ? each.reason : [])),
        ['its name is not UTF-8; rename it', 'its name is not UTF-8; rename it'],
      );
      assert.deepEqual(await contents(found.filter((each) => 'open' in each)), ['a']);
      await assert.rejects(
        sources([join(folder, 'T\uFFFDr.vtt')]),
        /its name is not UTF-8; rename it/,
      );
    },
  );

  it('has Markdown files and documents of a folder, to be skipped if they are no transcripts', async () => {
    const lifelog = 'lifelogs/2025-12-03_12h01m51s_Coffee.md';
    const zip = zipOf([{ name: 'c.md' }, { name: 'd.DOCX' }, { name: 'e.txt' }]);
    const folder = folderOf({ 'a.md': 'a', 'b.docx': 'b', 'c.zip': zip, [lifelog]: '#' });
    const found = (await sources([folder])).map((each) => [
      'name' in each && each.name,
      'skippedAs' in each ? each.skippedAs : undefined,
    ]);
    const other = 'a file of another kind';
    assert.deepEqual(found, [
      ['a.md', other],
      ['b.docx', other],
      ['c.zip/c.md', other],
      ['c.zip/d.DOCX', other],
      ['c.zip/e.txt', undefined],
      [lifelog, undefined],
    ]);
    const [named] = await sources([join(folder, 'a.md')]);
    assert.ok(named && !('skippedAs' in named), 'a file that is named is not skipped');
  });

  it('can be a document, which is not an archive', async () => {
    const zip = zipOf([{ name: 'word/document.xml', data: '<a/>' }]);
    const found = await sources([join(folderOf({ 'a.docx': zip }), 'a.docx')]);
    assert.deepEqual(
      found.map((each) => ('name' in each ? each.name : each)),
      ['a.docx'],
    );
  });

  it('says who dates it', async () => {
    const folder = folderOf({ '2026-11-18/a.txt': 'a', 'b.txt': 'b' });
    const found = (await sources([folder])).map((each) =>
      'open' in each ? [each.dated_by, each.modified !== undefined] : each,
    );
    assert.deepEqual(found, [
      ['name', false],
      [undefined, true],
    ]);
    const startedAt = '2026-11-19T09:00:00Z';
    for (const each of await sources([folder, '-'], { startedAt }))
      assert.ok('open' in each && each.dated_by === 'caller' && each.started_at === startedAt);
  });

  it('is not read at all if one file does not exist', async () => {
    const folder = folderOf({ 'a.json': 'a' });
    const gone = join(folder, 'gone');
    await assert.rejects(sources([folder, gone]), (error) => {
      assert.ok(error instanceof Refusal);
      assert.equal(
        error.message,
        `There is no file or folder ${gone}; check the name, or give - for standard input.`,
      );
      return true;
    });
    await assert.rejects(sources([join(folder, 'a.json/b')]), Refusal);
    await assert.rejects(sources(['-', '-']), UsageError);
  });

  it('can be standard input, which has no name', async () => {
    const [found] = await sources(['-'], { stdin: bytesOf('a', 'bc', 'def') });
    assert.ok(found && 'open' in found);
    assert.equal(await read(found.open()), 'abcdef');
    assert.deepEqual(
      { ...found, open: 0 },
      {
        name: '',
        fullName: '',
        place: 'standard input',
        size: undefined,
        started_at: undefined,
        open: 0,
      },
    );
    assert.deepEqual(await contents(await sources(['-'], { stdin: bytesOf() })), ['']);
  });

  it('cannot be an archive from standard input', async () => {
    for (const stdin of [bytesOf('P', 'K\x03\x04…'), bytesOf(zipOf([]))]) {
      const [found] = await sources(['-'], { stdin });
      assert.ok(found && 'open' in found);
      await assert.rejects(read(found.open()), {
        name: 'Refusal',
        message: 'it is a zip archive, which cannot be read from a pipe; give it as a file',
      });
    }
  });

  it('is not read if it is only listed', async () => {
    const stdin = bytesOf('a', 'bc');
    await sources(['-'], { stdin });
    assert.deepEqual(await contents(await sources(['-'], { stdin })), ['abc']);
  });

  it('can be a named pipe', async () => {
    const pipe = join(mkdtempSync(join(root, 'f-')), 'pipe');
    execFileSync('mkfifo', [pipe]);
    execFileSync('sh', ['-c', `(printf hello > '${pipe}') > /dev/null 2>&1 &`]);
    const found = await sources([pipe]);
    assert.deepEqual(await contents(found), ['hello']);
  });

  it('can vanish during the import, and the rest is read', async () => {
    const folder = folderOf({ 'a.json': 'a', 'b.json': 'b', 'c.json': 'c', 'd.json': 'd' });
    const rest: unknown[] = [];
    for await (const each of findSources([folder], { stdin: bytesOf() })) {
      if (each.place.endsWith('a.json')) rmSync(join(folder, 'b.json'));
      if (each.place.endsWith('c.json')) rmSync(join(folder, 'c.json'));
      rest.push(
        'open' in each ? await read(each.open()).catch(reasonOf) : 'reason' in each && each.reason,
      );
    }
    const gone = 'it cannot be read (ENOENT)';
    assert.deepEqual(rest, ['a', gone, gone, 'd']);

    const [first, second] = [folderOf({ 'a.json': 'a' }), folderOf({ 'b.json': 'b' })];
    const found: SourceEntry[] = [];
    for await (const each of findSources([first, second, folder], { stdin: bytesOf() })) {
      if (found.push(each) === 1) rmSync(second, { recursive: true });
    }
    assert.deepEqual(reasons(found), [gone]);
    assert.deepEqual(await contents(found), ['a', 'a', 'd']);
  });
});

describe('A file that may not be read', () => {
  it('is rejected with what to do', () => {
    const error = Object.assign(new Error('No'), { code: 'EACCES' });
    assert.equal(toReadRefusal(error).message, 'it cannot be read (EACCES); check its permissions');
  });
});

describe('A zip archive', () => {
  it('is opened once for all of its entries, so that a million of them take no longer than files', async () => {
    const names = Array.from({ length: 50 }, (_, i) => `${i}.json`);
    const path = write(zipOf(names.map((name) => ({ name, data: name }))), 'many.zip');
    const found: string[] = [];
    for await (const each of findSources([path], { stdin: bytesOf() })) {
      rmSync(path, { force: true }); // it could not be opened again
      assert.ok('open' in each);
      found.push(await read(each.open()));
    }
    assert.deepEqual(found, names);
  });

  it('is read like the folder in it, also in another folder and under another name', async () => {
    const zip = zipOf([
      { name: 'team/', mode: 0o40755 },
      { name: 'team/b.json', data: 'é'.repeat(1e6) },
      { name: 'a.vtt', data: 'stored', method: 0 },
      { name: '__MACOSX/team/._b.json', data: 'x' },
      { name: 'team/.hidden.json', data: 'x' },
      { name: 'photo.jpg', data: 'x' },
      { name: 'link.json', data: '/etc/passwd', mode: 0o120777 },
      { name: 'inner.zip', data: zipOf([]) },
    ]);
    const folder = folderOf({ 'x/export.zip': zip, 'x/export.bin': zip });
    const expected = [
      ['team/b.json', 2e6],
      ['a.vtt', 6],
      ['photo.jpg', 'a file of another kind'],
      ['link.json', 'a symbolic link'],
      ['inner.zip', 'it is an archive inside an archive; unpack the outer one first'],
    ];
    for (const [named, path, above] of [
      ['x/export.zip', 'x/export.zip', ''],
      ['x/export.bin', 'x/export.bin', ''],
      ['x', 'x/export.zip', 'export.zip/'],
    ] as const) {
      const place = join(folder, path);
      const found = (await sources([join(folder, named)])).filter((each) =>
        each.place.startsWith(`${place}/`),
      );
      assert.deepEqual(
        found.map((each) => [
          each.place.slice(place.length + 1),
          'size' in each ? each.size : 'reason' in each ? each.reason : each.skipped,
        ]),
        expected,
      );
      assert.deepEqual(
        found.flatMap((each) => ('name' in each ? [each.name] : [])),
        [`${above}team/b.json`, `${above}a.vtt`],
      );
      assert.deepEqual(await contents(found), ['é'.repeat(1e6), 'stored']);
    }
  });

  it('can be empty', async () => {
    assert.deepEqual(await inZip(zipOf([])), []);
  });

  const unsafe = [
    '../a.json',
    'a/../../b.json',
    '/etc/a.json',
    'C:/a.json',
    'c:a.json',
    '..\\a.json',
    '\\\\host\\a.json',
  ];
  for (const name of unsafe)
    it(`is refused completely for a path that leads outside: ${name}`, async () => {
      const [refused, ...more] = await inZip(
        zipOf([
          { name: 'a.json', data: '{}' },
          { name, data: '{}' },
        ]),
      );
      assert.ok(refused && 'reason' in refused);
      assert.match(refused.reason, /^this zip archive is refused: .*path/);
      assert.deepEqual(more, []);
    });

  it('is refused if it would unpack to 10 GB', async () => {
    const zeros = deflatedZeros(54);
    const zip = zipOf(['a', 'b', 'c'].map((name) => ({ name: `${name}.json`, ...zeros, crc: 0 })));
    assert.ok(zeros.size * 3 > 10e9 && zip.length < 12e6);
    assert.deepEqual(reasons(await inZip(zip)), [
      'this zip archive is refused: it would unpack to more than 100 times its size',
    ]);
  });

  it('is read only as far as its directory says, if a file is longer', async () => {
    const { packed } = deflatedZeros(16);
    const path = write(
      zipOf([
        { name: 'a.json', packed, size: 1000 },
        { name: 'b.json', data: 'b' },
      ]),
    );
    const [a, b] = await sources([path]);
    assert.ok(a && 'open' in a && b && 'open' in b);
    let bytes = 0;
    await assert.rejects(async () => {
      for await (const chunk of a.open()) bytes += chunk.length;
    }, /^Refusal: this zip archive is refused: too many bytes/);
    assert.ok(bytes <= 1000);
    assert.equal(await read(b.open()), 'b');
  });

  it('is refused if a file is shorter than its directory says', async () => {
    const [found] = await inZip(zipOf([{ name: 'a.json', data: 'abc', size: 4 }]));
    assert.ok(found && 'open' in found);
    await assert.rejects(read(found.open()), /^Refusal: .*not enough bytes/);
  });

  it('is refused if entries overlap or go beyond its end', async () => {
    const over = 'this zip archive is refused: its entries overlap';
    const one = { name: 'a.json', data: '{}' };
    assert.deepEqual(reasons(await inZip(zipOf([one, { ...one, name: 'b.json', at: 0 }]))), [over]);
    assert.deepEqual(reasons(await inZip(zipOf([{ ...one, at: 1e6 }]))), [over]);
  });

  it('reports why an entry cannot be read, and reads the others', async () => {
    const found = await inZip(
      zipOf([
        { name: 'secret.json', data: 'x', flags: 0x801 },
        { name: 'lzma.json', packed: Buffer.from('x'), method: 14 },
        { name: 'damaged.json', data: '{}', crc: 1 },
        { name: 'garbage.json', packed: Buffer.from('no deflate'), size: 10 },
        { name: 'sound.json', data: '{}' },
      ]),
    );
    assert.deepEqual(reasons(found), [
      'it is encrypted; unpack the archive first',
      'its compression method 14 is not supported; unpack the archive first',
    ]);
    const [damaged, garbage, sound] = found.filter((each) => 'open' in each);
    assert.ok(damaged && garbage && sound);
    await assert.rejects(read(damaged.open()), /^Refusal: it is damaged in its archive/);
    await assert.rejects(read(garbage.open()), Refusal);
    assert.equal(await read(sound.open()), '{}');
  });

  it('is refused with a reason if it is cut off at any byte', async () => {
    const path = write(
      zipOf([
        { name: 'a.json', data: '{}' },
        { name: 'b.json', data: '{}', method: 0 },
      ]),
      'x.zip',
    );
    for (let length = statSync(path).size - 1; length >= 0; length--) {
      truncateSync(path, length);
      const found = await sources([path]);
      assert.deepEqual(
        reasons(found),
        ['it is not a zip archive, or it is cut off; copy it or export it again'],
        `${length} bytes`,
      );
    }
  });

  it('is read or refused with a reason, whatever its bytes are', async () => {
    const whole = zipOf([
      { name: 'a.json', data: '{}' },
      {
        name: 'b.json',
        data: '{}'.repeat(100),
        extra: Buffer.from('\x01\x00\x08\x0012345678', 'latin1'),
      },
    ]);
    const change = fc.record({
      at: fc.nat(whole.length - 1),
      to: fc.constantFrom(0, 1, 0x50, 0x7f, 0xff),
    });
    const path = write(whole, 'changed.zip');
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 5 }), async (changes) => {
        const bytes = Buffer.from(whole);
        for (const { at, to } of changes) bytes[at] = to;
        writeFileSync(path, bytes);
        for (const each of await sources([path]))
          if ('open' in each) await read(each.open()).catch(reasonOf);
      }),
      { numRuns: 500 },
    );
  });

  it('is refused with a reason if an offset is impossible', async () => {
    const zip = zipOf([{ name: 'a.json', data: '{}' }]);
    const [entries, end] = [zip.subarray(0, -22), zip.subarray(-22)];
    for (const place of [0n, 2n ** 53n, 2n ** 63n, 2n ** 64n - 1n]) {
      const directory = Buffer.alloc(56);
      directory.writeUInt32LE(0x06064b50, 0);
      directory.writeBigUInt64LE(1n, 32);
      directory.writeBigUInt64LE(place, 48);
      for (const at of [place, BigInt(entries.length)]) {
        const locator = Buffer.alloc(20);
        locator.writeUInt32LE(0x07064b50, 0);
        locator.writeBigUInt64LE(at, 8);
        const found = await inZip(Buffer.concat([entries, directory, locator, end]));
        assert.ok(found.length === 1 && reasons(found).length === 1);
      }
    }
  });

  it('leaves no file open, read completely or not', async () => {
    const path = write(
      zipOf([
        { name: 'a.json', data: 'a'.repeat(1e6) },
        { name: 'b.json', data: '{}', crc: 1 },
      ]),
    );
    const before = readdirSync('/proc/self/fd').length;
    for (let i = 0; i < 20; i++) {
      for await (const each of findSources([path, path], { stdin: bytesOf() })) {
        if ('open' in each) {
          for await (const _ of each.open()) break;
          await read(each.open()).catch(reasonOf);
        }
        if (i % 2) break;
      }
    }
    await assertClosed(before);
  });

  it('leaves no file open if it is refused early', async () => {
    const utf16 = write(Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.alloc(1e6)]), 'a.json');
    const long = write(Buffer.concat([Buffer.from('WEBVTT\n'), Buffer.alloc(65 << 20)]), 'b.vtt');
    const before = readdirSync('/proc/self/fd').length;
    for (const path of [utf16, utf16, long]) {
      const [found] = await sources([path]);
      assert.ok(found && 'open' in found);
      const reading = { items: itemFormats, texts: textFormats, local: Date.parse };
      const outcomes: unknown[] = [];
      for await (const each of readMemories({ ...found, bytes: found.open() }, reading))
        outcomes.push(each);
      assert.ok(outcomes.length === 1);
    }
    await assertClosed(before);
  });

  it('has different errors for entries that cannot be unpacked and for broken JSON', async () => {
    const data = `[${`{"id":"${'1'.repeat(1000)}"},`.repeat(2000)}`;
    const [found] = await inZip(zipOf([{ name: 'a.json', data, crc: 1 }]));
    assert.ok(found && 'open' in found);
    const reading = { items: itemFormats, texts: textFormats, local: Date.parse };
    await assert.rejects(async () => {
      for await (const _ of readMemories({ name: 'a.json', bytes: found.open() }, reading));
    }, /^Refusal: it is damaged/);
  });
});

describe('An archive or a compressed file that breaks off', async () => {
  // Letters at random, so that they stay long when they are compressed.
  const random = randomBy(1);
  const nextLetter = () => String.fromCodePoint(97 + (random() % 26));
  const files = ['a', 'b', 'c'].map((name) => ({
    header: { name: `${name}.json`, size: 3000 },
    body: Array.from({ length: 3000 }, nextLetter).join(''),
  }));
  const tar = await packTar(files);
  const zip = zipOf(files.map(({ header: { name }, body }) => ({ name, data: body })));
  const wholes = { 'x.tar': tar, 'x.tgz': gzipSync(tar), 'x.zip': zip, 'x.json.gz': gzipSync(tar) };
  const step = isThorough ? 100 : 700;
  it('is refused with a reason behind what is whole, also if its reader is slow', async () => {
    for (const [name, whole] of Object.entries(wholes)) {
      const path = write(whole, name);
      for (let cut = Math.floor((whole.length - 1) / step) * step; cut >= 0; cut -= step) {
        truncateSync(path, cut);
        const texts: string[] = [];
        const why: string[] = [];
        for await (const found of findSources([path], { stdin: bytesOf() })) {
          await sleep(2); // as long as a database may be busy
          if ('reason' in found) why.push(found.reason);
          if (!('open' in found)) continue;
          const bytes = name.endsWith('.gz') ? unpackGzip(found.open()) : found.open();
          await read(bytes).then(
            (text) => texts.push(text),
            (error) => why.push(reasonOf(error)),
          );
        }
        assert.ok(why.length > 0 || (cut === 0 && name === 'x.json.gz'), `${cut} bytes: no reason`);
        for (const reason of why) assert.match(reason, /damaged|cut off/);
        // In a tar archive a file has a head of 512 bytes, and 3,072 bytes with its padding.
        if (name === 'x.tar')
          assert.deepEqual(
            texts,
            files.filter((_, i) => cut >= i * 3584 + 3512).map(({ body }) => body),
            `${cut} bytes`,
          );
      }
    }
  });

  it('lets its reader go before its end', { timeout: 10_000 }, async () => {
    const path = write(tar, 'x.tar');
    const before = readdirSync('/proc/self/fd').length;
    for (const isRead of [false, true])
      for await (const found of findSources([path], { stdin: bytesOf() })) {
        if (isRead && 'open' in found) for await (const _ of found.open()) break;
        break;
      }
    await assertClosed(before);
  });
});

describe('The start time of a recording', () => {
  it("is the given one, otherwise the one in its name, otherwise the file's date", async () => {
    const folder = folderOf({ '2026-11-18 Stand-up.vtt': 'x', 'b.vtt': 'x' });
    for (const name of readdirSync(folder)) utimesSync(join(folder, name), 1e9, 1e9);
    assert.deepEqual(starts(await sources([folder])), ['2026-11-18', 1e12]);
    const startedAt = '2026-11-19T10:00';
    assert.deepEqual(starts(await sources([folder, '-'], { startedAt })), [
      startedAt,
      startedAt,
      startedAt,
    ]);
  });

  it('is found in the same way for an entry of an archive', async () => {
    const day = ((2026 - 1980) << 9) | (11 << 5) | 18;
    const time = (9 << 11) | (30 << 5) | 5;
    const moment = Buffer.from([0x55, 0x54, 5, 0, 1, 0, 0, 0, 0]);
    moment.writeUInt32LE(1e9, 5);
    const found = await inZip(
      zipOf([
        { name: '20261117_0900/a.vtt', day, time },
        { name: 'b.vtt', day, time },
        { name: 'c.vtt', day, time, extra: moment },
        { name: 'd.vtt' },
      ]),
    );
    assert.deepEqual(starts(found), [
      '2026-11-17T09:00:00',
      '2026-11-18T09:30:10',
      '2001-09-09T01:46:40.000Z',
      undefined,
    ]);
  });

  const named: Record<string, string> = {
    'GMT20261118-090000_Recording.transcript.vtt': '2026-11-18T09:00:00Z',
    '2026-11-18T09-00-00Z.vtt': '2026-11-18T09:00:00Z',
    '2026-11-18T09:00:00.000+01:00.vtt': '2026-11-18T09:00:00+01:00',
    '2026-11-18 09.00.00 Stand-up.vtt': '2026-11-18T09:00:00',
    'Recording 2026-11-18 at 09.00.00.vtt': '2026-11-18T09:00:00',
    '20261118_0900.srt': '2026-11-18T09:00:00',
    '20261118_0900-1030.srt': '2026-11-18T09:00:00',
    '20261118090000.srt': '2026-11-18T09:00:00',
    '2026111809.srt': '',
    '2026-11-18.vtt': '2026-11-18',
    '2026-11-18 Stand-up at 10.vtt': '2026-11-18',
    '2026.11.18 1200x800.vtt': '2026-11-18',
    '20261118T090000-0500.vtt': '2026-11-18T09:00:00-0500',
    '20261118T090000+0100.vtt': '2026-11-18T09:00:00+0100',
    '2026-11-18T0900-0500.vtt': '2026-11-18T09:00:00-0500',
    '2026-11-18T09-00-00-0500.vtt': '2026-11-18T09:00:00-0500',
    '20261118_090000-103000.vtt': '2026-11-18T09:00:00',
    '2026-11-18 09:00-10:30.vtt': '2026-11-18T09:00:00',
    '2026-11-18 at 10.05.12 PM.vtt': '2026-11-18T22:05:12',
    'Call 2026-11-18 at 2.05.00 PM.vtt': '2026-11-18T14:05:00',
    'Call 2026-11-18 at 2.05.00\u202FPM.vtt': '2026-11-18T14:05:00',
    '2026-11-18 12.30 am.vtt': '2026-11-18T00:30:00',
    '2026-11-18 9pm.vtt': '2026-11-18T21:00:00',
    '2026-11-18_02-05_PM.vtt': '2026-11-18T14:05:00',
    '2026-11-18_9-05.vtt': '2026-11-18T09:05:00',
    '2026-11-18-1-10.vtt': '2026-11-18',
    '202611189-05.vtt': '',
    '2026-11-18 3 pmc.vtt': '2026-11-18',
    '2026-11-18 25.00.00.vtt': '2026-11-18',
    '2026-02-30.vtt': '',
    '2026-02-30 or 2026-03-02.vtt': '2026-03-02',
    '2026-11-18 09.00.00 Team/captions.vtt': '2026-11-18T09:00:00',
    '2026-11-17/2026-11-18.vtt': '2026-11-18',
    'Zoom 87320261118.vtt': '',
    '26.07.2026 14.30 Rat.vtt': '2026-07-26T14:30:00',
    'Rat-26.7.2026.vtt': '2026-07-26',
    '05.07.2026.vtt': '2026-07-05',
    '07.26.2026.vtt': '2026-07-26',
    '26-07-2026 14.30.vtt': '2026-07-26T14:30:00',
    'Call_07-26-2026_2-30-PM.vtt': '2026-07-26T14:30:00',
    '05-07-2026 14.30.vtt': '',
    '26.13.2026.vtt': '',
    'v1.12.2026.vtt': '',
    '192.168.1.2026.vtt': '',
    '2026.07.26 14.30.vtt': '2026-07-26T14:30:00',
    '20260726_1430.vtt': '2026-07-26T14:30:00',
    '2026-7-6 9.30.vtt': '2026-07-06T09:30:00',
    '2026-11-18-2030.vtt': '2026-11-18T20:30:00',
    '2026-07-26 - 14.30 - Talk.vtt': '2026-07-26T14:30:00',
    '2026-07-26 (14-30).vtt': '2026-07-26T14:30:00',
    'talk_2026-07-26_at_2.30_pm.vtt': '2026-07-26T14:30:00',
    'Jul 26, 2026 2:30 PM.vtt': '2026-07-26T14:30:00',
    'Talk 26 July 2026.vtt': '2026-07-26',
    'July_26th_2026.vtt': '2026-07-26',
    'Maybe 12 2026.vtt': '',
    '2026年7月26日 下午2点30分 例会.vtt': '2026-07-26T14:30:00',
    '2026年7月26日（周日）14：30.vtt': '2026-07-26T14:30:00',
    '2026年07月26日14時30分.vtt': '2026-07-26T14:30:00',
    '2026년 7월 26일 오후 2:30.vtt': '2026-07-26T14:30:00',
    '12345678.vtt': '',
    'stand-up.vtt': '',
  };
  for (const [name, time] of Object.entries(named))
    it(`is ${time || 'unknown'} for the name ${name}`, () => {
      assert.equal(timeInName(name) ?? '', time);
    });
});

/** Creates a folder of files from their names. */
function folderOf(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = mkdtempSync(join(root, 'f-'));
  for (const [name, data] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(name)), { recursive: true });
    writeFileSync(join(folder, name), data);
  }
  return folder;
}

/** Files close a little later than their streams. */
async function assertClosed(before: number): Promise<void> {
  const count = () => readdirSync('/proc/self/fd').length;
  for (let i = 0; i < 500 && count() > before; i++)
    await new Promise((resolve) => setTimeout(resolve, 10));
  assert.ok(count() <= before, 'files are left open');
}

function write(zip: Uint8Array, name = 'export.zip'): string {
  return join(folderOf({ [name]: zip }), name);
}

async function sources(
  paths: readonly string[],
  options: Partial<Parameters<typeof findSources>[1]> = {},
): Promise<SourceEntry[]> {
  return await all(findSources(paths, { stdin: bytesOf(), ...options }));
}

async function inZip(zip: Uint8Array): Promise<SourceEntry[]> {
  return await sources([write(zip)]);
}

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const each of values) found.push(each);
  return found;
}

async function* bytesOf(...parts: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield Buffer.from(part);
}

async function read(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  return Buffer.concat(await all(bytes)).toString();
}

async function contents(found: readonly SourceEntry[]): Promise<string[]> {
  const texts: string[] = [];
  for (const each of found) if ('open' in each) texts.push(await read(each.open()));
  return texts;
}

function reasons(found: readonly SourceEntry[]): string[] {
  return found.flatMap((each) => ('reason' in each ? [each.reason] : []));
}

function starts(found: readonly SourceEntry[]): unknown[] {
  return found.map((each) => 'started_at' in each && each.started_at);
}

/** Returns the reason why a file could not be read. Any error other than a refusal is a bug. */
function reasonOf(error: unknown): string {
  assert.ok(error instanceof Refusal, String(error));
  return error.message;
}
