// The program: the table of its commands, and how a command line is run.

import { noArguments, readArgs, unknownWord, type Args } from './args/args.ts';
import { requireDatabaseHere } from './args/database.ts';
import { UsageError } from './args/parse.ts';
import { refuseSecrets } from './args/secrets.ts';
import { suggest, type Synonyms } from './args/suggest.ts';
import type { Command, CommandResult } from './command.ts';
import { accountCommands, accountGroup } from './commands/accounts/accounts.ts';
import { grantCommands, grantGroup } from './commands/accounts/grants.ts';
import { keyCommands, keyGroup } from './commands/accounts/keys.ts';
import { signInCommands } from './commands/accounts/sign-in.ts';
import { backupCommand, restoreCommand } from './commands/database/backup.ts';
import { copyCommand } from './commands/database/copy.ts';
import { demoCommand } from './commands/database/demo.ts';
import { migrateCommand } from './commands/database/migrate.ts';
import { verifyCommand } from './commands/database/verify.ts';
import { healthcheckCommand } from './commands/healthcheck.ts';
import { licensesCommand } from './commands/licenses.ts';
import { memoryCommands, memoryGroups } from './commands/memories.ts';
import { openapiCommand } from './commands/openapi.ts';
import { searchCommand } from './commands/search.ts';
import { sourceCommands, sourceGroup } from './commands/sources.ts';
import { versionCommand } from './commands/version.ts';
import { watchCommand } from './commands/watch.ts';
import type { Context } from './context.ts';
import { doctorCommand } from './doctor/doctor.ts';
import { editCommands, editGroup } from './edit/edits.ts';
import { peopleCommands, peopleGroup } from './edit/people.ts';
import { embedCommand } from './embed/embed.ts';
import { nameProgram, runToExit } from './exit.ts';
import { exportCommand } from './export/export.ts';
import { commandHelp, groupHelp, programHelp, type CommandGroups, type Commands } from './help.ts';
import { importCommand } from './import/import.ts';
import { mcpCommand } from './mcp/mcp.ts';
import { printError, printResult } from './output/print.ts';
import { pullCommand } from './pull/pull.ts';
import { rereadCommand } from './reread/reread.ts';
import { disableDebuggerSignal } from './serve/listen/shutdown.ts';
import { serveCommand } from './serve/serve.ts';
import { startCommand } from './serve/start/start.ts';
export { openPullQueue } from './pull/queue.ts'; // the thread of the jobs shares this bundle

/** All commands, by name, in the order of help. */
export const commands: Commands = {
  start: startCommand,
  serve: serveCommand,
  demo: demoCommand,
  migrate: migrateCommand,
  'sign-in': signInCommands['sign-in'],
  'sign-out': signInCommands['sign-out'],
  ...accountCommands,
  'accounts password': signInCommands['accounts password'],
  ...keyCommands,
  ...grantCommands,
  ...memoryCommands,
  ...editCommands,
  ...peopleCommands,
  search: searchCommand,
  mcp: mcpCommand,
  import: importCommand,
  reread: rereadCommand,
  pull: pullCommand,
  ...sourceCommands,
  watch: watchCommand,
  embed: embedCommand,
  export: exportCommand,
  verify: verifyCommand,
  backup: backupCommand,
  restore: restoreCommand,
  copy: copyCommand,
  doctor: doctorCommand,
  healthcheck: healthcheckCommand,
  openapi: openapiCommand,
  licenses: licensesCommand,
  version: versionCommand,
};

/** The groups of commands, by their first word. */
export const groups: CommandGroups = {
  accounts: accountGroup,
  keys: keyGroup,
  grants: grantGroup,
  ...memoryGroups,
  edits: editGroup,
  people: peopleGroup,
  sources: sourceGroup,
};

/** Runs the program in a context. Resolves with the exit code: 0 success, 1 failure, 2 usage error. */
export function runProgram(argv: readonly string[], context: Context): Promise<number> {
  const { stderr, env } = context;
  disableDebuggerSignal(context);
  return runToExit('memory-gateway', context, async () => {
    const { result, isJson } = await runCommandLine(startByDefault(argv, context), context);
    const text = isJson ? JSON.stringify(result.json) : result.text;
    if (text !== undefined) await printResult(context, text, result.running);
    if (!isJson && result.note !== undefined) printError(stderr, nameProgram(result.note, env));
    if (result.more !== undefined) printError(stderr, result.more);
    const exit = result.exit ?? 0;
    if (result.running === undefined) return exit;
    await result.running;
    context.end(exit); // a server may leave connections that keep the process alive
    return exit;
  });
}

/** Without arguments, a person on a terminal wants to start. Anything else gets the help. */
function startByDefault(argv: readonly string[], { stdin, stdout }: Context): readonly string[] {
  return argv.length === 0 && stdin.isTTY && stdout.isTTY ? ['start'] : argv;
}

const HELP_WORDS = new Set(['help', '--help', '-h']);
const VERSION_FLAGS = new Set(['--version', '-v']);

