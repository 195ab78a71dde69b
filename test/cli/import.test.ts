// import: memories from files are in the API afterwards, counted as added, updated, unchanged or rejected.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

import type { Memory } from '../../src/contract/schemas/memory.ts';
import { formatNames } from '../../src/formats/formats.ts';
import { engine, onlyFiles } from '../support/engines/engine.ts';
import { docxOf } from '../support/formats/docx-writer.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { PROGRAM_WORDS, ROOT, run, runProcess } from '../support/world/program.ts';
import { createWorld, memories, memory, type World } from '../support/world/world.ts';

async function createAna(t: TestContext) {
  const world = await createWorld(t);
  world.addAccount('ana');
  const folder = newFolder();
  const write = (name: string, data: string | Uint8Array) => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, data);
    return path;
  };
  const importing = (args: readonly string[], input = '') =>
    run(['import', ...args, '--database', world.database], { input });
  const all = () => world.gateway.as('ana').memories.list({ order: 'asc' });
  return { world, write, importing, all };
}

function lines(list: readonly unknown[]): string {
  return list.map((each) => `${JSON.stringify(each)}\n`).join('');
}

function mine(list: readonly Memory[]): Memory[] {
  return list.map((each) => ({ ...each, user_id: 'ana' }));
}

/**
 * Returns all bytes of a database file. For a server, to which nobody else writes, it returns the
 * rows and the feed.
 */
function hashOf({ database, writer }: World): string {
  if (onlyFiles) return JSON.stringify(writer.accounts.list());
  const hash = createHash('sha256');
  for (const end of ['', '-wal']) hash.update(readFileSync(database + end));
  return hash.digest('hex');
}

interface Said {
  readonly files: number;
  readonly added: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly rejected: number;
  readonly committed: boolean;
  readonly dated_by_file: number;
  readonly rejects: readonly {
    readonly line: number;
    readonly item: number;
    readonly id?: string;
    readonly reason: string;
  }[];
  readonly left_out: number;
  readonly in_bin: readonly unknown[];
  readonly partly_read: readonly { file: string; read: number; unread: number }[];
  readonly accounts: Readonly<Record<string, number>>;
  readonly formats: Readonly<Record<string, number>>;
  readonly passed_over: Readonly<Record<string, number>>;
  readonly files_skipped: number;
  readonly skipped_files: readonly string[];
}

function read(stdout: string): Said {
  return JSON.parse(stdout) as Said;
}

