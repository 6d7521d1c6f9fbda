import { execFile } from 'node:child_process';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Closers, installDebianPackage } from '@vestibule/local-services';
import { ROOT } from '../test-environment/root.js';
import type { PlainProcess } from './plain-process.js';

/** A monotonic clock that stops while its process is paused, as that of a suspended machine does. */
export interface HeldClock {
  /** The environment that a process needs for it. */
  readonly environment: Readonly<Record<string, string>>;
  /**
   * Stops a process for that time, as if its machine were suspended: its wall clock continues, its monotonic clock does
   * not.
   * @param meanwhile called with the time when the pause ends, on the clock of this process; may queue requests
   */
  suspend(process: PlainProcess, ms: number, meanwhile: (endsAtMs: number) => Promise<void>): Promise<void>;
}

const SOURCE = join(ROOT, 'packages', 'tools', 'chaos', 'src', 'processes', 'held-clock.c');
const run = promisify(execFile);
const NS_PER_MS = 1_000_000;

/** Opens a running clock. @throws when there is no C compiler and none can be installed */
export async function openHeldClock(log: (sentence: string) => void, toEnd: Closers): Promise<HeldClock> {
  const folder = await mkdtemp(join(tmpdir(), 'vestibule-held-'));
  toEnd.add(() => rm(folder, { recursive: true, force: true }));
  const library = join(folder, 'held-clock.so');
  await compile(library, log);
  const path = join(folder, 'held');
  const file = await open(path, 'w');
  toEnd.add(() => file.close());
  let heldMs = 0;
  const write = () => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64LE(BigInt(Math.round(heldMs * NS_PER_MS)));
    return file.write(bytes, 0, bytes.length, 0);
  };
  await write();
  return {
    environment: { LD_PRELOAD: library, HELD_CLOCK_FILE: path },
    suspend: async (process, ms, meanwhile) => {
      const begunAtMs = performance.now();
      process.kill('SIGSTOP');
      try {
        await meanwhile(begunAtMs + ms);
        await pause(Math.max(0, begunAtMs + ms - performance.now()));
        heldMs += performance.now() - begunAtMs;
        await write();
      } finally {
        process.kill('SIGCONT');
      }
    },
  };
}

async function compile(library: string, log: (sentence: string) => void): Promise<void> {
  const cc = () => run('cc', ['-shared', '-fPIC', '-O2', '-o', library, SOURCE, '-ldl']);
  try {
    await cc();
  } catch {
    const missing = "no C compiler is installed (Debian's package is gcc)";
    await installDebianPackage({ name: 'gcc', missing, log });
    await cc();
  }
}
