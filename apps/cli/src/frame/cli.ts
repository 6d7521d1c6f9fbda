import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Environment } from '@vestibule/service/settings';
import type { ExitCode } from './command-failure.js';
import type { Terminal } from './terminal.js';

/** Context of a command. */
export interface Cli {
  /** All commands. */
  readonly groups: readonly CommandGroup[];
  readonly terminal: Terminal;
  /** The environment of this process; `withStore` and `withDatabase` complete it for a local installation. */
  readonly environment: Environment;
  /**
   * Reads standard input up to the given size.
   * @throws CommandFailure if it is larger
   */
  readonly readInput: (maxBytes: number) => Promise<string>;
  /** Sets a non-zero exit code for a command that printed its result. */
  readonly exitWith: (code: ExitCode) => void;
}

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
  /** Whether the group is itself its only command, typed without a second word. Default false. */
  readonly isCommand?: boolean;
}