describe('import', () => {
  it('reads memories as lines, as an array, in single files and from standard input', async (t) => {
    const { write, importing, all } = await createAna(t);
    const list = memories(4);
    const files = [
      write('lines.jsonl', lines(list.slice(0, 1))),
      write('array.json', JSON.stringify(list.slice(1, 2), null, 2)),
      write('one.json', JSON.stringify(list[2])),
      '-',
    ];
    const { code, stdout, stderr } = await importing(files, JSON.stringify(list[3]));
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /^4 files read: 4 memories added, 0 updated, 0 unchanged, 0 rejected\.$/m);
    assert.match(stdout, /from 2026-01-01 to 2026-01-01, for ana \(4\), by format memory \(4\)/);
    assert.deepEqual(await all(), mine(list));
  });

  it('writes nothing the second time, and only changes the third time', async (t) => {
    const { world, write, importing, all } = await createAna(t);
    const list = memories(3);
    const file = write('lines.jsonl', lines(list));
    await importing([file]);
    const changes = () => world.gateway.as('ana').changes.list();
    const [before, store] = [await changes(), world.writer.accounts.list()];
    const again = read((await importing([file, '--json'])).stdout);
    assert.deepEqual([again.added, again.updated, again.unchanged], [0, 0, 3]);
    assert.deepEqual(await changes(), before, 'no change in the feed');
    assert.deepEqual(world.writer.accounts.list(), store);

    const changed = list.map((each) => (each.id === 'm001' ? { ...each, name: 'Other' } : each));
    const third = read((await importing(['-', '--json'], lines(changed))).stdout);
    assert.deepEqual([third.added, third.updated, third.unchanged], [0, 1, 2]);
    assert.deepEqual(await all(), mine(changed));
    const order = (await changes()).map(({ memory_id }) => memory_id);
    assert.deepEqual(order, ['m000', 'm002', 'm001'], 'one more change, the latest');
  });

  it('lists each reject with its file, line or item and reason, and imports the rest', async (t) => {
    const { write, importing, all } = await createAna(t);
    const list = memories(3);
    const file = write(
      'lines.jsonl',
      `${lines(list.slice(0, 1))}{"id":\n\n${lines([{ ...list[1], started_at: 'today' }, list[2]])}`,
    );
    const array = write('array.json', JSON.stringify([{ ...list[1], id: '' }]));
    const { code, stdout, stderr } = await importing([file, array, '--json']);
    assert.equal(code, 1);
    assert.deepEqual(stderr.split('\n'), [
      `${file}:2: it is not JSON, or breaks off.`,
      `${file}:4: its start time cannot be read: "today".`,
      `${array}, item 1: its "id" is empty.`,
      '',
    ]);
    const said = read(stdout);
    assert.deepEqual([said.added, said.rejected, said.committed], [2, 3, true]);
    assert.deepEqual([said.left_out, said.partly_read], [0, [{ file, read: 2, unread: 2 }]]);
    assert.deepEqual(
      said.rejects.map(({ line, item }) => [line, item]),
      [
        [2, undefined],
        [4, undefined],
        [undefined, 1],
      ],
    );
    assert.deepEqual(
      (await all()).map(({ id }) => id),
      ['m000', 'm002'],
    );
  });

  it('writes all or nothing with --all-or-nothing', async (t) => {
    const { importing, all } = await createAna(t);
    const broken = `${lines(memories(1200))}broken\n`;
    const { code, stdout } = await importing(['-', '--all-or-nothing'], broken);
    assert.equal(code, 1);
    assert.match(stdout, /1200 memories would be added, [^]*Nothing was written/);
    assert.deepEqual(await all(), []);
    const whole = await importing(['-', '--all-or-nothing', '--json'], lines(memories(1200)));
    assert.deepEqual([whole.code, read(whole.stdout).committed], [0, true]);
    assert.equal((await all()).length, 1200);
  });

  it('prints what a dry run would do, and changes no byte', async (t) => {
    const { world, importing, all } = await createAna(t);
    const [first, second, third] = memories(3);
    await importing(['-'], lines([first, second]));
    const before = hashOf(world);
    const input = lines([first, { ...second, name: 'Other' }, third, { ...third, name: 'Two' }, 1]);
    const json = read((await importing(['-', '--dry-run', '--json'], input)).stdout);
    assert.deepEqual(
      [json.added, json.updated, json.unchanged, json.rejected, json.committed],
      [1, 1, 1, 2, false],
    );
    const { stdout } = await importing(['-', '--dry-run'], input);
    assert.match(stdout, /1 memory would be added, 1 would be updated, 1 unchanged, 2 rejected/);
    assert.match(stdout, /2026-01-01 00:02Z {2}m002 {2}Memory m002: xxxxxxxxxx$/m);
    assert.equal(hashOf(world), before);
    assert.equal((await all()).length, 2);
    assert.equal((await world.gateway.as('ana').changes.list()).length, 2);
  });

  it('imports the rest also if nobody can read what it says of rejected items', async (t) => {
    const { world, write } = await createAna(t);
    const file = write('lines.jsonl', `${'{"id":1}\n'.repeat(20)}${lines(memories(3))}`);
    for (const where of ['/dev/full', '>(true)']) {
      const { code, stdout } = await runProcess(
        ['import', file, '--json', '--database', world.database],
        { under: ['bash', '-c', `exec "$@" 2> ${where}`, 'bash'] },
      );
      assert.equal(code, 1);
      const said = read(stdout);
      assert.deepEqual([said.added + said.unchanged, said.rejected], [3, 20], where);
    }
  });

  it('prints the first 300 rejected items and counts the rest', async (t) => {
    const { write, importing } = await createAna(t);
    const path = write('bad.jsonl', '{"id":1}\n'.repeat(1000));
    const { code, stdout, stderr } = await importing([path]);
    assert.equal(code, 1);
    assert.match(stdout, /0 unchanged, 1000 rejected\.$/m);
    const said = stderr.trim().split('\n');
    assert.equal(said.length, 301);
    assert.match(said.at(-1) ?? '', /^More items are rejected\. They are counted but not shown/);
  });

  it('imports the first of two memories with the same id, and rejects the second', async (t) => {
    const { importing, all } = await createAna(t);
    const twice = memory({ id: 'twice' });
    const input = lines([twice, { ...twice, name: 'Another' }, twice]);
    for (const added of [1, 0]) {
      const { code, stdout, stderr } = await importing(['-', '--json'], input);
      assert.equal(code, 1);
      assert.match(
        stderr,
        /^standard input:2, id twice: another one in this import has the same id, and counts; if you want this one instead, import it by itself afterwards\.\n$/,
      );
      const { left_out, partly_read, rejected, rejects } = read(stdout);
      assert.deepEqual([rejected, left_out, rejects[0]?.id, partly_read], [1, 1, 'twice', []]);
      assert.deepEqual([read(stdout).added, read(stdout).unchanged], [added, 2 - added]);
      assert.deepEqual(await all(), mine([twice]));
    }
  });

  it('never overwrites a memory of another product with the same number as id', async (t) => {
    const { importing, all } = await createAna(t);
    const bee = {
      id: 7,
      start_time: Date.parse('2026-11-18T09:00:00Z'),
      transcriptions: [{ utterances: [{ speaker: 'Mira', text: 'Bees count.' }] }],
    };
    const speakr = { id: 7, meeting_date: '2026-11-19T09:00:00Z', transcription: 'So do I.' };
    assert.equal((await importing(['-'], lines([bee]))).code, 0);
    const changed = { ...bee, short_summary: 'They do.' };
    const again = read((await importing(['-', '--json'], lines([changed]))).stdout);
    assert.deepEqual([again.updated, again.rejected], [1, 0], 'the same, seen again');
    const corrected = { ...changed, start_time: Date.parse('2026-11-18T10:00:00Z') };
    const third = read((await importing(['-', '--json'], lines([corrected]))).stdout);
    assert.deepEqual([third.updated, third.rejected], [1, 0], 'its start, corrected');
    for (const more of [[], ['--dry-run']]) {
      const other = await importing(['-', '--json', ...more], lines([speakr, speakr]));
      assert.deepEqual([other.code, read(other.stdout).rejected], [1, 2]);
      assert.match(other.stderr, /:1, id 7: the stored memory with this id has another start/);
    }
    assert.deepEqual(
      (await all()).map(({ summary, transcript }) => [summary.quick_summary, transcript]),
      [['They do.', 'Mira: Bees count.']],
    );
    // Two recordings without words are not the same for that.
    const silent = { id: 8, start_time: Date.parse('2026-11-18T09:00:00Z'), transcriptions: [] };
    const silentToo = { id: 8, meeting_date: '2026-11-19T09:00:00Z', transcription: '' };
    assert.equal((await importing(['-'], lines([silent]))).code, 0);
    const other = await importing(['-'], lines([silentToo]));
    assert.match(other.stderr, /, id 8: the stored memory with this id has another start/);
  });

  it('fails if nothing can be read, and names the files', async (t) => {
    const { write, importing } = await createAna(t);
    const folder = dirname(write('Notes.docx', 'x'));
    write('photo.png', 'x');
    const { code, stdout } = await importing([folder]);
    assert.equal(code, 1);
    assert.match(stdout, /2 skipped: a file of another kind\./);
    assert.match(
      stdout,
      /nothing to import\. These files are no transcripts of a known kind: .*Notes\.docx, .*photo\.png; see/,
    );
    const empty = await importing(['-'], '[]');
    assert.equal(empty.code, 1);
    assert.match(
      empty.stdout,
      /There was nothing to import\. Give files or folders with transcripts;/,
    );
  });

  it('says what to do about files without words, one line for each kind', async (t) => {
    const { write, importing } = await createAna(t);
    const folder = dirname(write('call.mp3', 'x'));
    write('call.mp4', 'x');
    const { stdout } = await importing([folder]);
    assert.match(stdout, /^A sound file has no words: .*\.\nA video has no words: .*\.$/m);
  });

  it('says what to do about a file without words that is named itself', async (t) => {
    const { write, importing } = await createAna(t);
    const { code, stdout } = await importing([write('call.mp3', 'x')]);
    assert.equal(code, 1);
    assert.match(stdout, /^A sound file has no words: make a transcript of it/m);
  });

  it('reads the transcripts among Markdown files and documents, and skips the others', async (t) => {
    const { write, importing, all } = await createAna(t);
    const transcript = 'Weekly (2026-02-10 09:02 GMT) - Transcript\n00:00:00\nAna: Hello.\n';
    const folder = dirname(write('Weekly.md', `# ${transcript}`));
    write('notes.md', '# Ask Bo: when?\n');
    write('Weekly.docx', docxOf(transcript.trim().split('\n')));
    write('Letter.docx', docxOf(['Dear Ana,']));
    write('~$Letter.docx', 'Ana');
    const { code, stdout } = await importing([folder, '--json']);
    const { files, added, rejected, passed_over, files_skipped, skipped_files, formats } =
      read(stdout);
    assert.equal(files_skipped, 3);
    assert.deepEqual([code, files, added, rejected], [0, 2, 2, 0]);
    assert.deepEqual(passed_over, { 'a file of another kind': 3 });
    assert.deepEqual(
      skipped_files.map((name) => basename(name)),
      ['Letter.docx', 'notes.md', '~$Letter.docx'],
    );
    assert.deepEqual(formats, { 'google-meet': 2 });
    assert.deepEqual(
      (await all()).map(({ transcript: said }) => said),
      ['Ana: Hello.', 'Ana: Hello.'],
    );
    const named = await importing([join(folder, 'Letter.docx'), join(folder, 'notes.md')]);
    assert.equal(named.code, 1);
    assert.match(named.stderr, /Letter\.docx: it is a document, but no transcript/);
    assert.match(named.stderr, /notes\.md: it is neither JSON, captions nor a transcript/);
    write('talk.ass', '[Script Info]\nTitle: Talk\n');
    const captions = await importing([join(folder, 'talk.ass')]);
    assert.match(
      captions.stderr,
      /talk\.ass: it has captions in a form that is not read; save it as \.srt/,
    );
    write('mine.csv', 'when,words\n2026-11-18,Hello\n');
    const table = await importing([join(folder, 'mine.csv')]);
    assert.match(
      table.stderr,
      /mine\.csv: it is a table without known columns; .*pass --format csv, with --map, if/,
    );
  });

  it('reads the notes of a meeting without a transcript if they are wanted', async (t) => {
    const { write, importing, all } = await createAna(t);
    const notes = '📝 Notes\nFeb 10, 2026\nWeekly\nInvited Ana\nSummary\nThe gate is open.\n';
    const path = write('Weekly.txt', notes);
    const { stderr } = await importing([path]);
    assert.match(stderr, /it has no transcript; save the tab with the transcript as well/);
    assert.equal((await importing([path, '--without-transcript'])).code, 0);
    assert.deepEqual(
      (await all()).map(({ started_at, summary }) => [started_at, summary.quick_summary]),
      [['2026-02-10T00:00:00.000Z', 'The gate is open.']],
    );
  });

  it("dates Zoom's captions by their folder, also if only the file is named", async (t) => {
    const { write, importing, all } = await createAna(t);
    const folder = join(dirname(write('a.md', '')), '2026-09-14 13.36.31 Weekly');
    mkdirSync(folder);
    const file = join(folder, 'closed_caption.txt');
    writeFileSync(file, '[Ana] 13:36:40\nHello.\n');
    for (const path of [dirname(folder), folder, file])
      assert.equal((await importing([path, '--timezone', 'Europe/Berlin'])).code, 0, path);
    const found = await all();
    assert.deepEqual(
      found.map(({ name, started_at, ended_at }) => [name, started_at, ended_at]),
      [['Weekly', '2026-09-14T11:36:31.000Z', '2026-09-14T11:36:40.000Z']],
    );
  });

  it("reads the lifelogs of Limitless' own export, and skips the files beside them", async (t) => {
    const { write, importing, all } = await createAna(t);
    const root = dirname(write('notes.md', '# Of a person'));
    for (const folder of ['lifelogs/2025/12/03', 'chats/2025/12/03', 'user'])
      mkdirSync(join(root, folder), { recursive: true });
    const said = '> [8](#startMs=1764763311793&endMs=1764763317793): To Porto.';
    write(
      'lifelogs/2025/12/03/2025-12-03_12h01m51s_Coffee.md',
      `# Coffee\n\n## Plans\n\n${said}\n`,
    );
    const chat = { id: 'c', summary: '', createdAt: '2025-12-03T12:00:00Z', messages: [] };
    write('chats/2025/12/03/c.json', JSON.stringify(chat));
    write('user/user.json', '{"name":"Ana"}');
    const { code, stdout } = await importing([root, '--json']);
    const { added, rejected, passed_over } = read(stdout);
    assert.deepEqual([code, added, rejected], [0, 1, 0]);
    assert.deepEqual(passed_over, {
      'a file of another kind': 1,
      'a part of a Limitless export that is no recording': 2,
    });
    assert.deepEqual(
      (await all()).map(({ id, name, transcript }) => [id, name, transcript]),
      [['2025-12-03_12h01m51s_Coffee', 'Coffee', 'Speaker 8: To Porto.']],
    );
  });

  describe('of captions, whose id is the name of their file,', () => {
    const captionsOf = (...words: readonly string[]) =>
      `WEBVTT\n\n${words.map((each, i) => `00:0${i}.000 --> 00:0${i}.900\n${each}\n`).join('\n')}`;
    const MONDAY = Date.parse('2026-11-16T09:00:00Z') / 1000;
    const at = (day: number) => ['--started-at', `2026-11-${day}T09:00:00Z`, '--json'];

    it('never overwrites another recording with the same name', async (t) => {
      const { write, importing, all } = await createAna(t);
      const file = write('talks/call.vtt', captionsOf('Of Monday.'));
      assert.equal(read((await importing([file, ...at(16)])).stdout).added, 1);
      write('talks/call.vtt', captionsOf('Of Tuesday.'));
      for (const more of [['--dry-run'], []])
        assert.equal(read((await importing([file, ...at(17), ...more])).stdout).added, 1);
      assert.deepEqual(
        (await all()).map(({ id, transcript }) => [id, transcript]),
        [
          ['call.vtt', 'Of Monday.'],
          ['talks~2Fcall.vtt', 'Of Tuesday.'],
        ],
      );
      write('talks/call.vtt', captionsOf('Of Monday!'));
      assert.equal(read((await importing([file, ...at(16)])).stdout).updated, 1, 'corrected');
    });

    it('makes one memory of the files that a recogniser writes of a recording, the richest first', async (t) => {
      const { write, importing, all } = await createAna(t);
      const said = ['Hello there.', 'The fridge is cold.', 'Goodbye.'];
      const cues = (mark: string) =>
        said.map((line, i) => `00:00:0${i}${mark}000 --> 00:00:0${i + 1}${mark}000\n${line}\n`);
      const segments = said.map((line, i) => ({
        id: i,
        seek: 0,
        start: i,
        end: i + 1,
        text: ` ${line}`,
        tokens: [],
        temperature: 0,
        avg_logprob: -0.2,
        compression_ratio: 1,
        no_speech_prob: 0,
      }));
      const json = JSON.stringify({ text: ` ${said.join(' ')}`, segments, language: 'en' });
      write('one/call.vtt', `WEBVTT\n\n${cues('.').join('\n')}`);
      write(
        'one/call.srt',
        cues(',')
          .map((cue, i) => `${i + 1}\n${cue}`)
          .join('\n'),
      );
      const folder = dirname(write('one/call.json', json));
      write('one/other.vtt', `WEBVTT\n\n${cues('.').slice(1).join('\n')}`);
      for (const counts of [
        '2 memories added, 0 updated, 2 unchanged',
        '0 memories added, 0 updated, 4 unchanged',
      ])
        assert.match((await importing(['--account', 'ana', folder])).stdout, new RegExp(counts));
      const stored = await all();
      assert.deepEqual(stored.map(({ id }) => id).toSorted(), ['call.json', 'other.vtt']);
      write('one/call.srt', '1\n00:00:00,000 --> 00:00:01,000\nQuite another talk.\n');
      await importing(['--account', 'ana', folder]);
      assert.equal((await all()).length, 3, 'a file with other words is another recording');
    });

    it('makes one memory of a file and of its copies under other names, in one import and in several', async (t) => {
      const { write, importing, all } = await createAna(t);
      const words = captionsOf('Mira: The pump works.', 'Ivo: Then close the lid.');
      const counts = async (folder: string) => {
        const { added, updated, unchanged } = read((await importing([folder, '--json'])).stdout);
        return [added, updated, unchanged];
      };
      write('all/2026-11-16 Pump.vtt', words);
      write('all/2026-11-16 Pump (1).vtt', words);
      const folder = dirname(write('all/2026-11-16 Pump - Copy.vtt', words));
      assert.deepEqual(await counts(folder), [1, 0, 2]);
      const [first] = await all();
      assert.deepEqual([first?.id, first?.name], ['2026-11-16~20Pump.vtt', 'Pump']);
      assert.deepEqual(await counts(folder), [0, 0, 3]);
      write('all/Lid.vtt', words);
      assert.deepEqual(await counts(folder), [0, 0, 4], 'dated by its file');
      const renamed = dirname(write('later/2026-11-17 Lid.vtt', words));
      assert.deepEqual(await counts(renamed), [0, 1, 0]);
      assert.deepEqual(
        (await all()).map(({ name, started_at }) => [name, started_at]),
        [['Lid', '2026-11-17T00:00:00.000Z']],
      );
    });

    it('stays one memory when it is renamed and grows afterwards, with the name that its owner gave it, and in the bin', async (t) => {
      const { world, write, importing, all } = await createAna(t);
      const said = ['Mira: The pump works.', 'Ivo: Then close the lid.'];
      const words = captionsOf(...said);
      const counts = async () => {
        const { stdout } = await importing([join(folder), '--json']);
        const { added, updated, unchanged, rejected, in_bin } = read(stdout);
        return [added, updated, unchanged, rejected, in_bin.length];
      };
      const folder = dirname(write('all/chat.vtt', words));
      assert.deepEqual(await counts(), [1, 0, 0, 0, 0]);
      await run(['edit', 'chat.vtt', '--name', 'The pump', '--database', world.database]);
      renameSync(join(folder, 'chat.vtt'), join(folder, 'Talk.vtt'));
      assert.deepEqual(await counts(), [0, 1, 0, 0, 0]);
      assert.deepEqual(await counts(), [0, 0, 1, 0, 0]);
      await run(['people', 'rename', 'Ivo', 'Ivo Lind', '--database', world.database]);
      for (const line of ['Mira: It is closed.', 'Ivo: Good.']) {
        said.push(line);
        write('all/Talk.vtt', captionsOf(...said));
        assert.deepEqual(await counts(), [0, 1, 0, 0, 0], line);
      }
      write('all/team/Talk.vtt', captionsOf('Ann: Another talk with that name.'));
      assert.deepEqual(await counts(), [1, 0, 1, 0, 0]);
      const first = (await all()).find(({ id }) => id === 'chat.vtt');
      assert.deepEqual(
        [first?.name, first?.transcript.split('\n').at(-1)],
        ['The pump', 'Ivo Lind: Good.'],
      );
      await world.writer.bin.put({ account_id: 'ana', ids: ['chat.vtt'], agent: 'test' });
      write('all/Talk.vtt', captionsOf(...said, 'Mira: Bye.'));
      assert.deepEqual(await counts(), [0, 0, 1, 0, 1]);
      await world.writer.bin.restore({ account_id: 'ana', ids: ['chat.vtt'], agent: 'test' });
      assert.deepEqual(await counts(), [0, 1, 1, 0, 0]);
    });

    it('makes one memory of a file and of its copy, also if another recording has its name', async (t) => {
      const { write, importing, all } = await createAna(t);
      const words = captionsOf('Mira: The pump works.', 'Ivo: Then close the lid.');
      write('all/a/call.vtt', captionsOf('Ben: Another talk.', 'Ann: Of another day.'));
      write('all/b/call.vtt', words);
      const folder = dirname(dirname(write('all/c/copied.vtt', words)));
      const { added, unchanged } = read((await importing([folder, '--json'])).stdout);
      assert.deepEqual([added, unchanged], [2, 1]);
      const stored = await all();
      assert.deepEqual(stored.map(({ id }) => id).toSorted(), ['b~2Fcall.vtt', 'call.vtt']);
    });

    it('makes two memories of the same words at two dates, and of a short file with the words of another one', async (t) => {
      const { write, importing } = await createAna(t);
      const words = captionsOf('Mira: The pump works.', 'Ivo: Then close the lid.');
      write('all/2026-11-16 Pump.vtt', words);
      write('all/2026-11-17 Pump.vtt', words);
      write('all/Memo 1.vtt', captionsOf('Thank you.'));
      const folder = dirname(write('all/Memo 2.vtt', captionsOf('Thank you.')));
      const said = await importing([folder, '--json']);
      assert.deepEqual([read(said.stdout).added, read(said.stdout).rejected], [4, 0]);
    });

    it('makes one memory of a file, whichever folder it starts from', async (t) => {
      const { write, importing, all } = await createAna(t);
      const root = dirname(write('recordings/2026-11-18 0900 Stand-up.vtt', captionsOf('Hi.')));
      write('recordings/team/call.vtt', captionsOf('Of the team.'));
      write('recordings/sales/call.vtt', captionsOf('Of sales.'));
      const first = read((await importing([join(root, 'team/call.vtt'), '--json'])).stdout);
      assert.deepEqual([first.added, first.dated_by_file], [1, 1]);
      for (const [path, added, unchanged] of [
        ['team', 0, 1],
        ['.', 2, 1],
        ['.', 0, 3],
        ['sales', 0, 1],
        ['sales/call.vtt', 0, 1],
      ] as const) {
        const got = read((await importing([join(root, path), '--json'])).stdout);
        const counts = [got.added, got.updated, got.unchanged, got.rejected];
        assert.deepEqual(counts, [added, 0, unchanged, 0], path);
      }
      assert.deepEqual((await all()).map(({ id }) => id).toSorted(), [
        '2026-11-18~200900~20Stand-up.vtt',
        'call.vtt',
        'sales~2Fcall.vtt',
      ]);
    });

    it('keeps the time of a memory if its file is copied, and updates its words', async (t) => {
      const { write, importing, all } = await createAna(t);
      const file = write('talk/call.vtt', captionsOf('One.', 'Two.'));
      utimesSync(file, MONDAY, MONDAY);
      const said = await importing([dirname(file)]);
      assert.match(said.stdout, /\n1 recording is dated by the modification time of the file; /);
      const copy = dirname(write('copy of talk/call.vtt', captionsOf('One.', 'Two.')));
      assert.equal(read((await importing([copy, '--json'])).stdout).unchanged, 1);
      write('copy of talk/call.vtt', captionsOf('One.', 'Two!'));
      assert.equal(read((await importing([copy, '--json'])).stdout).updated, 1);
      assert.deepEqual(
        (await all()).map(({ id, started_at, transcript }) => [id, started_at, transcript]),
        [['call.vtt', '2026-11-16T09:00:00.000Z', 'One.\nTwo!']],
      );
    });

    it('reads a copy within one import once', async (t) => {
      const { write, importing, all } = await createAna(t);
      write('all/talk/call.vtt', captionsOf('One.'));
      const folder = dirname(dirname(write('all/copy/call.vtt', captionsOf('One.'))));
      const { added, unchanged } = read((await importing([folder, '--json'])).stdout);
      assert.deepEqual([added, unchanged], [1, 1]);
      assert.equal((await all()).length, 1);
    });
  });

  it('reads its own compressed export, from a file, a folder, a pipe and a tar archive', async (t) => {
    const { world, write, importing, all } = await createAna(t);
    const list = memories(5);
    const file = write('backup/mine.jsonl', lines(list));
    const folder = dirname(file);
    writeFileSync(`${file}.gz`, gzipSync(readFileSync(file)));
    execFileSync('tar', ['-czf', join(folder, '../all.tgz'), '-C', folder, '.']);
    rmSync(file);
    const first = read((await importing([`${file}.gz`, '--json'])).stdout);
    assert.deepEqual([first.added, first.rejected], [5, 0]);
    const again = read((await importing([folder, '--json'])).stdout);
    assert.deepEqual([again.unchanged, again.rejected], [5, 0]);
    const packed = read((await importing([join(folder, '../all.tgz'), '--json'])).stdout);
    assert.deepEqual([packed.unchanged, packed.rejected], [10, 0], 'both files in it');
    const [program = '', ...words] = PROGRAM_WORDS;
    const piped = spawn(program, [...words, 'import', '-', '--database', world.database]);
    piped.stdin.end(gzipSync(lines(memories(6))));
    assert.match(await text(piped.stdout), /1 memory added, 0 updated, 5 unchanged, 0 rejected/);
    assert.equal((await all()).length, 6);
  });

  it('keeps what is there of a damaged gzip file, and says that it is damaged', async (t) => {
    const { write, importing } = await createAna(t);
    const file = write('mine.jsonl.gz', '');
    writeFileSync(file, gzipSync(lines(memories(2000))).subarray(0, -2000));
    const { code, stdout, stderr } = await importing([file, '--json']);
    const { added, rejected } = read(stdout);
    assert.deepEqual([code, rejected], [1, 1]);
    assert.ok(added > 0 && added < 2000, `${added}`);
    assert.match(stderr, /mine\.jsonl\.gz: its gzip data is damaged or cut off\.\n$/);
  });

  it('reads old encodings if they are named', async (t) => {
    const { write, importing, all } = await createAna(t);
    const file = write('2026-11-18 0900 menu.srt', '');
    writeFileSync(
      file,
      Buffer.from('1\n00:00:01,000 --> 00:00:02,000\nCaf\xe9 \x80 3\n', 'latin1'),
    );
    const refused = await importing([file]);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /it is not UTF-8, .*--encoding windows-1252/);
    assert.equal((await importing([file, '--encoding', 'windows-1252'])).code, 0);
    assert.equal((await all())[0]?.transcript, 'Café € 3');
    const unknown = await importing([file, '--encoding', 'klingon']);
    assert.equal(unknown.code, 2);
    assert.match(
      unknown.stderr,
      /--encoding takes a name of the Encoding Standard, .* not "klingon"/,
    );
    const marked = write(
      '2026-11-19 0900 marked.srt',
      '\uFEFF1\n00:00:01,000 --> 00:00:02,000\nCafé\n',
    );
    assert.equal((await importing([marked, '--encoding', 'windows-1252'])).code, 0);
    assert.equal((await all())[1]?.transcript, 'Café', 'a byte order mark says more');
  });

  it('keeps notes without a transcript if asked to, and never takes a transcript away', async (t) => {
    const { write, importing, all } = await createAna(t);
    const note = {
      object: 'note',
      id: 'not_1',
      title: 'Stand-up',
      created_at: '2026-11-18T09:00:00Z',
      summary_markdown: '- Ship on Friday',
    };
    const said = [{ text: 'Hi.', speaker: { name: 'Mira' }, start_time: '2026-11-18T08:30:00Z' }];
    const file = write('note.json', JSON.stringify({ ...note, transcript: null }));
    const refused = await importing([file, '--json']);
    assert.deepEqual([refused.code, read(refused.stdout).rejected], [1, 1]);
    assert.equal((await importing([file, '--without-transcript'])).code, 0);
    const [kept] = await all();
    assert.deepEqual(
      [kept?.name, kept?.transcript, kept?.summary.key_takeaways, kept?.started_at],
      ['Stand-up', '', ['Ship on Friday'], '2026-11-18T09:00:00.000Z'],
    );
    write('note.json', JSON.stringify({ ...note, transcript: said }));
    assert.equal((await importing([file, '--without-transcript'])).code, 0);
    const list = { ...note, transcript: null, title: 'Stand-up of Wednesday' };
    write('note.json', JSON.stringify(list));
    for (const more of [['--dry-run'], []])
      assert.equal(
        read((await importing([file, '--without-transcript', '--json', ...more])).stdout).updated,
        1,
      );
    const [after] = await all();
    assert.deepEqual(
      [after?.name, after?.transcript, after?.started_at],
      ['Stand-up of Wednesday', 'Mira: Hi.', '2026-11-18T08:30:00.000Z'],
    );
  });

  it('reads the sample of every product at once', async (t) => {
    const { importing, all } = await createAna(t);
    const { code, stdout } = await importing([join(ROOT, 'fixtures/samples'), '--json']);
    const { rejected, passed_over, formats, dated_by_file } = read(stdout);
    assert.deepEqual([code, rejected, passed_over, dated_by_file], [0, 0, {}, 0], stdout);
    assert.deepEqual(Object.keys(formats).toSorted(), formatNames.toSorted());
    for (const { id, transcript } of await all()) assert.notEqual(transcript, '', id);
  });

  it('says at Ctrl-C what stays, and how to go on', async (t) => {
    const { world, importing, all } = await createAna(t);
    const [program = '', ...words] = PROGRAM_WORDS;
    const running = spawn(program, [...words, 'import', '-', '--database', world.database]);
    const said = text(running.stderr);
    // The first MiB shows what kind of JSON it is, and 500 memories are written at a time.
    const list = memories(3000).map((each) => ({ ...each, transcript: 'Mira: Hi. '.repeat(60) }));
    running.stdin.on('error', () => {}); // it ends before it has read all
    running.stdin.write(lines(list));
    for (let waits = 0; waits < 500 && (await all()).length === 0; waits++) await setTimeout(20);
    running.kill('SIGINT');
    const [, signal] = (await once(running, 'exit')) as [unknown, string];
    assert.equal(signal, 'SIGINT');
    const kept = (await all()).length;
    assert.ok(kept > 0 && kept % 500 === 0, `${kept}`);
    assert.equal(
      await said,
      `Stopped. ${kept} memories added and 0 updated stay, 0 were unchanged. Run the same command again for the rest.\n`,
    );
    const again = read((await importing(['-', '--json'], lines(list))).stdout);
    assert.deepEqual([again.added, again.unchanged], [3000 - kept, kept]);
  });

  it('uses the account that memories name, the given one, or the only one', async (t) => {
    const { world, importing, all } = await createAna(t);
    const [first, second, third] = memories(3);
    const only = await importing(['-'], lines([first]));
    assert.equal(only.code, 0, 'the only account');

    world.addAccount('bo');
    const own = await importing(['-'], lines([{ ...second, user_id: 'bo' }]));
    assert.equal(own.code, 0);
    const unknown = await importing(['-'], lines([{ ...second, user_id: 'cy' }]));
    assert.equal(unknown.code, 1);
    assert.match(
      unknown.stderr,
      /^standard input: there is no account "cy"; create it with "accounts create/,
    );
    const open = await importing(['-'], lines([third]));
    assert.equal(open.code, 2);
    assert.match(
      open.stderr,
      /^memory-gateway: Give --account ACCOUNT: .* there are 2 accounts\.\n$/,
    );
    const named = await importing(['-', '--account', 'ana'], lines([{ ...third, user_id: 'bo' }]));
    assert.equal(named.code, 0);
    assert.deepEqual(await all(), mine([first as Memory, third as Memory]));
    const ofBo = await world.gateway.as('bo').memories.list();
    assert.deepEqual(ofBo, [{ ...second, user_id: 'bo' }]);
    const late = [{ ...first, user_id: 'ana' }, third, { ...second, user_id: 'bo' }];
    const rest = await importing(['-'], lines(late));
    assert.equal(rest.code, 1, 'the rest is taken');
    assert.match(rest.stderr, /^standard input:2: it names no account; give --account\.\n$/);
    const nobody = await importing(['-', '--account', 'nobody'], lines([third]));
    assert.deepEqual([nobody.code, nobody.stdout], [1, '']);
  });

  it('says what to do if an account does not exist', async (t) => {
    const database = engine.create(t, newFolder());
    const none = await run(['import', '-', '--database', database], { input: lines(memories(1)) });
    assert.deepEqual(none, {
      code: 1,
      stdout: '',
      stderr: 'memory-gateway: There is no account yet; create one with "accounts create NAME".\n',
    });
    const { world, importing } = await createAna(t);
    world.addAccount('constructor');
    const given = memories(1).map((each) => ({ ...each, user_id: 'constructor' }));
    const { stdout } = await importing(['-', '--json'], lines(given));
    assert.deepEqual(read(stdout).accounts, { constructor: 1 });
  });

  it(
    'shows its progress on a terminal with rejects above it, also from a pipe',
    { skip: process.platform !== 'linux' && 'needs script(1) of Linux' },
    async (t) => {
      const { world, write, all } = await createAna(t);
      const list = memories(1500, 2000);
      const file = write(
        'a.jsonl',
        `${lines(list.slice(0, 700))}broken\n${lines(list.slice(700))}`,
      );
      const program = `${PROGRAM_WORDS.join(' ')} import --database ${world.database}`;
      for (const command of [`${program} ${file}`, `cat ${file} | ${program} -`]) {
        const terminal = spawn('script', ['-qec', command, '/dev/null']);
        const [said] = await Promise.all([text(terminal.stdout), once(terminal, 'close')]);
        assert.match(said, /:701: it is not JSON, or breaks off\.\r\n/, command);
        assert.match(said, /1 file read: \d+ memories added, 0 updated, \d+ unchanged, 1 rejected/);
        if (command.endsWith('-'))
          assert.match(said, /MB \| 0 written, \d+ unchanged, \d+ a second/);
        else assert.match(said, /█░* \d+ % \| [\d.]+ MB of 3\.\d MB \| \d+ written/);
      }
      assert.equal((await all()).length, 1500);
    },
  );

  it('reads times without an offset in the given time zone', async (t) => {
    const { importing, all } = await createAna(t);
    const input = lines([{ id: 'a', started_at: '2026-07-01 09:00:00', transcript: '' }]);
    await importing(['-', '--timezone', 'Europe/Berlin'], input);
    assert.equal((await all())[0]?.started_at, '2026-07-01T07:00:00.000Z');
  });

  it('names in its help every format that the manual has', async () => {
    const { stdout } = await run(['help', 'import']);
    const section = stdout.slice(stdout.indexOf('Formats:'), stdout.indexOf('Examples:'));
    const named = Array.from(section.matchAll(/^ {2}([a-z-]+) /gm), ([, name]) => name);
    assert.deepEqual(named, formatNames);
    const page = readFileSync(join(ROOT, 'docs/reference/formats.md'), 'utf8');
    for (const name of formatNames) assert.match(page, new RegExp(`^\\| \`${name}\` \\|`, 'm'));
  });

  it('reports usage errors, and failures before it starts, in one sentence', async (t) => {
    const { importing } = await createAna(t);
    const calls: [string[], number, RegExp][] = [
      [[], 2, /Give at least one FILE/],
      [['-', '--format', 'vhs'], 2, /--format takes memory, .*, not "vhs"/],
      [['-', '--format', 'csvv'], 2, /--format does not take "csvv"\. Did you mean "csv"\?/],
      [['-', '--timezone', '+02:00'], 2, /--timezone takes the name of an IANA time zone/],
      [['-', '--started-at', 'now'], 2, /--started-at takes a time such as/],
      [['/nowhere/a.json'], 1, /\/nowhere\/a\.json/],
    ];
    for (const [args, code, sentence] of calls) {
      const said = await importing(args);
      assert.equal(said.code, code, args.join(' '));
      assert.match(said.stderr, sentence);
      assert.match(said.stderr, /^memory-gateway: [^\n]+\n$/);
      assert.equal(said.stdout, '');
    }
  });

  it('reads a table with a header, whose columns are named', async (t) => {
    const { importing, write, all } = await createAna(t);
    const table = write(
      'calls.csv',
      '\uFEFFuuid;when;text;quick_summary\r\nn-7;2026-11-18 09:00;"Ana: ""Ripe""; yes.\nBo: Good.";Tomatoes\r\n;2026-11-18;x;\r\nn-8;2026-11-19;;\r\n',
    );
    const map = ['--format', 'csv', '--map', 'id=uuid,started_at=when,transcript=text'];
    const { stdout, code } = await importing([...map, '--json', table]);
    const { added, rejects } = read(stdout);
    assert.deepEqual([code, added], [1, 2], stdout);
    assert.deepEqual(
      rejects.map(({ line, reason }) => [line, reason]),
      [[4, 'it looks like our own format, but has no id']],
    );
    assert.deepEqual(
      (await all()).map(({ id, started_at, transcript, summary }) => [
        id,
        started_at,
        transcript,
        summary.quick_summary,
      ]),
      [
        ['n-7', '2026-11-18T09:00:00.000Z', 'Ana: "Ripe"; yes.\nBo: Good.', 'Tomatoes'],
        ['n-8', '2026-11-19T00:00:00.000Z', '', ''],
      ],
    );
  });

  it('reads the dates and the decimal commas of a table as people write them', async (t) => {
    const { importing, write, all } = await createAna(t);
    const table = write(
      'calls.csv',
      'id;started_at;duration_seconds;transcript\nn-7;26.07.2026 14:30;12,5;Ana: 1,5 metres.\nn-8;05/07/2026;1;x\nn-9;26.07.2026;1,234;x\n',
    );
    const { stdout } = await importing(['--format', 'csv', '--json', table]);
    const [{ started_at, ended_at, transcript } = {}] = await all();
    assert.deepEqual(
      [started_at, ended_at, transcript],
      ['2026-07-26T14:30:00.000Z', '2026-07-26T14:30:12.500Z', 'Ana: 1,5 metres.'],
    );
    // May or July, and a second or twenty minutes.
    assert.deepEqual(
      read(stdout).rejects.map(({ line }) => line),
      [3, 4],
    );
  });

  it('says which columns a table has, and which fields it can have', async (t) => {
    const { importing, write } = await createAna(t);
    const table = write('calls.csv', 'id,started_at,transcript\na,2026-11-18,x\n');
    const wrong = await importing(['--format', 'csv', '--map', 'id=uuid', table]);
    assert.match(wrong.stderr, /it has no column "uuid"; it has id, started_at, transcript/);
    const field = await importing(['--format', 'csv', '--map', 'title=id', table]);
    assert.match(field.stderr, /--map takes FIELD=COLUMN with one of id, name, .*, not "title=id"/);
    const alone = await importing(['--map', 'id=id', table]);
    assert.match(alone.stderr, /--map needs --format csv/);
    assert.equal((await importing(['--format', 'csv', table])).code, 0);
  });

  it('replaces halves of characters, which strict parsers reject in a whole list', async (t) => {
    const { importing, all } = await createAna(t);
    const odd = { id: 'odd', name: 'A \ud800', started_at: '2026-11-18', transcript: '\udc00: b' };
    await importing(['-'], JSON.stringify(odd));
    const [{ name, transcript } = {}] = await all();
    assert.deepEqual([name, transcript], ['A \ufffd', '\ufffd: b']);
  });

  it('restores the output of export, byte for byte', async (t) => {
    const { world, importing } = await createAna(t);
    for (const name of ['mira', 'tomas', 'leila'])
      await importing([join(ROOT, `fixtures/memories/${name}.json`), '--account', 'ana']);
    const odd = { name: 'A \u0000, \u2028 and "quotes"', transcript: 'a\r\nb\n' };
    world.writer.memories.put('ana', memory({ id: 'odd', ...odd }));
    const exporting = (database: string) =>
      run(['export', '--account', 'ana', '--database', database]);
    const first = await exporting(world.database);
    assert.ok(first.stdout.split('\n').length > 40);

    const other = await createAna(t);
    const { code } = await other.importing(['-'], first.stdout);
    assert.equal(code, 0);
    const second = await exporting(other.world.database);
    assert.equal(second.stdout, first.stdout);
    assert.equal(second.stderr, first.stderr, 'their number and their hash');
  });
});
