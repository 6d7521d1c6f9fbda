import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const foldersIn = (folder: string) => readdirSync(folder).map((name) => `${folder}/${name}`);

/** Their tests migrate databases, with an engine that has panicked in a worker that had run the tests of all packages. */
const migrating = ['packages/database', 'packages/oidc-provider-adapter', 'packages/tools/deployment'];
const others = ['packages', 'packages/tools', 'apps']
  .flatMap(foldersIn)
  .filter((folder) => folder !== 'packages/tools' && !migrating.includes(folder));

// Packages are tested from their sources, without a build; the others are resolved as in Node.
const fromSources = { resolve: { conditions: ['source', 'node', 'development|production'] } };

// One folder for this run only: what an entry imports depends on the exports of other packages, which may change between
// runs. The global setup deletes it. Runs between which nothing changes share the folder that the variable names, and the
// caller that has set it deletes it.
const transformed =
  process.env['TRANSFORMED_MODULES'] ??
  join(tmpdir(), `vestibule-transformed-${process.pid}-${Math.trunc(performance.timeOrigin)}`);

/** Runs one project after the other, because a worker serves only one, and begins with the smaller one. */
class OneProjectAfterTheOther extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => other.project.name.localeCompare(one.project.name));
  }
}

export default defineConfig({
  environments: { ssr: fromSources, __vitest__: fromSources },
  test: {
    globalSetup: [fileURLToPath(new URL('packages/tools/testkit/src/global-setup.ts', import.meta.url))],
    // The workers of a project load the modules that its files share only once. All projects have the root of the
    // repository, so that a module is transformed once, not once for each of them.
    projects: [
      { name: 'migrating', folders: migrating },
      { name: 'all others', folders: others },
    ].map(({ name, folders }) => ({
      extends: true as const,
      test: { name, include: folders.map((folder) => `${folder}/{src,test}/**/*.test.ts`) },
    })),
    experimental: { fsModuleCache: true, fsModuleCachePath: transformed },
    // The files of a worker share its modules: loading them anew would take as long as the tests.
    isolate: false,
    sequence: { sequencer: OneProjectAfterTheOther },
    // On the smallest machine, with two processors: tests also wait, for Postgres, for other processes and for time.
    maxWorkers: 4,
    // They end what hangs; a machine that is ten times as slow as others, or busy with other work, passes all the same.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
