import { access, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Closers, installDebianPackage } from '@vestibule/local-services';

/** A wall clock that can be set for a process. Its monotonic clock is unaffected, as when a real clock is set. */
export interface FalseTime {
  /** The environment that a process needs for it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Sets the clock of those processes that many seconds ahead. */
  moveTo(secondsAhead: number): Promise<void>;
}

const LIBRARIES = ['x86_64-linux-gnu', 'aarch64-linux-gnu'].map(
  (architecture) => `/usr/lib/${architecture}/faketime/libfaketime.so.1`,
);

/** Starts with the right time. @throws when libfaketime is missing and cannot be installed */
export async function openFalseTime(log: (sentence: string) => void, toEnd: Closers): Promise<FalseTime> {
  const library = await faketime(log);
  const folder = await mkdtemp(join(tmpdir(), 'vestibule-clock-'));
  toEnd.add(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'time');
  const moveTo = async (secondsAhead: number) => {
    // Written atomically, so that no process reads half of it.
    await writeFile(`${file}.new`, `${secondsAhead < 0 ? '' : '+'}${secondsAhead}s\n`);
    await rename(`${file}.new`, file);
  };
  await moveTo(0);
  const environment = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
  return { environment, moveTo };
}

/** The library that changes the time of a process. */
async function faketime(log: (sentence: string) => void): Promise<string> {
  const found = await firstOf(LIBRARIES);
  if (found !== undefined) return found;
  const missing = "libfaketime is not installed (Debian's package is faketime)";
  await installDebianPackage({ name: 'faketime', missing, log });
  const installed = await firstOf(LIBRARIES);
  if (installed === undefined) throw new Error(missing);
  return installed;
}

async function firstOf(files: readonly string[]): Promise<string | undefined> {
  for (const file of files) {
    const isThere = await access(file).then(
      () => true,
      () => false,
    );
    if (isThere) return file;
  }
  return undefined;
}
