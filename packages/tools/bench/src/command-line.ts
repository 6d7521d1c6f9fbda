import { parseArgs } from 'node:util';

/** Parsed arguments of the command line. */
export interface BenchCommand {
  /** Names of workloads; empty for all that do not have to be named. */
  readonly workloads: readonly string[];
  readonly quick: boolean;
  /** Whether to complete the last run instead of starting a new one. */
  readonly resume: boolean;
  /** Whether to profile instead of measuring. */
  readonly profile: boolean;
  /** Duration of a steady load in seconds, if not the usual one. */
  readonly holdSeconds: number | undefined;
  /** A JSON file with other servers to compare with. */
  readonly servers: string | undefined;
  readonly help: boolean;
}

/** An invalid command line; the message is meant for the user. */
export class CommandLineError extends Error {
  override readonly name = 'CommandLineError';
}

/** Reads the arguments. @throws CommandLineError */
export function parseCommandLine(args: readonly string[]): BenchCommand {
  try {
    const { values, positionals } = parseArgs({
      // Package managers may pass on their own separator.
      args: args.filter((arg) => arg !== '--'),
      allowPositionals: true,
      options: {
        quick: { type: 'boolean', default: false },
        resume: { type: 'boolean', default: false },
        profile: { type: 'boolean', default: false },
        hold: { type: 'string' },
        servers: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
    const { hold, ...named } = values;
    const holdSeconds = hold === undefined ? undefined : secondsOf(hold);
    return { workloads: positionals, ...named, servers: named.servers, holdSeconds };
  } catch (error) {
    throw new CommandLineError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function secondsOf(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new TypeError(`--hold takes whole seconds, not ${text}`);
  return Number(text);
}

/** The named workloads in the order of the list. @throws CommandLineError for unknown names */
export function chooseWorkloads<Workload extends { readonly id: string; readonly onlyByName?: boolean }>(
  all: readonly Workload[],
  names: readonly string[],
): readonly Workload[] {
  if (names.length === 0) return all.filter(({ onlyByName = false }) => !onlyByName);
  const unknown = names.filter((name) => !all.some(({ id }) => id === name));
  if (unknown.length > 0)
    throw new CommandLineError(
      `Unknown workload ${unknown.join(', ')}. Available workloads: ${all.map(({ id }) => id).join(', ')}`,
    );
  return all.filter(({ id }) => names.includes(id));
}
