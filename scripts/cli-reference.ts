// npm run docs:cli: writes docs/reference/cli/ from the program's tables of commands and options.

import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Option } from '../src/cli/args/options/option.ts';
import { options } from '../src/cli/args/options/options.ts';
import { fileOptionNames } from '../src/cli/args/options/serve-options.ts';
import type { Command, HelpTable } from '../src/cli/command.ts';
import { FIRST_STEPS, groupOf, membersOf, optionRows, usageOf } from '../src/cli/help.ts';
import { commands, groups } from '../src/cli/program.ts';
import { ROOT } from './bundling.ts';

/** The folder of the pages, from the root. */
export const CLI_PAGES = 'docs/reference/cli';

const NOTICE = '<!-- Written by "npm run docs:cli". Edit the tables in src/cli instead. -->';

/** Formats the pages by file name: one for each command or group, and `index.md`. */
export async function cliPages(): Promise<Map<string, string>> {
  const pages = new Map([['index.md', indexPage()]]);
  for (const name of pageNames()) {
    const group = groups[name];
    const command = commands[name];
    if (group !== undefined) pages.set(`${name}.md`, await groupPage(name));
    else if (command !== undefined)
      pages.set(
        `${name}.md`,
        page([heading(name), ...intro(command), ...(await sections(name, command))]),
      );
  }
  return pages;
}

/** The words that have a page: commands, and groups of commands. */
export function pageNames(): string[] {
  return [...new Set(Object.keys(commands).map((name) => groupOf(name, groups) ?? name))];
}

async function groupPage(name: string): Promise<string> {
  const group = groups[name];
  const members = membersOf(name, commands);
  const parts = members.map(async ([full, command]) => [
    `## ${full}`,
    ...intro(command),
    ...(await sections(full, command)),
  ]);
  return page([heading(name), ...intro(group), ...(await Promise.all(parts)).flat()]);
}

function heading(name: string): string {
  return `# memory-gateway ${name}`;
}

function intro({ summary = '', about = '' }: Partial<Pick<Command, 'summary' | 'about'>> = {}) {
  return [`${summary}.`, ...(about === '' ? [] : [about])];
}

async function sections(name: string, command: Command): Promise<string[]> {
  const rows = optionRows(command);
  const extra = await command.table?.();
  return [
    block('text', [
      `memory-gateway ${usageOf(name, command)}${rows.length > 0 ? ' [OPTIONS]' : ''}`,
    ]),
    ...(rows.length > 0 ? [optionTable(command)] : []),
    ...(extra ? [extraTable(extra)] : []),
    'Examples:',
    block(
      'bash',
      command.examples.flatMap(([purpose, line]) => [`# ${purpose}`, line]),
    ),
  ];
}

function optionTable(command: Command): string {
  const rows = optionRows(command).map(({ name, flag, help, option }) => {
    const fallback = command.required?.includes(name) ? 'required' : defaultOf(option);
    return [`\`${flag}\``, help, fallback, variablesOf(option)];
  });
  return table(['option', 'meaning', 'default', 'environment'], rows);
}

function extraTable({ title, rows }: HelpTable): string {
  return table(
    [title.toLowerCase().replace(/s$/, ''), 'meaning'],
    rows.map(([name, meaning]) => [`\`${name}\``, meaning]),
  );
}

function defaultOf(option: Option): string {
  if (option.value === undefined) return 'off';
  return option.default === undefined ? (option.unset ?? '') : `\`${option.default}\``;
}

function fileRow(name: (typeof fileOptionNames)[number]): string[] {
  const option: Option = options[name];
  return [`\`--${name} ${option.value}\``, option.help, variablesOf(option)];
}

function variablesOf({ env = [] }: Option): string {
  return env.map((name) => `\`${name}\``).join(', ');
}

function indexPage(): string {
  const commandRows = Object.entries(commands).map(([name, command]) => {
    const group = groupOf(name, groups);
    const link = group === undefined ? `${name}.md` : `${group}.md#${name.replace(' ', '-')}`;
    return [`[\`${name}\`](${link})`, command.summary];
  });
  const variableRows = Object.entries(options).flatMap(([name, option]: [string, Option]) =>
    (option.env ?? []).map((variable) => [`\`${variable}\``, `\`--${name}\``, defaultOf(option)]),
  );
  return page([
    '# Command line',
    'You manage the gateway with the program `memory-gateway`. In a clone, type `npm run -s cli --` instead of `memory-gateway`.',
    'Add `--help` to a command or a group to see its options and examples, as in `memory-gateway keys --help`. These pages show the same.',
    '## First steps',
    block('bash', FIRST_STEPS),
    '## Commands',
    table(['command', 'what it does'], commandRows),
    '## Options of every command',
    table(['option', 'meaning', 'environment'], fileOptionNames.map(fileRow)),
    'The [configuration page](../configuration.md#files-with-settings) describes these files.',
    '## Output',
    'A result goes to standard output. Errors, hints and progress go to standard error. With `--json`, a command prints one line of JSON for programs.',
    '## Exit codes',
    table(
      ['code', 'meaning'],
      [
        ['0', 'Success'],
        ['1', 'Failure: the command could not do it, or found a problem'],
        ['2', 'Usage error: the command line is wrong'],
      ],
    ),
    '## Environment variables',
    'You can set these options in the environment. A flag overrides its variable. If an option has two variables, the first one counts. A switch such as `MEMORY_GATEWAY_ACCESS_LOG` takes `on` or `off`, also `1` or `0`, `true` or `false`, `yes` or `no`.',
    table(['variable', 'option', 'default'], variableRows),
    'Put the password of a PostgreSQL database in `PGPASSWORD` or `~/.pgpass`, or in the address in `MEMORY_GATEWAY_DATABASE`. The program refuses passwords and API keys on the command line, because every user of the machine can read them there.',
  ]);
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return [tableRow(header), `|${'---|'.repeat(header.length)}`, ...rows.map(tableRow)].join('\n');
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`;
}

function block(language: string, lines: readonly string[]): string {
  return ['```' + language, ...lines, '```'].join('\n');
}

function page([title = '', ...parts]: readonly string[]): string {
  return `${[title, NOTICE, ...parts].join('\n\n')}\n`;
}

if (import.meta.main) {
  const folder = join(ROOT, CLI_PAGES);
  mkdirSync(folder, { recursive: true });
  const pages = await cliPages();
  for (const name of readdirSync(folder)) if (!pages.has(name)) rmSync(join(folder, name));
  for (const [name, text] of pages) writeFileSync(join(folder, name), text);
}
