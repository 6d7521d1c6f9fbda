import { commandPath } from '../frame/command-path.js';
import type { CommandDescription, GroupDescription } from '../frame/describe-commands.js';

/** Supported shells. */
export type Shell = 'bash' | 'zsh' | 'fish';

/** Generates the completion script of each shell. The script contains all completions and starts no process. */
export const COMPLETION_SCRIPTS: Readonly<Record<Shell, (groups: readonly GroupDescription[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

function bashScript(groups: readonly GroupDescription[]): string {
  return `${shellFunction({
    name: '_vestibule',
    words: {
      current: '$COMP_CWORD',
      at: (index) => `\${COMP_WORDS[${index}]}`,
      previous: `\${COMP_WORDS[COMP_CWORD-1]}`,
    },
    groups,
    end: `  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))`,
  })}
complete -o default -F _vestibule vestibule
`;
}

function zshScript(groups: readonly GroupDescription[]): string {
  return `#compdef vestibule
${shellFunction({
  name: '_vestibule',
  words: {
    current: '$((CURRENT-1))',
    at: (index) => `\${words[${index + 1}]}`,
    previous: `\${words[CURRENT-1]}`,
  },
  groups,
  end: `  if [[ -n $found ]]; then compadd -- \${=found}; else _files; fi`,
})
  .replaceAll('local words', 'local found')
  .replaceAll(' words=', ' found=')}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
compdef _vestibule vestibule
`;
}

interface ShellFunction {
  readonly name: string;
  readonly words: {
    readonly current: string;
    readonly at: (index: number) => string;
    readonly previous: string;
  };
  readonly groups: readonly GroupDescription[];
  readonly end: string;
}

/** The part that bash and zsh share: nested case statements over the previous words. */
function shellFunction({ name, words, groups, end }: ShellFunction): string {
  const commands = groups.flatMap((group) => group.commands.map((command) => ({ group, command })));
  const values = commands.flatMap(({ group, command }) =>
    command.options
      .filter(({ takesValue }) => takesValue)
      .map(({ long, choices }) => caseLine(`${wordsOf(group, command)} ${long}`, choices)),
  );
  return [
    `${name}() {`,
    `  local words=''`,
    `  if [ "${words.current}" -eq 1 ]; then words='${groups.map((group) => group.name).join(' ')} --help'`,
    `  elif [ "${words.current}" -eq 2 ]; then`,
    `    case "${words.at(1)}" in`,
    ...groups.map((group) => caseLine(group.name, secondWords(group))),
    '    esac',
    '  else',
    `    case "${words.at(1)} ${words.at(2)} ${words.previous}" in`,
    ...values,
    `    *) case "${words.at(1)} ${words.at(2)}" in`,
    ...commands.map(({ group, command }) => caseLine(wordsOf(group, command), offered(command))),
    '    esac ;;',
    '    esac',
    '  fi',
    end,
    '}',
  ].join('\n');
}

/** The first two words of a command as a quoted pattern; the second one of a command without a group is any word. */
function wordsOf(group: GroupDescription, command: CommandDescription): string {
  return group.isCommand ? `${group.name} '*'` : commandPath(group, command);
}

function secondWords({ commands, isCommand }: GroupDescription): readonly string[] {
  return isCommand ? commands.flatMap(offered) : [...commands.map((command) => command.name), '--help'];
}

function caseLine(pattern: string, found: readonly string[]): string {
  return `    '${pattern}') words='${found.join(' ')}' ;;`;
}

function offered({ argumentChoices, options }: CommandDescription): readonly string[] {
  return [...argumentChoices, ...options.map(({ long }) => long), '--help'];
}

function fishScript(groups: readonly GroupDescription[]): string {
  const lines = groups.flatMap((group) => {
    const names = group.commands.map((command) => command.name).join(' ');
    const within = `__fish_seen_subcommand_from ${group.name}`;
    if (group.isCommand)
      return [
        `complete -c vestibule -f -n __fish_use_subcommand -a ${group.name} -d ${quoted(group.summary)}`,
        ...group.commands.flatMap((command) => fishCommand(within, command)),
      ];
    return [
      `complete -c vestibule -f -n __fish_use_subcommand -a ${group.name} -d ${quoted(group.summary)}`,
      ...group.commands.flatMap((command) => [
        `complete -c vestibule -f -n '${within}; and not __fish_seen_subcommand_from ${names}' -a ${command.name} -d ${quoted(command.summary)}`,
        ...fishCommand(`${within}; and __fish_seen_subcommand_from ${command.name}`, command),
      ]),
    ];
  });
  return `${lines.join('\n')}\n`;
}

function fishCommand(condition: string, { argumentChoices, options }: CommandDescription): readonly string[] {
  const start = `complete -c vestibule -n '${condition}'`;
  return [
    ...(argumentChoices.length === 0 ? [] : [`${start} -f -a '${argumentChoices.join(' ')}'`]),
    ...options.map(({ long, takesValue, choices, description }) => {
      const values = choices.length === 0 ? '' : ` -f -a '${choices.join(' ')}'`;
      return `${start} -l ${long.slice(2)}${takesValue ? ' -r' : ''}${values} -d ${quoted(description)}`;
    }),
  ];
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
