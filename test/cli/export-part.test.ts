// export of a part: the options mean the same as the parameters of the list, and notes are filed by local day.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';

import { readArgs } from '../../src/cli/args/args.ts';
import { UsageError } from '../../src/cli/args/parse.ts';
import { exportCommand } from '../../src/cli/export/export.ts';
import type { Memory } from '../../src/contract/schemas/memory.ts';
import { send } from '../support/wire/wire.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { createContext } from '../support/world/program-in-process.ts';
import { run } from '../support/world/program.ts';
import { createWorld, memories, memory } from '../support/world/world.ts';

const ENDED = '9999-12-31T23:59:59.999Z';

const at = (started_at: string, id: string, more: Partial<Memory> = {}) =>
  memory({ id, started_at, ended_at: ENDED, ...more });

const unfinished = { is_processing: true, summary: { quick_summary: '', key_takeaways: [] } };

const list = [
  at('2026-11-17T22:59:59.999Z', 'tuesday', { transcript: 'Bo: The fridge hums.' }),
  at('2026-11-17T23:00:00.000Z', 'night', { transcript: 'Bo: The kettle hums.' }),
  at('2026-11-18T12:00:00.000Z', 'noon', { transcript: 'Bo: The fridge.', ...unfinished }),
  at('2026-11-18T23:00:00.000Z', 'thursday', { transcript: 'Bo: The fridge is fixed.' }),
];

async function createAna(t: TestContext, items: readonly Memory[]) {
  const world = await createWorld(t);
  const key = world.addAccount('ana', items);
  const out = (...args: string[]) => run(['export', '--database', world.database, ...args]);
  const notes = join(newFolder(), 'notes');
  const toNotes = async (...args: string[]) => {
    const { code, stderr } = await out('--format', 'markdown', '--output', notes, ...args);
    assert.equal(code, 0, stderr);
    const names = readdirSync(notes, { recursive: true, encoding: 'utf8' });
    return names.filter((name) => name.endsWith('.md')).toSorted();
  };
  return { world, key, out, notes, toNotes };
}

