import type { Environment } from '@vestibule/service-kit/settings';
import type { CommandGroup } from './command-group.js';
import type { ExitCode } from './exit-code.js';
import type { Terminal } from './terminal.js';

/** What every command gets. */
export interface Cli {
  /** Every command that there is. */
  readonly groups: readonly CommandGroup[];
  readonly terminal: Terminal;
  /** The environment of this process; `withStore` and `withDatabase` complete it for a local installation. */
  readonly environment: Environment;
  /** Everything on standard input, of at most the given size. @throws CommandFailure when it is larger */
  readonly readInput: (maxBytes: number) => Promise<string>;
  /** Ends the command with another code than 0 although it said what there is to say. */
  readonly exitWith: (code: ExitCode) => void;
}
