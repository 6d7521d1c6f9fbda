import { parseArgs } from 'node:util';

/** Parsed arguments of the command line. */
export interface ChaosCommand {
  /** Names of trials; empty for all. */
  readonly only: readonly string[];
  readonly quick: boolean;
  readonly list: boolean;
  readonly help: boolean;
}

/** An invalid command line; the message is meant for the user. */
export class CommandLineError extends Error {
  override readonly name = 'CommandLineError';
}

/** Reads the arguments. @throws CommandLineError */
export function parseCommandLine(args: readonly string[]): ChaosCommand {
  try {
    const { values } = parseArgs({
      // Package managers may pass on their own separator.
      args: args.filter((arg) => arg !== '--'),
      options: {
        only: { type: 'string', multiple: true, default: [] },
        quick: { type: 'boolean', default: false },
        list: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    const { only, ...flags } = values;
    return { ...flags, only: only.flatMap((names) => names.split(',')) };
  } catch (error) {
    throw new CommandLineError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** The named trials in the order of the list. @throws CommandLineError for unknown names */
export function chooseTrials<Trial extends { readonly id: string }>(
  all: readonly Trial[],
  names: readonly string[],
): readonly Trial[] {
  const unknown = names.filter((name) => !all.some(({ id }) => id === name));
  if (unknown.length > 0) {
    const known = all.map(({ id }) => id).join(', ');
    throw new CommandLineError(`Unknown trial ${unknown.join(', ')}. Available trials: ${known}`);
  }
  return names.length === 0 ? all : all.filter(({ id }) => names.includes(id));
}
