// Formats the help pages from the tables of commands, groups and options.

import type { Option } from './args/options/option.ts';
import { options, type OptionName } from './args/options/options.ts';
import { fileOptionNames } from './args/options/serve-options.ts';
import type { Command, CommandGroup, Example } from './command.ts';

/** The commands of the program, by name. */
export type Commands = Readonly<Record<string, Command>>;

/** The groups of commands, by their first word. */
export type CommandGroups = Readonly<Record<string, CommandGroup>>;

/** The purpose of the program, in a sentence. */
export const TAGLINE = 'Serve your recorded memories over a read-only HTTP API.';

/** The commands that take a newcomer from nothing to a running server. */
export const FIRST_STEPS: readonly string[] = ['memory-gateway demo', 'memory-gateway start'];

/** Formats the help of the program: every command and group on a line. */
export function programHelp(commands: Commands, groups: CommandGroups): string {
  const names = [...new Set(Object.keys(commands).map((name) => groupOf(name, groups) ?? name))];
  const rows = names.map((name): Row => {
    const group = groups[name];
    if (group !== undefined) return [`${name} COMMAND`, group.summary];
    const { takes, summary = '' } = commands[name] ?? {};
    return [takes === undefined ? name : `${name} ${takes}`, summary];
  });
  return page([
    [TAGLINE],
    ['Usage: memory-gateway COMMAND [OPTIONS]'],
    ['Commands:', ...columns([...rows, ['help [COMMAND]', 'Show help']])],
    ['Options of every command:', ...columns(fileOptionNames.map(rowOf))],
    ['First steps:', ...FIRST_STEPS.map((line) => `  ${line}`)],
    ['Run "memory-gateway COMMAND --help" for its options and examples.'],
  ]);
}

/** Formats the help of a group: its commands, and an example of each. */
export function groupHelp(name: string, group: CommandGroup, commands: Commands): string {
  const members = membersOf(name, commands);
  return page([
    [`${group.summary}.`],
    ...(group.about === undefined ? [] : [wrap(group.about, WIDTH)]),
    [`Usage: memory-gateway ${name} COMMAND [OPTIONS]`],
    [
      'Commands:',
      ...columns(members.map(([full, command]): Row => [usageOf(full, command), command.summary])),
    ],
    ['Examples:', ...members.flatMap(([, { examples }]) => showExamples(examples.slice(0, 1)))],
    [`Run "memory-gateway ${members[0]?.[0]} --help" for the options of a command.`],
  ]);
}

/** Formats the help of a command. */
export async function commandHelp(name: string, command: Command): Promise<string> {
  const { summary, about, examples } = command;
  const rows = optionRows(command).map(({ flag, help, facts }): Row => [
    flag,
    [help, ...facts.map((fact) => `[${fact}]`)],
  ]);
  const table = await command.table?.();
  return page([
    [`${summary}.`],
    ...(about === undefined ? [] : [wrap(about, WIDTH)]),
    [`Usage: memory-gateway ${usageOf(name, command)}${rows.length > 0 ? ' [OPTIONS]' : ''}`],
    ...(rows.length > 0 ? [['Options:', ...columns(rows)]] : []),
    ...(table ? [[`${table.title}:`, ...columns(table.rows)]] : []),
    ['Examples:', ...showExamples(examples)],
  ]);
}

/** Returns the group that a command belongs to, if it belongs to one. */
export function groupOf(name: string, groups: CommandGroups): string | undefined {
  const [first = '', ...rest] = name.split(' ');
  return rest.length > 0 && Object.hasOwn(groups, first) ? first : undefined;
}

/** Returns the commands of a group with their full names. */
export function membersOf(group: string, commands: Commands): [string, Command][] {
  return Object.entries(commands).filter(([name]) => name.startsWith(`${group} `));
}

/** Formats how a command is typed: `keys create --account ACCOUNT`. */
export function usageOf(name: string, { takes, required = [] }: Command): string {
  return [
    name,
    ...(takes === undefined ? [] : [takes]),
    ...required.map((each) => flagOf(each)),
  ].join(' ');
}

/** An option of a command, as help and the manual show it. */
export interface OptionRow {
  readonly name: OptionName;
  readonly flag: string;
  readonly help: string;
  /** Its default and its environment variables, in words. */
  readonly facts: readonly string[];
  readonly option: Option;
}

/** Returns the options of a command, with the command's own changes. */
export function optionRows({ options: names, required = [], overrides }: Command): OptionRow[] {
  return names.map((name) => {
    const option: Option = { ...options[name], ...overrides?.[name] };
    const { env = [], help } = option;
    const fallback = option.default ?? option.unset;
    const facts = [
      ...(required.includes(name) ? ['required'] : []),
      ...(fallback === undefined ? [] : [`default: ${fallback}`]),
      ...(env.length === 0 ? [] : [`env: ${env.join(', ')}`]),
    ];
    return { name, flag: flagOf(name, option), help, facts, option };
  });
}

/** Returns the row of an option that no command changes. */
function rowOf(name: OptionName): Row {
  const { help, env = [] }: Option = options[name];
  return [flagOf(name), [help, ...(env.length === 0 ? [] : [`[env: ${env.join(', ')}]`])]];
}

function flagOf(name: OptionName, { value, word }: Option = options[name]): string {
  if (word !== undefined) return `--${name}[=${word}]`;
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

const WIDTH = 80;

/** A cell is a text to wrap, or texts of which only the first is wrapped inside. */
type Row = readonly [left: string, right: string | readonly string[]];

function columns(rows: readonly Row[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.flatMap(([left, right]) => {
    const [text = '', ...units] = typeof right === 'string' ? [right] : right;
    return wrap(text, WIDTH - width - 4, units).map((line, i) =>
      `  ${(i === 0 ? left : '').padEnd(width)}  ${line}`.trimEnd(),
    );
  });
}

/** Breaks a text into lines; `units` follow it and are not broken. */
function wrap(text: string, width: number, units: readonly string[] = []): string[] {
  const lines = [''];
  for (const word of [...text.split(' '), ...units]) {
    const line = lines.at(-1) ?? '';
    if (line === '') lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

function showExamples(examples: readonly Example[]): string[] {
  return examples.flatMap(([purpose, line]) => [`  # ${purpose}`, `  ${line}`]);
}

/** Joins sections. */
function page(sections: readonly (readonly string[])[]): string {
  return sections.map((lines) => lines.join('\n')).join('\n\n');
}
