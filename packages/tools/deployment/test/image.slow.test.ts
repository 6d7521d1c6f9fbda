import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closers, runCommand } from '@vestibule/local-services';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readDockerfile, startWords } from '../src/dockerfile/read-dockerfile.js';
import type { ProductionTree } from '../src/image/build-tree.js';
import { examineTree, MAX_TREE_MEGABYTES } from '../src/image/examine-tree.js';
import { type ImageStores, openImageStores } from '../src/image/image-stores.js';
import { DOCKER_FOLDER, ROOT } from '../src/repository.js';

// The steps before these install and build what is installed and built here already: `pnpm images` runs them too, for
// every application.
const APPLICATION = 'introspection';
const toEnd = closers();
let tree: ProductionTree;
let stores: ImageStores;

beforeAll(async () => {
  const workFolder = await mkdtemp(join(tmpdir(), 'vestibule-tree-'));
  toEnd.add(() => rm(workFolder, { recursive: true, force: true }));
  const stages = readDockerfile(await readFile(join(DOCKER_FOLDER, 'Dockerfile'), 'utf8'));
  const build = stages.find(({ name }) => name === 'build')?.instructions ?? [];
  const steps = build.flatMap(({ name, text }) => (name === 'RUN' ? [text] : []));
  const first = steps.findIndex((text) => / deploy --prod production$/.test(text));
  const folder = join(workFolder, 'production');
  for (const [index, step] of steps.slice(first).entries()) {
    const isDeploy = index === 0;
    const named = step.replaceAll('$APP', APPLICATION);
    const text = isDeploy ? `${named.replace(/production$/, folder)} --offline` : named;
    const ran = await runCommand('/bin/sh', ['-c', text], { cwd: isDeploy ? ROOT : workFolder });
    expect([text, ran]).toEqual([text, { exitCode: 0, output: expect.anything() }]);
  }
  tree = { application: APPLICATION, folder, words: startWords(stages, 'service').command };
  stores = await openImageStores(toEnd, () => undefined);
});

afterAll(() => toEnd.closeAll());

it('an image holds what its application asks for in production, starts with it, and is small', async () => {
  const { packages, megabytes } = await examineTree(tree, stores);
  expect(packages).toBeGreaterThan(50);
  expect(megabytes).toBeLessThan(MAX_TREE_MEGABYTES);
});

it('an image is refused for what nothing asks for', async () => {
  const place = join(tree.folder, 'node_modules/.pnpm/compiler@1.0.0/node_modules/compiler');
  await mkdir(place, { recursive: true });
  await writeFile(join(place, 'package.json'), '{}');
  await expect(examineTree(tree, stores)).rejects.toThrow(
    'introspection contains packages that no production dependency requires: compiler.',
  );
});
