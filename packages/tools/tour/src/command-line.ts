import { parseArgs } from 'node:util';
import { TourError } from './tour-error.js';

/** Parsed arguments of the command line. */
export interface TourCommand {
  /** The folder of screenshots; absent for none. */
  readonly screenshots?: string;
  /** Whether every exchange and every check is printed. */
  readonly verbose: boolean;
  readonly help: boolean;
}

/** Reads the arguments. @throws TourError */
export function parseCommandLine(args: readonly string[]): TourCommand {
  try {
    const { values } = parseArgs({
      // Package managers may pass on their own separator.
      args: args.filter((arg) => arg !== '--'),
      options: {
        screenshots: { type: 'string' },
        verbose: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    return values;
  } catch (error) {
    throw new TourError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
