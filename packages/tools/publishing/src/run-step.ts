import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const MAX_OUTPUT_BYTES = 1e8;

/** Where a command runs. */
export interface StepPlace {
  readonly folder: string;
  /** Variables beyond those of this process. */
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * Runs a command.
 * @returns its standard output
 * @throws Error with the command and its output if it fails
 */
export async function runStep(
  [program = '', ...parameters]: readonly string[],
  { folder, environment = {} }: StepPlace,
): Promise<string> {
  try {
    const { stdout } = await run(program, parameters, {
      cwd: folder,
      env: { ...process.env, ...environment },
      maxBuffer: MAX_OUTPUT_BYTES,
    });
    return stdout;
  } catch (failure) {
    if (!(failure instanceof Error) || !('stdout' in failure) || !('stderr' in failure)) throw failure;
    const command = [program, ...parameters].join(' ');
    throw new Error(`${command}\n${failure.stdout}${failure.stderr}`, { cause: failure });
  }
}
