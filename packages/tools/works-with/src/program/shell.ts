import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Closers } from '@vestibule/local-services';

/** A command of a program. */
export interface ShellCommand {
  readonly line: string;
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly limitMs: number;
}

/** The result of a command. */
export interface ShellResult {
  /** Absent when it took too long or was killed. */
  readonly exitCode?: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command in a shell, and ends all its processes when it finishes or takes too long. */
export async function runShell(command: ShellCommand, toEnd: Closers): Promise<ShellResult> {
  const { line, folder, environment, limitMs } = command;
  const child = spawn('/bin/sh', ['-c', line], {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    // A separate process group, so that its children end with it.
    detached: true,
  });
  const stdout: string[] = [];
  const stderr: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (text: string) => stdout.push(text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => stderr.push(text));
  const closed = once(child, 'close');
  const killGroup = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // The whole group has exited.
    }
  };
  toEnd.add(async () => {
    killGroup();
    await closed;
  });
  const limit = setTimeout(killGroup, limitMs);
  child.once('exit', killGroup);
  const [code]: (number | null)[] = await closed;
  clearTimeout(limit);
  const printed = { stdout: stdout.join(''), stderr: stderr.join('') };
  return typeof code === 'number' ? { ...printed, exitCode: code } : printed;
}
