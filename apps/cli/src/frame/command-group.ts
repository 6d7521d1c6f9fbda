import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Cli } from './cli.js';

/** A command of a group. Its file is loaded on demand, so that help and other commands stay fast. */
export interface CommandEntry {
  readonly name: string;
  /** One line for command lists, without a full stop. */
  readonly summary: string;
  readonly load: () => Promise<CommandFactory>;
}

/**
 * Creates a command with its arguments, options, description, examples and action. Name and summary come from the
 * command table.
 */
export type CommandFactory = (cli: Cli) => CommandUnknownOpts;

/** A group of commands: `vestibule <group> <command>`. */
export interface CommandGroup {
  readonly name: string;
  readonly summary: string;
  readonly commands: readonly CommandEntry[];
}
