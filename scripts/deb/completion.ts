// Shell completion for bash, zsh and fish, from the tables of commands and options.

import type { Option } from '../../src/cli/args/options/option.ts';
import { options, type OptionName } from '../../src/cli/args/options/options.ts';
import { fileOptionNames } from '../../src/cli/args/options/serve-options.ts';
import type { Command } from '../../src/cli/command.ts';
import { groupOf } from '../../src/cli/help.ts';
import { commands, groups } from '../../src/cli/program.ts';

/** Values that are paths, so that the shell completes files. */
const PATHS = new Set(['FILE', 'PATH', 'FOLDER', 'DATABASE']);

interface Flag {
  readonly name: string;
  readonly help: string;
  /** Undefined for a switch. */
  readonly value: string | undefined;
}

function flagsOf({ options: names, overrides }: Command): Flag[] {
  const own = names.map((name) => flagOf(name, overrides?.[name]));
  return [...own, ...fileOptionNames.map((name) => flagOf(name))];
}

function flagOf(name: OptionName, override: Partial<Option> = {}): Flag {
  const { help, value }: Option = { ...options[name], ...override };
  return { name, help, value };
}

/** The words after the program, and after each group. */
function words(): Map<string, [word: string, summary: string][]> {
  const found = new Map<string, [string, string][]>([['', []]]);
  const add = (after: string, word: string, summary: string): void => {
    const list = found.get(after) ?? [];
    if (!list.some(([each]) => each === word)) list.push([word, summary]);
    found.set(after, list);
  };
  for (const [name, { summary }] of Object.entries(commands)) {
    const group = groupOf(name, groups);
    if (group === undefined) add('', name, summary);
    else {
      add('', group, groups[group]?.summary ?? '');
      add(group, name.slice(group.length + 1), summary);
    }
  }
  add('', 'help', 'Show help');
  return found;
}

/** Returns the completion of bash, which takes a file name wherever an option or an argument is a path. */
export function bashCompletion(): string {
  const cases = Object.entries(commands).map(([name, command]) => {
    const flags = flagsOf(command);
    const valued = flags.filter(({ value }) => value !== undefined && !PATHS.has(value));
    return `    '${name}')
      flags='${[...flags.map((flag) => `--${flag.name}`), '--help'].join(' ')}'
      values='${valued.map((flag) => `--${flag.name}`).join(' ')}' ;;`;
  });
  const groupCases = Array.from(
    words(),
    ([after, list]) => `    '${after}') next='${list.map(([word]) => word).join(' ')}' ;;`,
  );
  return `# bash completion for memory-gateway. Written by "npm run deb".

_memory_gateway() {
  local cur=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]}
  local command='' word flags='--help' values='' next='' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    [[ $word == -* ]] && break
    case "$command" in
      '' | ${Object.keys(groups).join(' | ')}) command=\${command:+$command }$word ;;
      *) break ;;
    esac
  done
  case "$command" in
${groupCases.join('\n')}
  esac
  case "$command" in
${cases.join('\n')}
  esac
  COMPREPLY=()
  if [[ " $values " == *" $before "* ]]; then return; fi
  if [[ $cur == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$flags" -- "$cur")
  elif [[ -n $next && $COMP_CWORD -le $((\${#command} > 0 ? 2 : 1)) ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$next" -- "$cur")
  else
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$cur")
  fi
}
complete -F _memory_gateway memory-gateway
`;
}

const quoteZsh = (text: string): string =>
  text.replaceAll("'", "'\\''").replaceAll(/[[\]:]/g, String.raw`\$&`);

/** Returns the completion of zsh. */
export function zshCompletion(): string {
  const lists = Array.from(words(), ([after, list]) => {
    const rows = list.map(([word, summary]) => `      '${word}:${quoteZsh(summary)}'`);
    return `    '${after}')\n      next=(\n${rows.join('\n')}\n      ) ;;`;
  });
  const cases = Object.entries(commands).map(([name, command]) => {
    const rows = flagsOf(command).map(({ name: flag, help, value }) => {
      const action =
        value === undefined ? '' : `:${quoteZsh(value)}:${PATHS.has(value) ? '_files' : ''}`;
      return `        '--${flag}${value === undefined ? '' : '='}[${quoteZsh(help)}]${action}'`;
    });
    return `    '${name}')\n      _arguments \\\n${rows.join(' \\\n')} \\\n        '*:file:_files' ;;`;
  });
  return `#compdef memory-gateway
# zsh completion for memory-gateway. Written by "npm run deb".

_memory_gateway() {
  local command='' word
  local -a next
  for word in \${words[2,CURRENT-1]}; do
    [[ $word == -* ]] && break
    case "$command" in
      ''|${Object.keys(groups).join('|')}) command=\${command:+$command }$word ;;
      *) break ;;
    esac
  done
  case "$command" in
${lists.join('\n')}
  esac
  if (( \${#next} )); then
    _describe 'command' next
    return
  fi
  case "$command" in
${cases.join('\n')}
  esac
}

_memory_gateway "$@"
`;
}

const quoteFish = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** Returns the completion of fish. */
export function fishCompletion(): string {
  const lines = Array.from(words(), ([after, list]) =>
    list.map(
      ([word, summary]) =>
        `complete -c memory-gateway -f -n ${quoteFish(`__memory_gateway_is "${after}"`)} -a ${word} -d ${quoteFish(summary)}`,
    ),
  ).flat();
  const flags = Object.entries(commands).flatMap(([name, command]) =>
    flagsOf(command).map(({ name: flag, help, value }) => {
      const takes = value === undefined ? '' : PATHS.has(value) ? ' -r -F' : ' -x';
      return `complete -c memory-gateway -n ${quoteFish(`__memory_gateway_is "${name}"`)} -l ${flag}${takes} -d ${quoteFish(help)}`;
    }),
  );
  return `# fish completion for memory-gateway. Written by "npm run deb".

function __memory_gateway_is --argument-names wanted
    set -l command
    for word in (commandline -opc)[2..]
        string match -q -- '-*' $word; and break
        contains -- "$command" "" ${Object.keys(groups).join(' ')}; or break
        set command (string trim -- "$command $word")
    end
    test "$command" = "$wanted"
end

${[...lines, ...flags].join('\n')}
`;
}
