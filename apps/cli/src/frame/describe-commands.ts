import type { CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { Cli } from './cli.js';
import { type Example, examplesOf } from './examples.js';
import { notesOf } from './notes.js';
import { buildProgram } from './program.js';

/** An option, for documentation and completion. */
export interface OptionDescription {
  /** `--state <state>` */
  readonly flags: string;
  /** `--state` */
  readonly long: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
  readonly description: string;
  /** Default value, if there is one. */
  readonly fallback?: string;
}

/** A command, for documentation and completion. */
export interface CommandDescription {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  /** Facts that the help lists after the options. */
  readonly notes: readonly string[];
  /** Usage: `[options] <id>`. */
  readonly usage: string;
  readonly argumentChoices: readonly string[];
  readonly options: readonly OptionDescription[];
  readonly examples: readonly Example[];
}

/** A command group, for documentation and completion. */
export interface GroupDescription {
  readonly name: string;
  readonly summary: string;
  /** Whether the group is itself its only command. */
  readonly isCommand: boolean;
  readonly commands: readonly CommandDescription[];
}

/** Describes every command from its definition. */
export async function describeCommands(cli: Cli): Promise<readonly GroupDescription[]> {
  const program = await buildProgram({ cli, output: {}, onChange: () => undefined, isWanted: () => true });
  return cli.groups.map(({ name, summary, isCommand = false }) => {
    const named = program.commands.filter((command) => command.name() === name);
    const commands = isCommand ? named : named.flatMap((group) => group.commands);
    return { name, summary, isCommand, commands: commands.map(describeCommand) };
  });
}

function describeCommand(command: CommandUnknownOpts): CommandDescription {
  return {
    name: command.name(),
    summary: command.summary(),
    description: command.description(),
    notes: notesOf(command),
    usage: command.usage(),
    argumentChoices: command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices),
    options: command.options.map(describeOption),
    examples: examplesOf(command),
  };
}

function describeOption(option: Option): OptionDescription {
  const { flags, long, required, optional, argChoices = [], description } = option;
  const fallback = option.defaultValueDescription ?? fallbackText(option.defaultValue);
  return {
    flags,
    long: long ?? flags,
    takesValue: required || optional,
    choices: argChoices,
    description,
    ...(fallback !== undefined && { fallback }),
  };
}

function fallbackText(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
