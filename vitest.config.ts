import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const roots = ['packages', 'packages/tools', 'apps'].flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name !== 'tools')
    .map((name) => `${folder}/${name}`),
);

// Packages are tested from their sources, without a build; the others are resolved as in Node.
const fromSources = { resolve: { conditions: ['source', 'node', 'development|production'] } };

export default defineConfig({
  environments: { ssr: fromSources, __vitest__: fromSources },
  test: {
    globalSetup: [fileURLToPath(new URL('packages/tools/testkit/src/global-setup.ts', import.meta.url))],
    projects: roots.map((root) => ({
      extends: true as const,
      root,
      test: { name: root, include: ['src/**/*.test.ts', 'test/**/*.test.ts'] },
    })),
    // The files of a worker share its modules: loading them anew would take as long as the tests.
    isolate: false,
    // Two workers beside Postgres and Redis: what the smallest machine can carry.
    maxWorkers: 2,
    // They end what hangs; a machine that is ten times as slow as others, or busy with other work, passes all the same.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
