// Man pages of the program, from the tables of its commands and options.

import type { Option } from '../../src/cli/args/options/option.ts';
import { options } from '../../src/cli/args/options/options.ts';
import { fileOptionNames } from '../../src/cli/args/options/serve-options.ts';
import type { Command } from '../../src/cli/command.ts';
import { membersOf, optionRows, TAGLINE, usageOf } from '../../src/cli/help.ts';
import { commands, groups } from '../../src/cli/program.ts';
import { pageNames } from '../cli-reference.ts';

const PROGRAM = 'memory-gateway';

/** Formats the man pages by file name: one of the program, and one of each command or group. `date` is that of the version. */
export function manPages(version: string, date: string): Map<string, string> {
  const of = (name: string) => ({ name, version, date });
  const pages = new Map([[`${PROGRAM}.1`, programPage(of(PROGRAM))]]);
  for (const name of pageNames())
    pages.set(`${PROGRAM}-${name}.1`, commandPage(of(`${PROGRAM}-${name}`), name));
  return pages;
}

interface Title {
  readonly name: string;
  readonly version: string;
  readonly date: string;
}

function programPage(title: Title): string {
  const names = pageNames();
  return page(title, TAGLINE, [
    section('SYNOPSIS', [bold(PROGRAM), ' ', italic('COMMAND'), ' [', italic('OPTIONS'), ']']),
    section('DESCRIPTION', [
      plain(
        'The gateway serves recorded conversations, called memories, over HTTP. Each command has a manual page of its own.',
      ),
    ]),
    '.SH COMMANDS',
    ...names.map((name) => item(bold(`${PROGRAM}-${name}`) + plain('(1)'), [summaryOf(name)])),
    '.SH OPTIONS OF EVERY COMMAND',
    ...fileOptionNames.map((name) => {
      const option: Option = options[name];
      return item(`${bold(`--${name}`)} ${italic(option.value ?? '')}`, [option.help]);
    }),
    '.SH EXIT STATUS',
    item(plain('0'), ['Success.']),
    item(plain('1'), ['Failure: the command could not do it, or found a problem.']),
    item(plain('2'), ['Usage error: the command line is wrong.']),
    '.SH FILES',
    item(italic('/etc/memory-gateway/env'), ['Environment variables of the services.']),
    item(italic('/var/lib/memories/mine.db'), ['The database of the service.']),
    section('SEE ALSO', [names.map((name) => `${bold(`${PROGRAM}-${name}`)}(1)`).join(',\n')]),
  ]);
}

function commandPage(title: Title, name: string): string {
  const group = groups[name];
  const members = group === undefined ? single(name) : membersOf(name, commands);
  return page(title, `${summaryOf(name)}.`, [
    '.SH SYNOPSIS',
    ...members.map(([full, command], i) =>
      (i === 0 ? '' : '.br\n').concat(
        bold(PROGRAM),
        ' ',
        plain(usageOf(full, command)),
        ' [',
        italic('OPTIONS'),
        ']',
      ),
    ),
    ...members.flatMap(([full, command]) => described(full, command, members.length > 1)),
    section('SEE ALSO', [`${bold(PROGRAM)}(1)`]),
  ]);
}

function single(name: string): [string, Command][] {
  const command = commands[name];
  return command === undefined ? [] : [[name, command]];
}

function summaryOf(name: string): string {
  return (groups[name] ?? commands[name])?.summary ?? '';
}

function described(name: string, command: Command, isMember: boolean): string[] {
  const { summary, about = '', examples } = command;
  const rows = optionRows(command);
  return [
    `.SH ${plain(isMember ? name.toUpperCase() : 'DESCRIPTION')}`,
    plain(`${summary}. ${about}`.trim()),
    ...(rows.length > 0 ? [`.SS ${plain('Options')}`] : []),
    ...rows.map(({ name: option, flag, help, facts }) => {
      const value = flag.slice(option.length + 3);
      return item(
        bold(`--${option}`) +
          (flag.includes('=') ? '' : ' ') +
          italic(flag.includes('=') ? flag.slice(option.length + 2) : value),
        [`${help}.`, ...facts.map((fact) => `[${fact}]`)],
      );
    }),
    `.SS ${plain('Examples')}`,
    ...examples.flatMap(([purpose, line]) => [
      '.PP',
      plain(`${purpose}:`),
      '.PP',
      '.nf',
      `.RS 4\n${plain(line)}\n.RE`,
      '.fi',
    ]),
  ];
}

function page({ name, version, date }: Title, summary: string, parts: readonly string[]): string {
  const head = `.TH "${name.toUpperCase()}" "1" "${date}" "${PROGRAM} ${version}" "User Commands"`;
  const about = `${plain(name)} \\- ${plain(summary.replace(/\.$/, ''))}`;
  return `${['.\\" From the tables in src/cli.', head, '.nh', '.ad l', '.SH NAME', about, ...parts].join('\n')}\n`;
}

function section(title: string, texts: readonly string[]): string {
  return `.SH ${title}\n${texts.join('')}`;
}

function item(tag: string, texts: readonly string[]): string {
  return ['.TP', tag, ...texts.map(plain)].join('\n');
}

const bold = (text: string): string => `\\fB${plain(text)}\\fR`;
const italic = (text: string): string => `\\fI${plain(text)}\\fR`;

/** Escapes a text for roff: backslashes, hyphens, and a dot or quote that would start a request. */
function plain(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('…', '...')
    .replace(/^([.'])/, '\\&$1');
}
