// Help, drawn from the tables of commands and options.

import type { Command } from './command.ts';
import type { Option } from './option.ts';
import { options, type OptionName } from './options.ts';

/** The program's help: every command on a line. */
export function programHelp(commands: Readonly<Record<string, Command>>): string {
  const rows = Object.entries(commands).map(([name, command]) => [
    usage(name, command),
    command.summary,
  ]);
  return [
    'The read-only HTTP gateway to your memories, on one SQLite file.',
    '',
    'Usage: memory-gateway COMMAND [OPTIONS]',
    '',
    ...columns([
      ...rows,
      ['help [COMMAND]', 'show this, or the options of a command'],
      ['--version', 'print the versions of what runs, with --json as JSON'],
    ]),
    '',
    'A first account:',
    '  memory-gateway migrate',
    '  memory-gateway accounts create "Your name"',
    '  memory-gateway keys create --account ID',
    '  memory-gateway serve',
  ].join('\n');
}

/** One command's help: its options with environment and default, and what else there is to know. */
export async function commandHelp(name: string, command: Command): Promise<string> {
  const { summary, says, own, details } = command;
  const rows = command.options.map((option) => [
    flag(option, own?.[option]),
    describe({
      ...(own?.[option] ?? options[option]),
      ...(says?.[option] && { help: says[option] }),
    }),
  ]);
  const more = await details?.();
  return [
    `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`,
    '',
    `Usage: memory-gateway ${usage(name, command)} [OPTIONS]`,
    '',
    ...columns(rows),
    ...(more ? ['', more.title, '', ...columns(more.rows)] : []),
  ].join('\n');
}

/** An option as it is typed: `--port PORT`. */
function flag(name: OptionName, { value }: Option = options[name]): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

function usage(name: string, { takes }: Command): string {
  return takes === undefined ? name : `${name} ${takes}`;
}

function describe({ help, env = [], default: fallback }: Option): string {
  const from = [...env.map((name) => `$${name}`), ...(fallback === undefined ? [] : [fallback])];
  return from.length === 0 ? help : `${help} (else ${from.join(', ')})`;
}

function columns(rows: readonly (readonly string[])[]): string[] {
  const width = Math.max(...rows.map(([left = '']) => left.length));
  return rows.map(([left = '', right = '']) => `  ${left.padEnd(width)}  ${right}`);
}
