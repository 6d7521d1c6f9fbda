import { parseArgs } from 'node:util';

/** What the command line asks for. */
export interface ChaosCommand {
  /** Names of trials; empty for all. */
  readonly only: readonly string[];
  readonly quick: boolean;
  readonly list: boolean;
  readonly help: boolean;
}

/** The command line cannot be understood; the message is for the person who typed it. */
export class CommandLineError extends Error {
  override readonly name = 'CommandLineError';
}

/** Reads the arguments. @throws CommandLineError */
export function parseCommandLine(args: readonly string[]): ChaosCommand {
  try {
    const { values } = parseArgs({
      // Package managers may pass their own separator on.
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

/** The trials that are asked for, in their own order. @throws CommandLineError for names that none has */
export function chooseTrials<Trial extends { readonly id: string }>(
  all: readonly Trial[],
  names: readonly string[],
): readonly Trial[] {
  const unknown = names.filter((name) => !all.some(({ id }) => id === name));
  if (unknown.length > 0) {
    const known = all.map(({ id }) => id).join(', ');
    throw new CommandLineError(`There is no trial ${unknown.join(', ')}. There are: ${known}`);
  }
  return names.length === 0 ? all : all.filter(({ id }) => names.includes(id));
}
