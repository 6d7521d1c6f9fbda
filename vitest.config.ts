import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// Packages are tested from their sources, without a build; the others are resolved as in Node.
const fromSources = { resolve: { conditions: ['source', 'node', 'development|production'] } };

// One folder for this run only: what an entry imports depends on the exports of other packages, which may change between
// runs. The global setup deletes it. Runs between which nothing changes share the folder that the variable names, and the
// caller that has set it deletes it.
const transformed =
  process.env['TRANSFORMED_MODULES'] ??
  join(tmpdir(), `vestibule-transformed-${process.pid}-${Math.trunc(performance.timeOrigin)}`);

export default defineConfig({
  environments: { ssr: fromSources, __vitest__: fromSources },
  test: {
    globalSetup: [fileURLToPath(new URL('packages/tools/testkit/src/global-setup.ts', import.meta.url))],
    include: ['{packages,packages/tools,apps}/*/{src,test}/**/*.test.ts'],
    experimental: { fsModuleCache: true, fsModuleCachePath: transformed },
    // The files of a worker share its modules: loading them anew would take as long as the tests.
    isolate: false,
    // On the smallest machine, with two processors: tests also wait, for Postgres, for other processes and for time.
    maxWorkers: 4,
    // They end what hangs; a machine that is ten times as slow as others, or busy with other work, passes all the same.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
