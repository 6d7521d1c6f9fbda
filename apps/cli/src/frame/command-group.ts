import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Cli } from './cli.js';

/** One command of a group. Its file is loaded when it is asked for, so that help and other commands stay fast. */
export interface CommandEntry {
  readonly name: string;
  /** One line for lists of commands; no full stop. */
  readonly summary: string;
  readonly load: () => Promise<CommandFactory>;
}

/** Makes a command: its arguments, options, description, examples and action. Name and summary come from the table. */
export type CommandFactory = (cli: Cli) => CommandUnknownOpts;

/** Commands about one matter: `vestibule <group> <command>`. */
export interface CommandGroup {
  readonly name: string;
  readonly summary: string;
  readonly commands: readonly CommandEntry[];
}
