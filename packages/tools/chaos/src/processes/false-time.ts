import { access, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Closers, installDebianPackage } from '@vestibule/local-services';

/** A time of day that a process believes. Its monotonic clock is right, as it is when a clock is set. */
export interface FalseTime {
  /** What a process is started with to believe it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Moves the clock of those processes, from now on so many seconds ahead. */
  moveTo(secondsAhead: number): Promise<void>;
}

const LIBRARIES = ['x86_64-linux-gnu', 'aarch64-linux-gnu'].map(
  (architecture) => `/usr/lib/${architecture}/faketime/libfaketime.so.1`,
);

/** The right time, until it is moved. @throws when libfaketime is not there and cannot be installed */
export async function openFalseTime(log: (sentence: string) => void, toEnd: Closers): Promise<FalseTime> {
  const library = await faketime(log);
  const folder = await mkdtemp(join(tmpdir(), 'vestibule-clock-'));
  toEnd.add(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'time');
  const moveTo = async (secondsAhead: number) => {
    // Nobody reads half of it.
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

/** The library that tells a process another time. */
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
