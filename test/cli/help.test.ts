// Help: a page for the program, each group and each command, suggestions for slips, and the generated reference.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import { CLI_PAGES, cliPages } from '../../scripts/cli-reference.ts';
import { readArgs } from '../../src/cli/args/args.ts';
import { commandHelp, groupHelp, optionRows, programHelp, usageOf } from '../../src/cli/help.ts';
import { commands, groups } from '../../src/cli/program.ts';
import { ROOT, run } from '../support/world/program.ts';

async function help(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(args);
  assert.deepEqual([code, stderr], [0, ''], args.join(' '));
  return stdout;
}

async function usageError(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(args);
  assert.deepEqual([code, stdout], [2, ''], args.join(' '));
  return stderr.replace(/^memory-gateway: /, '').trimEnd();
}

/** Splits a command line like a shell, and keeps the words of the program only. */
function wordsOf(line: string): string[] {
  const [, own = ''] = /memory-gateway ([^|>)<]*)/.exec(line) ?? [];
  return Array.from(
    own.matchAll(/'([^']*)'|"([^"]*)"|\$\([^)]*\)\S*|(\S+)/g),
    (match) => match[1] ?? match[2] ?? match[3] ?? match[0],
  );
}

describe('The summary of a command or group', () => {
  const all = [...Object.entries(commands), ...Object.entries(groups)];

  it('is an instruction of at most 60 characters', () => {
    for (const [name, { summary }] of all) {
      assert.ok(summary.length <= 60, `${name}: ${summary.length} characters`);
      assert.match(summary, /^[A-Z][a-z]+\b.*[^.]$/, name);
    }
  });

  it('is no other command’s', () => {
    const summaries = all.map(([, { summary }]) => summary);
    assert.deepEqual([...new Set(summaries)], summaries);
  });
});

describe('The examples of a command', () => {
  for (const [name, command] of Object.entries(commands))
    it(`of ${name} are calls of it that it accepts`, () => {
      assert.ok(command.examples.length > 0);
      for (const [purpose, line] of command.examples) {
        assert.match(purpose, /^[A-Z].*[^.]$/);
        const words = wordsOf(line);
        assert.equal(words.slice(0, name.split(' ').length).join(' '), name);
        const args = readArgs(words.slice(name.split(' ').length), command.options, {
          env: {},
          overrides: command.overrides,
        });
        if (command.takes?.startsWith('[') !== true)
          assert.equal(args.positionals.length > 0, command.takes !== undefined, line);
        for (const option of command.required ?? []) assert.ok(args.need(option), line);
      }
    });
});

describe('Help', () => {
  const pages = async () =>
    Promise.all(
      Object.entries(commands).map(
        async ([name, command]) => [name, await commandHelp(name, command)] as const,
      ),
    );

  it('is printed for the program, a group and a command, in every form of asking for help', async () => {
    const { keys, 'keys create': create } = { ...groups, ...commands };
    assert.ok(keys !== undefined && create !== undefined && 'run' in create);
    const program = programHelp(commands, groups);
    const group = groupHelp('keys', keys, commands);
    const command = await commandHelp('keys create', create);
    const calls: [args: string[], page: string][] = [
      [[], program],
      [['help'], program],
      [['-h'], program],
      [['help', '--help'], program],
      [['keys', '--help'], group],
      [['help', 'keys'], group],
      [['keys', 'create', '--help'], command],
      [['help', 'keys', 'create'], command],
    ];
    for (const [args, page] of calls) assert.equal(await help(...args), `${page}\n`);
  });

  it('of the program lists every command or its group', () => {
    const page = programHelp(commands, groups);
    for (const name of Object.keys(commands)) {
      const [first = ''] = name.split(' ');
      assert.match(page, new RegExp(`^  ${first}[ \n]`, 'm'));
    }
  });

  for (const [name, group] of Object.entries(groups))
    it(`of the group ${name} lists its commands with an example of each`, () => {
      const page = groupHelp(name, group, commands);
      assert.ok(page.startsWith(`${group.summary}.\n`));
      for (const [full, command] of Object.entries(commands)) {
        const isMember = full.startsWith(`${name} `);
        assert.equal(page.includes(`\n  ${usageOf(full, command)} `), isMember, full);
        if (isMember) assert.ok(page.includes(command.examples[0]?.[1] ?? full), full);
      }
    });

  it('of a command names each option with its default and its variables', async () => {
    for (const [name, page] of await pages()) {
      const command = commands[name];
      const words = page.replaceAll(/\s+/g, ' ');
      assert.ok(command !== undefined && words.startsWith(`${command.summary}. `), name);
      for (const { flag, help: text, facts } of optionRows(command))
        assert.ok(
          words.includes([flag, text, ...facts.map((fact) => `[${fact}]`)].join(' ')),
          `${name} ${flag}`,
        );
    }
  });

  it('fits a terminal of 80 columns, but for command lines to paste', async () => {
    const groupPages = Object.entries(groups).map(
      ([name, group]) => [name, groupHelp(name, group, commands)] as const,
    );
    const all = [['', programHelp(commands, groups)] as const, ...groupPages, ...(await pages())];
    for (const [name, page] of all)
      for (const line of page.split('\nExamples:')[0]?.split('\n') ?? [])
        assert.ok(line.length <= 80, `${name}: ${line}`);
  });

  it('says of commands for SQLite files that they take a file', async () => {
    const files = new Set(['backup', 'restore', 'doctor', 'demo']);
    for (const [name, page] of await pages()) {
      if (!page.includes('--database')) continue;
      assert.equal(/--database FILE +SQLite file/.test(page), files.has(name), name);
      assert.equal(!/--database [^-]*PostgreSQL/.test(page), files.has(name), name);
    }
  });
});

