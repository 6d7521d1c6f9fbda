import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const roots = ['packages', 'packages/tools', 'apps'].flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name !== 'tools')
    .map((name) => `${folder}/${name}`),
);

// Packages are tested from their sources, without a build; the others are resolved as in Node.
const fromSources = { resolve: { conditions: ['source', 'node', 'development|production'] } };

// One folder for this run only: what an entry imports depends on the exports of other packages, which may change between
// runs. The global setup deletes it. Runs between which nothing changes share the folder that the variable names, and the
// caller that has set it deletes it.
const transformed =
  process.env['TRANSFORMED_MODULES'] ??
  join(tmpdir(), `vestibule-transformed-${process.pid}-${Math.trunc(performance.timeOrigin)}`);

const repository = fileURLToPath(new URL('.', import.meta.url));

/** The folder of a test file's package, relative to the repository. */
function folderOf({ moduleId }: TestSpecification): string {
  return relative(repository, moduleId).split(/\/(?:src|test)\//, 1)[0] ?? '';
}

/** Begins with the tools, whose files take longest, so that none of them runs alone at the end. */
class ToolsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => folderOf(other).localeCompare(folderOf(one)));
  }
}

export default defineConfig({
  environments: { ssr: fromSources, __vitest__: fromSources },
  test: {
    globalSetup: [fileURLToPath(new URL('packages/tools/testkit/src/global-setup.ts', import.meta.url))],
    // One project for all packages: a worker loads the modules that they share, such as Fastify and Prisma, only once.
    include: roots.map((root) => `${root}/{src,test}/**/*.test.ts`),
    experimental: { fsModuleCache: true, fsModuleCachePath: transformed },
    // The files of a worker share its modules: loading them anew would take as long as the tests.
    isolate: false,
    sequence: { sequencer: ToolsFirst },
    // On the smallest machine, with two processors: tests also wait, for Postgres, for other processes and for time. The
    // slow tests wait most of all, and `pnpm test:slow` has four workers.
    maxWorkers: 3,
    // They end what hangs; a machine that is ten times as slow as others, or busy with other work, passes all the same.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
