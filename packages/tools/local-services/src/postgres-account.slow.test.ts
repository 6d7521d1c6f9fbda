import { chmod, chown, cp, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { withoutNamespaces } from './postgres-account.js';
import { startPostgres } from './postgres-server.js';
import { readPostmasterFile } from './postmaster-file.js';

vi.setConfig({ testTimeout: 60_000 });

// Test files of a worker share modules: this resets them before and for later files.
vi.hoisted(() => vi.resetModules());
afterAll(() => void vi.resetModules());

/** These tests simulate a machine without user namespaces. */
vi.mock('./run-command.js', async (importOriginal) => {
  const original = await importOriginal<typeof import('./run-command.js')>();
  return {
    ...original,
    works: async (prefix: readonly string[]) => prefix[0] !== 'unshare' && (await original.works(prefix)),
  };
});

const cleanUps: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function aClosedFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vestibule-account-'));
  await chmod(folder, 0o700);
  cleanUps.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

describe.runIf(process.getuid?.() === 0)('PostgreSQL for root where user namespaces are refused', () => {
  it('runs as an unprivileged account in a separate folder that the next start finds', async () => {
    const dataFolder = join(await aClosedFolder(), 'postgres');
    const place = withoutNamespaces(dataFolder);
    cleanUps.push(() => rm(place, { recursive: true, force: true }));
    const first = await startPostgres({ dataFolder, durable: false });
    cleanUps.push(first.stop);
    await first.createDatabase('kept');
    const { uid, mode } = await stat(place);
    expect(uid).toBeGreaterThan(0);
    expect(mode & 0o777).toBe(0o700);
    const run = await readPostmasterFile(join(place, 'cluster', 'data'));
    const status = await readFile(`/proc/${run?.pid}/status`, 'utf8');
    expect(status).toMatch(new RegExp(`^Uid:\\s+${uid}\\s`, 'm'));
    expect((await stat(dataFolder)).uid).toBe(0);
    const before = await readFile(join(place, 'cluster', 'password'), 'utf8');
    await first.stop();
    const second = await startPostgres({ dataFolder, durable: false });
    cleanUps.push(second.stop);
    expect(await readFile(join(place, 'cluster', 'password'), 'utf8')).toBe(before);
    expect(await readdir(dataFolder)).toEqual([]);
  });

  it('still serves data that an account was given in the data folder itself', async () => {
    const folder = await aClosedFolder();
    await chmod(folder, 0o711);
    const dataFolder = join(folder, 'postgres');
    const place = withoutNamespaces(dataFolder);
    cleanUps.push(() => rm(place, { recursive: true, force: true }));
    await (await startPostgres({ dataFolder, durable: false })).stop();
    await cp(place, dataFolder, { recursive: true });
    const { uid, gid } = await stat(place);
    await rm(place, { recursive: true });
    for (const name of await readdir(dataFolder, { recursive: true }))
      await chown(join(dataFolder, name), uid, gid);
    const server = await startPostgres({ dataFolder, durable: false });
    cleanUps.push(server.stop);
    expect(await readPostmasterFile(join(dataFolder, 'cluster', 'data'))).toMatchObject({
      port: server.port,
    });
  });
});