describe('export of a part', () => {
  it('has the memories that the list has with the same parameters', async (t) => {
    const { world, key, out } = await createAna(t, list);
    const inBerlin = ['--timezone', 'Europe/Berlin'];
    for (const [args, ids] of [
      [[], ['tuesday', 'night', 'noon', 'thursday']],
      [
        ['--order', 'desc'],
        ['thursday', 'noon', 'night', 'tuesday'],
      ],
      [
        ['--started-after', '2026-11-18'],
        ['noon', 'thursday'],
      ],
      [
        ['--started-after', '2026-11-18', ...inBerlin],
        ['night', 'noon', 'thursday'],
      ],
      [
        ['--started-before', '2026-11-19', ...inBerlin],
        ['tuesday', 'night', 'noon'],
      ],
      [
        ['--started-after', '2026-11-18T13:00:00+01:00'],
        ['noon', 'thursday'],
      ],
      [['--is-processing', 'true'], ['noon']],
      [
        ['--is-processing', 'false', '--order', 'desc'],
        ['thursday', 'night', 'tuesday'],
      ],
      [
        ['--q', 'fridge'],
        ['tuesday', 'noon', 'thursday'],
      ],
      [['--q', '"fridge is"'], ['thursday']],
      [['--q', 'hum*', '--started-after', '2026-11-17T23:00:00Z'], ['night']],
      [
        ['--q', 'fridge', '--is-processing', 'false', '--order', 'desc'],
        ['thursday', 'tuesday'],
      ],
      [['--q', '!?'], []],
      [['--q', 'absent'], []],
      [['--started-after', '2026-11-20', '--started-before', '2026-11-01'], []],
    ] as const) {
      const { code, stdout, stderr } = await out(...args, '--format', 'json');
      assert.equal(code, 0, stderr);
      const found = JSON.parse(stdout) as Memory[];
      assert.deepEqual(
        found.map(({ id }) => id),
        ids,
        args.join(' '),
      );
      const query = new URLSearchParams({ order: 'asc' });
      for (let i = 0; i < args.length; i += 2)
        query.set(String(args[i]).slice(2).replaceAll('-', '_'), String(args[i + 1]));
      const listed = await send(world.port, { key, path: `/v1/memories?${query.toString()}` });
      assert.equal(JSON.stringify(found), listed.text);
      assert.match(stderr, new RegExp(`Exported ${ids.length} `));
    }
  });

  it('goes through many batches in either order, with and without a search', async (t) => {
    const all = memories(60, 20_000);
    const { out } = await createAna(t, all);
    const ids = all.map(({ id }) => id);
    for (const order of ['asc', 'desc'])
      for (const args of [[], ['--q', 'xx*'], ['--is-processing', 'false']]) {
        const { stdout } = await out('--order', order, ...args);
        const found = stdout.split('\n').slice(0, -1);
        assert.deepEqual(
          found.map((line) => (JSON.parse(line) as Memory).id),
          order === 'asc' ? ids : ids.toReversed(),
          args.join(' '),
        );
      }
  });

  it('refuses what the API refuses, and names the option', async (t) => {
    const { world } = await createAna(t, list);
    for (const [args, says] of [
      [['--order', 'newest'], /^--order takes /i],
      [['--started-after', '2026-02-30'], /^--started-after takes an instant such as /i],
      [['--started-before', 'today'], /^--started-before takes an instant such as /i],
      [['--timezone', 'Berlin'], /^--timezone takes the name of an IANA time zone/i],
      [['--is-processing', 'maybe'], /^--is-processing takes /i],
      [['--q', ''], /^--q takes /i],
    ] as const)
      await assert.rejects(
        async () =>
          exportCommand.run(
            readArgs(['--database', world.database, ...args], exportCommand.options, {
              env: {},
              overrides: exportCommand.overrides,
            }),
            createContext().context,
          ),
        (thrown) => {
          assert.ok(thrown instanceof UsageError, args.join(' '));
          assert.match(thrown.message, says);
          return true;
        },
      );
  });
});

describe('Markdown notes', () => {
  it('are filed by the day in --timezone, in UTC without it', async (t) => {
    const newYear = at('2026-12-31T23:30:00.000Z', 'new-year', { name: 'Fireworks' });
    const { notes, toNotes } = await createAna(t, [newYear]);
    assert.deepEqual(await toNotes(), ['2026/2026-12-31 Fireworks.md']);
    const inBerlin = await toNotes('--timezone', 'europe/berlin', '--overwrite');
    assert.deepEqual(inBerlin, ['2027/2027-01-01 Fireworks.md']);
    const text = readFileSync(join(notes, '2027/2027-01-01 Fireworks.md'), 'utf8');
    assert.match(text, /^date: 2027-01-01$/m);
    assert.match(text, /^started_at: "2026-12-31T23:30:00.000Z"$/m);
  });

  it('keep names apart if the clocks go back to the day before', async (t) => {
    // At 02:31 in UTC it was 00:01 on 7 November in St. John's, and clocks were set back to 23:01.
    const named = (time: string, id: string) =>
      at(`2010-11-07T${time}:00.000Z`, id, { name: 'Call' });
    const calls = [
      named('02:00', 'a'),
      named('02:30', 'b'),
      named('02:31', 'c'),
      named('03:30', 'd'),
    ];
    const { toNotes } = await createAna(t, calls);
    const inZone = ['--timezone', 'America/St_Johns'];
    assert.deepEqual(await toNotes(...inZone), [
      '2010/2010-11-06 Call c.md',
      '2010/2010-11-06 Call.md',
      '2010/2010-11-07 Call d.md',
      '2010/2010-11-07 Call.md',
    ]);
    assert.deepEqual(await toNotes(...inZone, '--order', 'desc', '--overwrite'), [
      '2010/2010-11-06 Call a.md',
      '2010/2010-11-06 Call.md',
      '2010/2010-11-07 Call b.md',
      '2010/2010-11-07 Call.md',
    ]);
  });
});