const OR_ID = 'see --help, or write "--" before an ID or a name that begins with "-".';

describe('A slip', { concurrency: 4 }, () => {
  const slips: [line: string, says: string][] = [
    ['serve --prot 80', 'Unknown option "--prot". Did you mean "--port"?'],
    ['memories list --query x', 'Unknown option "--query". Did you mean "--q"?'],
    ['export -o mine.jsonl', 'Unknown option "-o". Did you mean "--output"?'],
    ['export -x', `Unknown option "-x"; ${OR_ID}`],
    ['memories show -kX7f --json', `Unknown option "-k"; ${OR_ID}`],
    ['memories list --since x', 'Unknown option "--since". Did you mean "--started-after"?'],
    ['verify --frobnicate', 'Unknown option "--frobnicate"; see --help.'],
    ['memory list', 'Unknown command "memory". Did you mean "memories list"?'],
    ['key create --account x', 'Unknown command "key". Did you mean "keys create"?'],
    ['account list', 'Unknown command "account". Did you mean "accounts list"?'],
    ['keys delete x', 'Unknown command "keys delete". Did you mean "keys revoke"?'],
    ['account remove x', 'Unknown command "account". Did you mean "accounts delete"?'],
    ['memories search x', 'Unknown command "memories search". Did you mean "search"?'],
    ['memories delte x', 'Unknown command "memories delte". Did you mean "memories delete"?'],
    // What cannot be undone is not suggested for a word that is only alike.
    ['memories update x', 'Unknown command "memories update". Did you mean "edit"?'],
    [
      'sources target',
      'Unknown command "sources target". Use one of: sources list, sources forget.',
    ],
    ['restart', 'Unknown command "restart". Did you mean "start"?'],
    ['export --more', 'Unknown option "--more"; see --help.'],
    ['exprot', 'Unknown command "exprot". Did you mean "export"?'],
    ['help bakup', 'Unknown command "bakup". Did you mean "backup"?'],
    ['--config x serve', 'Write --config after the command, as in: COMMAND --config.'],
    ['--port=80 serve', 'Write --port after the command, as in: COMMAND --port.'],
    ['--frobnicate serve', 'Unknown option "--frobnicate"; see --help.'],
    ['xyzzy', 'Unknown command "xyzzy"; see --help.'],
    [
      'memories list --account --database x',
      '--account needs a value before "--database"; if that is the value, write --account=--database.',
    ],
    ['memories list --account', '--account needs a value; see --help.'],
    ['memories list --json=x', '--json is a switch and takes no value.'],
    ['version x', 'This command takes options only, not "x".'],
    ['export mira', 'This command takes options only, not "mira".'],
  ];
  for (const [line, says] of slips)
    it(`is explained: ${line}`, async () => {
      assert.equal(await usageError(...line.split(' ')), says);
    });

  it('in a variable is explained with its name', async () => {
    const env = { PORT: 'http' };
    const { code, stderr } = await run(['serve'], { env });
    assert.equal(code, 2);
    assert.match(
      stderr,
      /--port takes a number from 0 to 65535, not "http"\. --port comes from PORT\.\n$/,
    );
  });

  it('in a variable leaves the command to paste on a line of its own', async () => {
    const { stderr } = await run(['accounts', 'list'], {
      env: { MEMORY_GATEWAY_DATABASE: '/tmp/none.db' },
    });
    assert.equal(
      stderr,
      'memory-gateway: There is no database at /tmp/none.db; create one with: memory-gateway migrate --database /tmp/none.db\n' +
        '--database comes from MEMORY_GATEWAY_DATABASE.\n',
    );
  });

  it('of npm, which keeps options that come without "--", is explained', async () => {
    const npm = { npm_package_name: 'memory-gateway', npm_lifecycle_event: 'cli' };
    const env = { ...npm, npm_config_account: 'true', npm_config_cache: '/root/.npm' };
    const { code, stdout, stderr } = await run(['keys', 'create', 'x'], { env });
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(
      stderr,
      /npm took --account for itself\. Write "--" before the arguments: npm run cli -- …\n$/,
    );
    const fine = await run(['version'], { env: { ...npm, npm_config_cache: '/root/.npm' } });
    assert.equal(fine.code, 0);
  });
});

describe('The reference of the command line', () => {
  it('is what "npm run docs:cli" writes', async () => {
    const folder = join(ROOT, CLI_PAGES);
    const pages = await cliPages();
    assert.deepEqual(new Set(readdirSync(folder)), new Set(pages.keys()));
    for (const [name, text] of pages)
      assert.ok(
        readFileSync(join(folder, name), 'utf8') === text,
        `${CLI_PAGES}/${name} is out of date; run "npm run docs:cli" and commit the page.`,
      );
  });
});
