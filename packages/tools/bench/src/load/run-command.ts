import { execFile } from 'node:child_process';

/** The result of a finished command. */
export interface CommandResult {
  /** Absent when it could not be started or was killed. */
  readonly exitCode?: number;
  readonly output: string;
  readonly complaints: string;
}

/** The environment of programs: nothing else is inherited. */
export const PLAIN_ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
} as const;

const MAX_OUTPUT_BYTES = 10_000_000;

/** Runs a command without a shell, within a time limit. Never rejects. */
export function runCommand(
  file: string,
  args: readonly string[],
  timeoutMs = 600_000,
  environment: Readonly<Record<string, string>> = {},
): Promise<CommandResult> {
  const env = { ...PLAIN_ENVIRONMENT, ...environment };
  return new Promise((resolve) => {
    execFile(
      file,
      [...args],
      { env, timeout: timeoutMs, maxBuffer: MAX_OUTPUT_BYTES },
      (error, output, complaints) => {
        const exitCode = error === null ? 0 : error.code;
        resolve({ output, complaints, ...(typeof exitCode === 'number' && { exitCode }) });
      },
    );
  });
}

/** The path of a program on PATH; `undefined` when there is none. */
export async function findProgram(name: string): Promise<string | undefined> {
  const { exitCode, output } = await runCommand('/bin/sh', ['-c', `command -v ${name}`]);
  return exitCode === 0 ? output.trim() : undefined;
}
