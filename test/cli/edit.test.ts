// The commands that put memories right: edit, edits and people.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { stripVTControlCharacters } from 'node:util';

import { run } from '../support/world/program.ts';
import { createWorld, memory } from '../support/world/world.ts';

async function createAna(t: TestContext) {
  const world = await createWorld(t);
  const { database, gateway } = world;
  world.addAccount('ana', [
    memory({ id: 'one', name: 'Talk', transcript: 'Speaker 1: Milk.\nSmith, Bo: Oat.' }),
    memory({ id: 'two', name: 'Call', transcript: 'Speaker 1: Rice.' }),
  ]);
  const api = gateway.as('ana');
  const call = async (...args: string[]) => {
    const { code, stdout, stderr } = await run([...args, '--database', database]);
    return { code, out: stripVTControlCharacters(stdout + stderr) };
  };
  return {
    call,
    transcript: async (memory_id: string) => (await api.memories.get({ memory_id })).transcript,
  };
}

describe('edit', () => {
  it('puts a memory right by the name of its account, and says which speaker there is not', async (t) => {
    const { call, transcript } = await createAna(t);
    const args = ['--speaker', 'Smith, Bo=Bo', '--speaker', 'Mira=Ann', '--account', 'Account ana'];
    assert.deepEqual(await call('edit', 'one', ...args), {
      code: 0,
      out: 'Memory one is changed.\nIt has no speaker "Mira" to rename. The edit is kept for later imports.\n',
    });
    assert.equal(await transcript('one'), 'Speaker 1: Milk.\nBo: Oat.');
    const { out } = await call('edits', 'list');
    assert.match(out, /one +speaker +Mira +Ann +no such speaker\n/);
    assert.match(out, /one +speaker +Smith, Bo +Bo\n/);
  });

  it('gives back what was imported with --reset', async (t) => {
    const { call, transcript } = await createAna(t);
    await call('edit', 'one', '--name', 'Milk', '--speaker', 'Speaker 1=Ann');
    assert.equal(
      (await call('edit', 'one', '--reset')).out,
      'Memory one is changed, without its earlier edits.\n',
    );
    assert.equal(await transcript('one'), 'Speaker 1: Milk.\nSmith, Bo: Oat.');
    assert.equal((await call('edits', 'list')).out, 'There are none yet.\n');
  });

  it('of a name a second time keeps the other edits, and says nothing of them', async (t) => {
    const { call, transcript } = await createAna(t);
    await call('edit', 'one', '--name', 'Milk', '--speaker', 'Speaker 1=Ann');
    const { out } = await call('edit', 'one', '--name', 'Oat milk');
    assert.equal(out, 'Memory one is changed.\n');
    assert.equal(await transcript('one'), 'Ann: Milk.\nSmith, Bo: Oat.');
  });

  it('reads a start in a time zone, and prints JSON', async (t) => {
    const { call } = await createAna(t);
    const zone = ['--timezone', 'Europe/Berlin', '--json'];
    const { out } = await call('edit', 'one', '--started-at', '2026-11-18 10:00', ...zone);
    assert.deepEqual(JSON.parse(out), {
      account_id: 'ana',
      memory_id: 'one',
      dry_run: false,
      changed: true,
      removed: 0,
      without_effect: [],
    });
    assert.match((await call('edits', 'list')).out, / 2026-11-18T09:00:00\.000Z\n/);
  });

  for (const [args, says] of [
    [[], /Give --name, --started-at, --speaker or --reset\./],
    [['--speaker', 'Ann'], /--speaker takes OLD=NEW, not "Ann"\./],
    [['--speaker', 'Ann=a: b'], /--speaker takes 1 to 60 characters that begin .+, not "a: b"\./],
    [['--speaker', 'Ann=Ann'], /"Ann" is the name already\. Give another one\./],
    [['--name', ''], /--name takes 1 to 200 characters on one line, not ""\./],
    [['--started-at', 'noon'], /--started-at takes a time such as .+, not "noon"\./],
    [['--name', 'New', '--started-at', ''], /--started-at takes a time such as .+, not ""\./],
    [
      ['--started-at', '2026-11-18 10:00', '--timezone', 'Nowhere'],
      /--timezone takes the name of an IANA .+, not "Nowhere"\./,
    ],
  ] as const)
    it(`refuses ${args.join(' ') || 'nothing'} with one sentence`, async (t) => {
      const { call } = await createAna(t);
      const { code, out } = await call('edit', 'one', ...args);
      assert.deepEqual([code, says.test(out) || out], [2, true]);
    });

  it('refuses to rename one speaker twice, however the name is written', async (t) => {
    const { call, transcript } = await createAna(t);
    const refused = (name: string) => ({
      code: 1,
      out: `memory-gateway: This renames the speaker "${name}" twice; give each speaker one new name.\n`,
    });
    const speakers = ['--speaker', 'Speaker 1=Ann', '--speaker', 'SPEAKER  1=Bea'];
    assert.deepEqual(await call('edit', 'one', ...speakers), refused('SPEAKER  1'));
    assert.deepEqual(await call('people', 'merge', 'Mira', 'Mirá', 'Ann'), refused('Mirá'));
    assert.equal(await transcript('one'), 'Speaker 1: Milk.\nSmith, Bo: Oat.');
    assert.equal((await call('edits', 'list')).out, 'There are none yet.\n');
  });

  it('refuses to give a speaker the same name, also on standard input', async (t) => {
    const { database } = await createWorld(t);
    const input = JSON.stringify({ speakers: [{ from: 'Ann', to: 'Ann' }] });
    const { code, stderr } = await run(['edit', '-', '--database', database], { input });
    assert.deepEqual(
      [code, stripVTControlCharacters(stderr)],
      [
        2,
        'memory-gateway: The edit on standard input has a fault at "speakers": Give each speaker another name.\n',
      ],
    );
  });

  it('refuses a memory that does not exist', async (t) => {
    const { call } = await createAna(t);
    assert.deepEqual(await call('edit', 'none', '--name', 'Milk'), {
      code: 1,
      out: 'memory-gateway: There is no memory none in account ana; "memories list" shows the memories.\n',
    });
  });
});

