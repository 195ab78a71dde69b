// The program: its commands in one table, and how a call of it ends.

import { accounts } from './accounts.ts';
import { Mistake, readArgs } from './args.ts';
import { backupCommand, restoreCommand } from './backup.ts';
import type { Command, Result } from './command.ts';
import { copyCommand } from './copy.ts';
import { demoCommand } from './demo.ts';
import { doctorCommand } from './doctor/command.ts';
import { runToExit } from './exit.ts';
import { exportCommand } from './export/command.ts';
import { refuseSecrets } from './file.ts';
import { commandHelp, programHelp } from './help.ts';
import { importCommand } from './import/command.ts';
import { keys } from './keys.ts';
import { licensesCommand } from './licenses.ts';
import { memories } from './memories.ts';
import { migrateCommand } from './migrate.ts';
import { openapiCommand } from './openapi.ts';
import { print } from './print.ts';
import { serveCommand } from './serve.ts';
import { refuseDebugger } from './signals.ts';
import { verifyCommand } from './verify.ts';
import { showVersions, versions } from './versions.ts';

/** All commands, by name, in the order of help. */
export const commands: Readonly<Record<string, Command>> = {
  serve: serveCommand,
  demo: demoCommand,
  migrate: migrateCommand,
  ...accounts,
  ...keys,
  ...memories,
  import: importCommand,
  export: exportCommand,
  verify: verifyCommand,
  backup: backupCommand,
  restore: restoreCommand,
  copy: copyCommand,
  doctor: doctorCommand,
  openapi: openapiCommand,
  licenses: licensesCommand,
};

/** Runs the program. Returns the exit code: 0 done, 1 could not be done, 2 called wrongly. */
export function runProgram(argv: readonly string[]): Promise<number> {
  refuseDebugger();
  return runToExit('memory-gateway', async () => {
    const { result, json } = await runCommand(argv);
    const text = json ? JSON.stringify(result.json) : result.text;
    if (text !== undefined) print(text);
    if (!json && result.note !== undefined) process.stderr.write(`${result.note}\n`);
    return result.exit ?? 0;
  });
}

async function runCommand(argv: readonly string[]): Promise<{ result: Result; json: boolean }> {
  refuseSecrets(argv);
  const plain = { json: false };
  if (argv[0] === '--version') return tellVersions(argv.slice(1));
  const isHelp = argv[0] === 'help' || argv.includes('--help') || argv.includes('-h');
  const words = isHelp ? argv.filter((word) => !['help', '--help', '-h'].includes(word)) : argv;
  const found = findCommand(words);
  if (words.length === 0 || (isHelp && found === undefined && isGroup(words))) {
    return { ...plain, result: { text: programHelp(commands) } };
  }
  if (found === undefined) throw unknownCommand(words);
  const { name, command, rest } = found;
  if (isHelp) return { ...plain, result: { text: await commandHelp(name, command) } };
  const args = readArgs(rest, command.options, command.own);
  const json = command.options.includes('json') && args.flag('json');
  return { json, result: await command.run(args) };
}

function tellVersions([flag, ...rest]: readonly string[]): { result: Result; json: boolean } {
  if ((flag !== undefined && flag !== '--json') || rest.length > 0)
    throw new Mistake('--version takes nothing but --json.');
  const found = versions();
  return { json: flag === '--json', result: { text: showVersions(found), json: found } };
}

function findCommand(words: readonly string[]) {
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(' ');
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (command) return { name, command, rest: words.slice(length) };
  }
  return undefined;
}

function isGroup([word]: readonly string[]): boolean {
  return Object.keys(commands).some((name) => name.startsWith(`${word} `));
}

function unknownCommand(words: readonly string[]): Mistake {
  if (!isGroup(words)) return new Mistake(`There is no command "${words[0]}"; see --help.`);
  const verbs = Object.keys(commands).filter((name) => name.startsWith(`${words[0]} `));
  return new Mistake(`Say what to do: ${verbs.join(', ')}.`);
}
