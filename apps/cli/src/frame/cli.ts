import type { Environment } from '@vestibule/service/settings';
import type { ExitCode } from './command-failure.js';
import type { CommandGroup } from './command-group.js';
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
