import { commandPath } from './command-path.js';
import type { CommandDescription, GroupDescription, OptionDescription } from './describe-commands.js';

/** Renders the command reference as Markdown: description, notes, options and an example of every command. */
export function commandReference(groups: readonly GroupDescription[]): string {
  const sections = groups.flatMap((group) => [
    ...(group.isCommand ? [] : [`## ${group.name}`, group.summary]),
    ...group.commands.flatMap((command) => commandSection(group, command)),
  ]);
  return `${['# Commands', INTRODUCTION, ...sections].join('\n\n')}\n`;
}

const INTRODUCTION = `Generated from the command definitions by \`pnpm --filter @vestibule/cli reference\`. Every command has \`--json\`, which prints
JSON for scripts, and \`--help\`, which shows more examples.`;

function commandSection(group: GroupDescription, command: CommandDescription): readonly string[] {
  const { usage, description, notes, options, examples } = command;
  const own = options.filter(({ long }) => long !== '--json');
  const [example] = examples;
  const path = commandPath(group, command);
  return [
    `${group.isCommand ? '##' : '###'} ${path}`,
    `\`vestibule ${path} ${usage}\``,
    description,
    ...(notes.length === 0 ? [] : [notes.map((note) => `- ${note}`).join('\n')]),
    ...(own.length === 0 ? [] : [optionTable(own)]),
    ...(example === undefined ? [] : [`\`\`\`sh\n# ${example[1]}\nvestibule ${example[0]}\n\`\`\``]),
  ];
}

function optionTable(options: readonly OptionDescription[]): string {
  return ['| option | meaning |', '|---|---|', ...options.map(optionRow)].join('\n');
}

function optionRow({ flags, description, choices, fallback }: OptionDescription): string {
  const remarks = [
    ...(choices.length === 0 ? [] : [`one of ${choices.map((choice) => `\`${choice}\``).join(', ')}`]),
    ...(fallback === undefined ? [] : [`default: ${fallback}`]),
  ];
  return `| \`${flags}\` | ${[description, ...remarks].join('; ')} |`;
}
