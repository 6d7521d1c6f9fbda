import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../src/root.js';
import { type PageWalk, walkPage } from './walk/walk-page.js';

const PAGE = readFileSync(join(ROOT, 'packages', 'guides', 'use-the-packages.md'), 'utf8');
/** The packages that @vestibule/metadata needs, and itself. */
const TARBALLS = ['crypto.tgz', 'metadata.tgz', 'protocol.tgz', 'scopes.tgz'];

describe.each([
  { manager: 'npm', heading: 'Install', replaced: [] },
  {
    manager: 'pnpm',
    heading: 'With pnpm',
    replaced: [['npm install --no-audit --no-fund --save-dev', 'npx -y pnpm add --save-dev']] as const,
  },
])('the page on using the packages, with $manager', ({ heading, replaced }) => {
  let folder: string;
  let walk: PageWalk;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'vestibule-use-'));
    walk = walkPage({ page: PAGE, folder, replaced: new Map(replaced) });
    walk.write('package.json', '{ "private": true, "type": "module" }');
  });

  afterAll(async () => {
    await walk.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('installs the packages, and nothing that they do not need', async () => {
    await walk.section(heading);
    const tarballs = readdirSync(join(folder, 'vestibule')).filter((name) => name.endsWith('.tgz'));
    expect(tarballs.sort()).toEqual(TARBALLS);
    const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    expect(Object.values(dependencies)).toEqual(
      TARBALLS.map((name) => expect.stringMatching(new RegExp(`^file:(?:\\./)?vestibule/${name}$`))),
    );
    for (const name of ['pg', '@prisma', 'ioredis', 'fastify'])
      expect(existsSync(join(folder, 'node_modules', name))).toBe(false);
  });

  it('type checks and runs as written', async () => {
    await walk.section('Use');
  });

  it('installs packages that were packed again', async () => {
    await walk.section(heading);
  });
});
