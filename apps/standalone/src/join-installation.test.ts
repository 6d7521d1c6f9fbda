import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { installationEnvironment } from './join-installation.js';
import { recordAddress } from './local-address.js';

async function dataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vestibule-join-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'postgres'));
  return folder;
}

it('creates no missing secret', async () => {
  const folder = await dataFolder();
  const environment = installationEnvironment({ DATA_DIR: folder });
  expect(environment).toMatchObject({ ENCRYPTION_KEYS_FILE: join(folder, 'encryption-keys') });
  expect(environment).not.toHaveProperty('MASTER_TOKEN_SHA256');
  expect(await readdir(folder)).toEqual(['postgres']);
});

it('uses the existing secrets, and refuses a truncated one', async () => {
  const folder = await dataFolder();
  const file = join(folder, 'master-token');
  await writeFile(file, 'a'.repeat(43));
  expect(installationEnvironment({ DATA_DIR: folder }).MASTER_TOKEN_SHA256).toMatch(/^[0-9a-f]{64}$/);
  await writeFile(file, 'a'.repeat(42));
  expect(() => installationEnvironment({ DATA_DIR: folder })).toThrow(/master-token is too short/);
});

it('uses the address at which the services last started, unless another is given', async () => {
  const folder = await dataFolder();
  const addressOf = (given: Readonly<Record<string, string>>) =>
    installationEnvironment({ DATA_DIR: folder, ...given }).BASE_URL;
  expect(addressOf({})).toBe('http://localhost:8080');
  recordAddress(folder, 'http://localhost:9000');
  recordAddress(folder, 'http://localhost:9123');
  expect(addressOf({})).toBe('http://localhost:9123');
  expect(addressOf({ PORT: '9999' })).toBe('http://localhost:9999');
  expect(addressOf({ BASE_URL: 'https://op.example' })).toBe('https://op.example');
  expect(await readdir(folder)).toEqual(['base-url', 'postgres']);
});

it('refuses a folder without an installation', () => {
  expect(() => installationEnvironment({ DATA_DIR: join(tmpdir(), 'vestibule-nowhere') })).toThrow(
    /contains no installation/,
  );
});
