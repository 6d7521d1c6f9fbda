import { access } from 'node:fs/promises';
import { installDebianPackage } from '@vestibule/local-services';
import { type Fault, HEALTHY } from '../trials/fault.js';

const LIBRARIES = ['x86_64-linux-gnu', 'aarch64-linux-gnu'].map(
  (architecture) => `/usr/lib/${architecture}/faketime/libfaketime.so.1`,
);

/** One instance whose clock is wrong. Its monotonic clock is right, as it is when a clock is set. */
export const CLOCK_FAULTS: readonly Fault[] = [clockFault('ahead', '+120s'), clockFault('behind', '-120s')];

function clockFault(direction: 'ahead' | 'behind', offset: string): Fault {
  return {
    id: `clock-${direction}`,
    title: `the clock of one instance is two minutes ${direction}`,
    seconds: 10,
    limits: HEALTHY,
    prepare: async ({ log }) => {
      const library = await faketime(log);
      return {
        secondEnvironment: { LD_PRELOAD: library, FAKETIME: offset, FAKETIME_DONT_FAKE_MONOTONIC: '1' },
      };
    },
    begin: async () => async () => undefined,
  };
}

/** The library that tells a process another time. @throws when it is not there and cannot be installed */
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