describe('people', () => {
  it('are renamed in all memories, or in one', async (t) => {
    const { call, transcript } = await createAna(t);
    const dry = await call('people', 'rename', 'speaker 1', 'Ann', '--dry-run');
    assert.equal(dry.out, '2 memories would change.\n');
    assert.equal(await transcript('two'), 'Speaker 1: Rice.');
    const one = await call('people', 'rename', 'Speaker 1', 'Bea', '--memory', 'two');
    assert.equal(one.out, '1 memory is changed.\n');
    const { out } = await call('people', 'rename', 'Speaker 1', 'Ann');
    assert.equal(out, '1 memory is changed.\n');
    assert.equal(await transcript('one'), 'Ann: Milk.\nSmith, Bo: Oat.');
    assert.equal(await transcript('two'), 'Bea: Rice.');
  });

  it('are merged under the last name, and apart again when the edits are undone', async (t) => {
    const { call, transcript } = await createAna(t);
    await call('people', 'merge', 'Speaker 1', 'Smith, Bo', 'Bo Smith');
    assert.equal(await transcript('one'), 'Bo Smith: Milk.\nBo Smith: Oat.');
    const edits = JSON.parse((await call('edits', 'list', '--json')).out) as { id: string }[];
    assert.equal(edits.length, 2);
    const { out } = await call('edits', 'undo', ...edits.map(({ id }) => id));
    assert.equal(out, '2 memories are changed.\n');
    assert.equal(await transcript('one'), 'Speaker 1: Milk.\nSmith, Bo: Oat.');
  });

  it('who are nobody are named', async (t) => {
    const { call } = await createAna(t);
    const same = await call('people', 'rename', 'Smith, Bo', 'Smith, Bo');
    assert.deepEqual([same.code, /"Smith, Bo" is the name already\./.test(same.out)], [2, true]);
    const nobody =
      '0 memories are changed.\nNobody there is called "Mira"; "people list" shows the names.';
    const dry = await call('people', 'rename', 'Mira', 'Ann', '--dry-run');
    assert.deepEqual(
      [dry.code, dry.out],
      [1, '0 memories would change.' + nobody.slice(23) + '\n'],
    );
    const kept = await call('people', 'rename', 'Mira', 'Ann');
    assert.deepEqual(
      [kept.code, kept.out],
      [1, `${nobody} Later imports get the new name all the same; "edits undo" ends that.\n`],
    );
    assert.match((await call('edits', 'list')).out, /Mira/);
    const { code, out } = await call('edits', 'undo', 'x');
    assert.deepEqual(
      [code, out],
      [1, 'memory-gateway: There is no edit x; "edits list" shows the edits.\n'],
    );
  });
});
