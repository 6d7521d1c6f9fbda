import { parseArgs } from 'node:util';
import { WorksWithError } from './works-with-error.js';

/** Parsed arguments of the command line. */
export interface WorksWithCommand {
  /** Names of programs; empty for all. */
  readonly names: readonly string[];
  /** The folder of another built checkout whose standalone runs; absent for this one. */
  readonly checkout?: string;
  /** Whether to run the programs with `ci` in their manifest. */
  readonly ci: boolean;
  readonly list: boolean;
  readonly help: boolean;
}

/** Reads the arguments. @throws WorksWithError */
export function parseCommandLine(args: readonly string[]): WorksWithCommand {
  try {
    const { values, positionals } = parseArgs({
      // Package managers may pass on their own separator.
      args: args.filter((arg) => arg !== '--'),
      allowPositionals: true,
      options: {
        checkout: { type: 'string' },
        ci: { type: 'boolean', default: false },
        list: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    return { ...values, names: positionals };
  } catch (error) {
    throw new WorksWithError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