async function runCommandLine(
  argv: readonly string[],
  context: Context,
): Promise<{ result: CommandResult; isJson: boolean }> {
  refuseSecrets(argv);
  const isHelp =
    argv.length === 0 || argv[0] === 'help' || argv.includes('--help') || argv.includes('-h');
  if (isHelp) {
    const words = argv.filter((word) => !HELP_WORDS.has(word));
    return { result: { text: nameProgram(await helpOf(words), context.env) }, isJson: false };
  }
  const [first = '', ...others] = argv;
  const words = VERSION_FLAGS.has(first) ? ['version', ...others] : argv;
  const found = findCommand(words);
  if (found === undefined) throw unknownCommand(words);
  const { command, rest } = found;
  const { overrides } = command;
  const args = readArgs(rest, command.options, { env: context.env, overrides });
  if (command.takes === undefined) noArguments(args);
  args.settings.load();
  if (command.options.includes('database')) await requireDatabaseHere(args, found);
  const isJson = command.options.includes('json') && args.flag('json');
  return { isJson, result: await runNamed(command, args, context) };
}

/** Runs a command; an error about an option says so if the value comes from the environment or a file. */
async function runNamed(command: Command, args: Args, context: Context): Promise<CommandResult> {
  try {
    return await command.run(args, context);
  } catch (error) {
    const sources = command.options.flatMap((name) => {
      const source = args.source(name);
      const isNamed =
        error instanceof Error && new RegExp(`--${name}(?![\\w-])`).test(error.message);
      return isNamed && source !== undefined ? `--${name} comes from ${source}.` : [];
    });
    if (!(error instanceof Error) || sources.length === 0) throw error;
    // A message without a full stop ends with a command to paste, so nothing may follow on its line.
    if (!error.message.endsWith('.')) throw Object.assign(error, { after: sources.join(' ') });
    error.message = [error.message, ...sources].join(' ');
    throw error;
  }
}

function helpOf(words: readonly string[]): string | Promise<string> {
  const [first] = words;
  if (first === undefined) return programHelp(commands, groups);
  const found = findCommand(words);
  if (found !== undefined) return commandHelp(found.name, found.command);
  const group = words.length === 1 && Object.hasOwn(groups, first) ? groups[first] : undefined;
  if (group !== undefined) return groupHelp(first, group, commands);
  throw unknownCommand(words);
}

function findCommand(words: readonly string[]) {
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(' ');
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (command) return { name, command, rest: words.slice(length) };
  }
  return undefined;
}

/** Words that people try, and our commands for them. */
const COMMAND_SYNONYMS: Synonyms = {
  account: 'accounts',
  check: 'doctor',
  correct: 'edit',
  delete: 'memories delete',
  health: 'doctor',
  init: 'migrate',
  key: 'keys',
  licences: 'licenses',
  list: 'memories list',
  memory: 'memories',
  person: 'people',
  rename: 'edit',
  speakers: 'people',
  login: 'sign-in',
  logout: 'sign-out',
  run: 'start',
  signin: 'sign-in',
  signout: 'sign-out',
  show: 'memories show',
  status: 'doctor',
  upgrade: 'migrate',
  versions: 'version',
  'accounts add': 'accounts create',
  'accounts remove': 'accounts delete',
  'keys add': 'keys create',
  'keys delete': 'keys revoke',
  'keys remove': 'keys revoke',
  'memories add': 'import',
  'memories create': 'import',
  'memories edit': 'edit',
  'memories get': 'memories show',
  'memories remove': 'memories delete',
  'memories rename': 'edit',
  'memories search': 'search',
  'memories update': 'edit',
};

function unknownCommand(words: readonly string[]): UsageError {
  const [first = '', second = ''] = words;
  const verbs = verbsOf(first);
  if (verbs.length > 0 && (second === '' || second.startsWith('-')))
    return new UsageError(`Missing subcommand. Use one of: ${verbs.join(', ')}.`);
  const isGroup = verbs.length > 0;
  const group = isGroup ? first : suggest(first, Object.keys(groups), COMMAND_SYNONYMS);
  const names = [...Object.keys(commands), ...Object.keys(groups)];
  const meant =
    (group === undefined ? undefined : suggestVerb(group, second)) ??
    (isGroup ? undefined : suggest(first, names, COMMAND_SYNONYMS));
  const word = isGroup ? `${first} ${second}` : first;
  if (meant !== undefined)
    return new UsageError(`Unknown command "${word}". Did you mean "${meant}"?`);
  return isGroup
    ? new UsageError(`Unknown command "${word}". Use one of: ${verbs.join(', ')}.`)
    : unknownWord(word);
}

function verbsOf(group: string): string[] {
  return Object.keys(commands).filter((name) => name.startsWith(`${group} `));
}

/** Suggests a command of a group. Only its second word is compared, because the first one is known. */
function suggestVerb(group: string, word: string): string | undefined {
  const synonym = `${group} ${word}`.toLowerCase();
  if (Object.hasOwn(COMMAND_SYNONYMS, synonym)) return COMMAND_SYNONYMS[synonym];
  const verbs = verbsOf(group).map((name) => name.slice(group.length + 1));
  const verb = suggest(word, verbs);
  return verb && `${group} ${verb}`;
}
