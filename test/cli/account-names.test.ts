// Commands that work on an account: each takes its id or its name.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { commands } from '../../src/cli/program.ts';
import { commandEnv } from '../../src/cli/serve/command-env.ts';
import { commandOn } from '../../src/store/address.ts';
import { appAddress } from '../support/engines/database-addresses.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { run } from '../support/world/program.ts';
import { createWorld, memory } from '../support/world/world.ts';

/** The words after each command, with `*` for the account, and what it prints for the account `ana`. */
const CALLS: Record<string, [words: readonly string[], says: RegExp]> = {
  'sign-in': [['*'], /\/app\/sign-in#/],
  'sign-out': [['*'], /^Ended 0 sessions of Account ana/],
  'accounts rename': [['*', 'Account ana'], /^Account ana has the name/],
  'accounts disable': [['*'], /^Account ana is disabled/],
  'accounts enable': [['*'], /^Account ana is active/],
  'accounts password': [['*'], /^Set the password of Account ana/],
  'keys create': [['--account', '*', '--json'], /"key":"mem_/],
  'keys list': [['--account', '*'], /^ID +ACCOUNT/],
  'grants list': [['--account', '*'], /^There are none yet/],
  'memories list': [['--account', '*'], /Memory one/],
  'memories show': [['one', '--account', '*'], /Memory one/],
  'memories original': [
    ['one', '--account', '*'],
    /^memory-gateway: No original of memory one was kept/,
  ],
  duplicates: [['--account', '*'], /^No two memories/],
  edit: [['one', '--name', 'Milk', '--dry-run', '--account', '*'], /^Memory one would be changed/],
  'edits list': [['--account', '*'], /^There are none yet/],
  'edits undo': [['x', '--account', '*'], /There is no edit x/],
  'people list': [['--account', '*'], /^There are none yet|^NAME/],
  'people rename': [['A', 'B', '--account', '*'], /^0 memories are changed/],
  'people merge': [['A', 'B', '--account', '*'], /^0 memories are changed/],
  search: [['memory', '--account', '*'], /one/],
  mcp: [['--account', '*'], /^$/],
  import: [['--account', '*', '-'], /1 updated/],
  reread: [['--account', '*'], /^0 originals read again/],
  pull: [['limitless', '--account', '*', '--credential-file', '/none'], /\/none/],
  'sources list': [['--account', '*'], /^ACCOUNT|^There are none yet/],
  'sources forget': [['limitless', '--account', '*'], /^memory-gateway: Account ana has no source/],
  watch: [['FOLDER', '--once', '--settle', '0s', '--account', '*'], /No complete file/],
  embed: [['--off', '--account', '*'], /of Account ana|vectors/],
  export: [['--account', '*'], /"id":"one"/],
  'bin add': [['one', '--account', '*'], /^1 memory of account ana is in the bin/],
  'bin list': [['--account', '*'], / one +Memory one$/m],
  'bin restore': [['one', '--account', '*'], /^1 memory of account ana is restored/],
  'bin empty': [['--account', '*', '--yes'], /^0 memories are erased/],
  'memories delete': [['one', '--account', '*', '--yes'], /of account ana is deleted/],
  'accounts delete': [['*', '--yes'], /^Account ana is deleted/],
};

/** The commands that a server runs for an account. */
const SERVED = [
  'import',
  'watch',
  'pull',
  'edit',
  'edits undo',
  'bin add',
  'bin restore',
  'bin empty',
  'memories delete',
  'accounts delete',
];

const PASSWORD = 'violet teapots orbit quietly\n';

describe('An account', () => {
  it('is known to every command by its name, in any case', async (t) => {
    const world = await createWorld(t);
    const one = memory({ id: 'one' });
    world.addAccount('ana', [one]);
    world.addAccount('bo');
    const takers = Object.entries(commands).filter(
      ([name, { options, takes = '' }]) =>
        // The jobs of a server run `watch` and `pull`, which are here.
        name !== 'serve' && (options.includes('account') || /^\[?ACCOUNT/.test(takes)),
    );
    assert.deepEqual(new Set(Object.keys(CALLS)), new Set(takers.map(([name]) => name)));
    for (const [name, [words, says]] of Object.entries(CALLS)) {
      const args = (account: string) => [
        ...name.split(' '),
        ...words.map((word) => (word === '*' ? account : word === 'FOLDER' ? newFolder() : word)),
        '--database',
        name === 'mcp' ? appAddress(world.database) : world.database,
      ];
      const input = name === 'accounts password' ? PASSWORD : JSON.stringify(one);
      const unknown = await run(args('Ana'), { input });
      assert.equal(unknown.code, 1, name);
      assert.match(
        unknown.stderr,
        /There is no account "Ana"; pass the id or the name of an account: ana \(Account ana\), bo \(Account bo\)\.\n$/,
        name,
      );
      const { stdout, stderr } = await run(args('account Ana'), { input });
      assert.match(stdout || stderr, says, name);
      assert.doesNotMatch(stderr, /no account/, name);
    }
  });

  it('is known to the commands of a server by its id alone, because another one may have that as its name', async (t) => {
    const world = await createWorld(t);
    world.addAccount('x');
    world.addAccount('y');
    const env = commandEnv({}, world.database) as Readonly<Record<string, string>>;
    for (const name of SERVED) {
      const args = (CALLS[name]?.[0] ?? []).map((word) =>
        word === '*' ? 'Account x' : word === 'FOLDER' ? newFolder() : word,
      );
      const { code, stderr } = await run([...name.split(' '), ...args], { env, input: PASSWORD });
      assert.equal(code, 1, name);
      assert.match(stderr, /There is no account "Account x"/, name);
    }
  });

  it('is found by its id before its name, and never guessed among several', async (t) => {
    const { database, writer } = await createWorld(t);
    const add = (id: string, name: string) =>
      writer.accounts.create({ id, name, created_by: 'command line' });
    for (const [id, name] of [
      ['mira', 'The family'],
      ['x', 'mira'],
      ['y', 'Tom'],
      ['z', 'Tom'],
    ] as const)
      add(id, name);
    const of = (account: string) => run(['accounts', 'enable', account, '--database', database]);
    assert.equal((await of('mira')).stdout, 'Account mira is active.\n');
    assert.equal((await of('MIRA')).stdout, 'Account x is active.\n');
    assert.deepEqual(await of('Tom'), {
      code: 1,
      stdout: '',
      stderr:
        'memory-gateway: Several accounts have the name "Tom"; pass an id: y (Tom), z (Tom).\n',
    });
    await run(['accounts', 'disable', 'x', '--database', database]);
    const { stderr } = await run(['sign-in', 'Mira', '--database', database]);
    const enable = commandOn(database, 'accounts enable x');
    assert.equal(stderr, `memory-gateway: Account x is disabled; enable it with: ${enable}\n`);
    const empty = await run(['memories', 'list', '--account', '', '--database', database]);
    assert.match(empty.stderr, /^memory-gateway: There is no account ""; pass the id or the name/);
  });

  it('is shown with a command for the database in which it is', async (t) => {
    const { database } = await createWorld(t);
    const create = ['accounts', 'create', 'Mira', '--id'];
    const named = await run([...create, 'a', '--database', database]);
    const keys = commandOn(database, 'keys create --account a');
    assert.ok(named.stderr.endsWith(`key for it with: ${keys}\n`), named.stderr);
    const found = await run([...create, 'b'], { env: { MEMORY_GATEWAY_DATABASE: database } });
    assert.match(found.stderr, /: memory-gateway keys create --account b\n$/);
  });
});
