import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { extraneousPackagesIn } from '../src/image/extraneous-packages-in.js';

let folder = '';
const store = (entry: string, name = entry.split('@')[0] ?? '') =>
  join(folder, 'node_modules/.pnpm', entry, 'node_modules', name);

async function install(place: string, manifest: object): Promise<void> {
  await mkdir(place, { recursive: true });
  await writeFile(join(place, 'package.json'), JSON.stringify(manifest));
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vestibule-tree-'));
  await install(folder, { dependencies: { server: '1.0.0' } });
  await install(store('server@1.0.0'), {
    dependencies: { parser: '1.0.0' },
    peerDependencies: { absent: '1' },
  });
  await install(store('parser@1.0.0'), { devDependencies: { compiler: '1.0.0' } });
  await symlink('.pnpm/server@1.0.0/node_modules/server', join(folder, 'node_modules/server'));
  await symlink(store('parser@1.0.0'), join(store('server@1.0.0'), '../parser'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

it('an installation contains only the packages that its production dependencies require, directly or transitively', async () => {
  expect(await extraneousPackagesIn(folder)).toEqual({ packages: 2, extraneous: [] });
});

it('a package that no production dependency requires is reported', async () => {
  await install(store('compiler@1.0.0'), {});
  await install(store('@types+node@24.0.0', '@types/node'), {});
  const { extraneous } = await extraneousPackagesIn(folder);
  expect(extraneous.toSorted()).toEqual(['@types/node', 'compiler']);
});
