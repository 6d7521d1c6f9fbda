import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const roots = ['packages', 'apps'].flatMap((folder) =>
  readdirSync(folder).map((name) => `${folder}/${name}`),
);

export default defineConfig({
  test: {
    globalSetup: [fileURLToPath(new URL('packages/testkit/src/global-setup.ts', import.meta.url))],
    projects: roots.map((root) => ({
      extends: true as const,
      root,
      // Packages are tested from their sources, without a build.
      ssr: { resolve: { conditions: ['source', 'module', 'node', 'development|production'] } },
      test: { name: root, include: ['src/**/*.test.ts', 'test/**/*.test.ts'] },
    })),
    // Two workers beside Postgres and Redis: what the smallest machine can carry.
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
