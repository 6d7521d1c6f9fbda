import { CommanderError } from '@commander-js/extra-typings';
import type { Environment } from '@vestibule/service/settings';
import type { Cli, CommandGroup } from './cli.js';
import { EXIT, type ExitCode } from './command-failure.js';
import { hyphenedLast } from './hyphened-arguments.js';
import { plainText } from './plain-text.js';
import { buildProgram } from './program.js';
import { createTerminal, type OutputStream } from './terminal.js';

/** Inputs of a run, from the process. */
export interface Call {
  readonly groups: readonly CommandGroup[];
  /** Arguments after the program name. */
  readonly args: readonly string[];
  readonly environment: Environment;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly readInput: Cli['readInput'];
  /** Called before a command that changes something. */
  readonly onChange: () => void;
}

/**
 * Runs a command line. Never throws.
 * @returns the exit code
 */
export async function run(call: Call): Promise<ExitCode> {
  const { groups, args, environment, stdout, stderr, readInput, onChange } = call;
  const isColorful = stdout.isTTY === true && (environment['NO_COLOR'] ?? '') === '';
  let exitCode: ExitCode = EXIT.done;
  const cli: Cli = {
    groups,
    terminal: createTerminal({ stdout, stderr, isColorful }),
    environment,
    readInput,
    exitWith: (code) => {
      exitCode = code;
    },
  };
  try {
    const [first, second] = args.filter((arg) => !arg.startsWith('-'));
    const program = await buildProgram({
      cli,
      output: {
        writeOut: (text) => stdout.write(text),
        writeErr: (text) => stderr.write(text),
        outputError: (text, write) => write(printable(text.replace(/^error: /, 'vestibule: '))),
        getOutHasColors: () => isColorful,
        getErrHasColors: () => false,
      },
      onChange,
      isWanted: (group, entry) => group.name === first && (group.isCommand === true || entry.name === second),
    });
    const named = program.commands.find((command) => command.name() === first);
    const isCommand = groups.some(({ name, isCommand }) => name === first && isCommand === true);
    const command = isCommand ? named : named?.commands.find((each) => each.name() === second);
    await program.parseAsync(command === undefined ? args : hyphenedLast(args, command), { from: 'user' });
    return exitCode;
  } catch (error) {
    return reportFailure(error, stderr);
  }
}

async function reportFailure(error: unknown, stderr: OutputStream): Promise<ExitCode> {
  // The parser has already printed its message. Requested help is not an error.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  const { describeFailure } = await import('./describe-failure.js');
  const { exitCode, sentence } = describeFailure(error);
  stderr.write(printable(`vestibule: ${sentence}\n`));
  return exitCode;
}

/** Escapes the characters in lines that a terminal would interpret. */
function printable(lines: string): string {
  return lines.split('\n').map(plainText).join('\n');
}
