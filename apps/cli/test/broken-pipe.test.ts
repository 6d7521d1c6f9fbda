import { runCommand } from '@vestibule/local-services';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startInstallation } from './support/installation.js';
import { PROGRAM, vestibuleProcess } from './support/vestibule.js';

let installation: Awaited<ReturnType<typeof startInstallation>>;

beforeAll(async () => {
  installation = await startInstallation();
});
afterAll(() => installation.close());

it('exits with 0 if its reader has gone, after completing its changes', async () => {
  const { environment, events } = installation;
  const metadata = (id: string) => ({
    client_id: id,
    grant_types: ['client_credentials'],
    scope: 'read',
    client_secret: 'qVx0oW3mZ1rT8uYbN5cKd7LpHs2JfGaE',
  });
  const ids = Array.from({ length: 40 }, (_, index) => `client-${index}`);
  const path = await installation.file('clients.json', JSON.stringify(ids.map(metadata)));
  const imported = await vestibuleProcess(['clients', 'import', path, '--from', 'hydra', '--json'], {
    environment,
    isStdoutClosed: true,
  });
  expect(imported).toMatchObject({ code: 0, stdout: '' });
  expect((await events()).length).toBe(ids.length);
  const listed = await vestibuleProcess(['clients', 'list'], { environment, isStdoutClosed: true });
  expect(listed).toEqual({ code: 0, stdout: '', stderr: '' });
});

it('reports that output cannot be written to a full disk, and keeps its exit code if standard error is closed', async () => {
  const { environment } = installation;
  const typed = (command: string) => {
    const { PATH = '' } = process.env;
    const script = `"$0" "$1" ${command}`;
    return runCommand('/bin/bash', ['-c', script, process.execPath, PROGRAM], {
      env: { PATH, ...environment },
    });
  };
  expect(await typed('keys list --json > /dev/full')).toEqual({
    exitCode: 1,
    output: 'vestibule: Cannot write to standard output (ENOSPC).\n',
  });
  expect(await typed('clients show unknown-id 2> >(true)')).toEqual({ exitCode: 3, output: '' });
});
