import { spawnSync } from 'node:child_process';
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ClientFolder, clientFolder, clientYaml, storedClient } from '../support/client-files.js';
import { startInstallation } from '../support/installation.js';
import { PROGRAM, startVestibule } from '../support/vestibule.js';

let installation: Awaited<ReturnType<typeof startInstallation>>;

beforeAll(async () => {
  installation = await startInstallation();
});
afterAll(() => installation.close());

const stored = (id: string) => storedClient(installation, id);

const isSecretOf = async (id: string, value: string) => {
  const { secret } = (await stored(id)) ?? {};
  return secret !== undefined && installation.store.digester.matches('client-secret', value, secret.digest);
};

const apply = (folder: ClientFolder, owner: string, ...options: readonly string[]) =>
  installation.type(['apply', folder.path, '--owner', owner, '--yes', ...options]);

it('hands a generated secret over once, in a file that only its owner can read', async () => {
  const folder = await clientFolder({ 'a.yaml': clientYaml('once') });
  const into = ['--secrets-file', folder.secrets];
  const { code, stdout } = await apply(folder, 'once', ...into);
  expect(code).toBe(0);
  const [first, ...others] = await folder.readSecrets();
  expect(others).toEqual([]);
  expect(stdout).not.toContain(first?.client_secret);
  expect(await isSecretOf('once', first?.client_secret ?? '')).toBe(true);
  expect((await stat(folder.secrets)).mode & 0o777).toBe(0o600);
  await folder.write('a.yaml', clientYaml('once', 'Renamed'));
  await folder.write(
    'b.yaml',
    'client_id: public\ntoken_endpoint_auth_method: none\nredirect_uris: [https://b.example.org/cb]\n',
  );
  await apply(folder, 'once', ...into);
  expect(await folder.readSecrets()).toEqual([first]);
  // A public client that becomes confidential gets a secret.
  await folder.write('b.yaml', clientYaml('public'));
  await apply(folder, 'once', ...into);
  expect(await folder.readSecrets()).toEqual([first, expect.objectContaining({ client_id: 'public' })]);
});

it('creates no client whose secret nothing receives', async () => {
  const folder = await clientFolder({ 'a.yaml': clientYaml('unheard') });
  expect(await apply(folder, 'unheard')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--secrets-file'),
  });
  expect(await stored('unheard')).toBeUndefined();
});

it('refuses files for secrets that others can read, or that lie among the clients', async () => {
  const folder = await clientFolder({ 'a.yaml': clientYaml('shown') });
  await writeFile(folder.secrets, '');
  await chmod(folder.secrets, 0o640);
  expect(await apply(folder, 'shown', '--secrets-file', folder.secrets)).toMatchObject({ code: 2 });
  expect(await apply(folder, 'shown', '--secrets-file', join(folder.path, 'secrets'))).toMatchObject({
    code: 2,
  });
  expect(await stored('shown')).toBeUndefined();
});

it('hands secrets to a command, and again by the next run if it fails', async () => {
  const folder = await clientFolder({ 'a.yaml': clientYaml('commanded') });
  const failing = await apply(folder, 'commanded', '--secrets-command', 'cat > /dev/null; exit 3');
  expect(failing).toMatchObject({ code: 1, stderr: expect.stringContaining('Its secret is not lost') });
  expect(await stored('commanded')).toMatchObject({ ownership: { isSecretUndelivered: true } });
  const planned = await installation.type(['apply', folder.path, '--owner', 'commanded', '--plan']);
  expect(planned).toMatchObject({
    code: 5,
    stdout: expect.stringMatching(/^! commanded \(a\.yaml\): secret to hand over\n/),
  });
  const received = join(dirname(folder.path), 'received');
  const again = await apply(folder, 'commanded', '--secrets-command', `cat >> '${received}'`);
  expect(again).toMatchObject({ code: 0 });
  const { client_id, client_secret } = JSON.parse(await readFile(received, 'utf8'));
  expect(client_id).toBe('commanded');
  expect(await isSecretOf('commanded', client_secret)).toBe(true);
  await apply(folder, 'commanded', '--secrets-command', `echo again >> '${received}'`);
  expect(await readFile(received, 'utf8')).not.toContain('again');
  expect(await installation.events()).toContain('operator:cli client.secret_handed_over client:commanded');
});

it('completes a run that was killed: every client once, every secret once in the file', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 300 }, (_, index) => [`${index}.yaml`, clientYaml(`killed-${index}`)]),
  );
  const folder = await clientFolder(files);
  const args = ['apply', folder.path, '--owner', 'killed', '--yes', '--secrets-file', folder.secrets];
  const count = async () => {
    const client = new pg.Client(installation.environment.DATABASE_URL);
    await client.connect();
    const { rows } = await client.query(`SELECT count(*)::int AS count FROM client WHERE owner = 'killed'`);
    await client.end();
    return rows[0].count;
  };
  const running = startVestibule(args, { environment: installation.environment });
  await expect.poll(count, { timeout: 60_000, interval: 5 }).toBeGreaterThan(20);
  running.kill();
  await running.ended;
  const begun = await count();
  expect(begun).toBeLessThan(300);
  // A line that was cut off in the middle.
  await writeFile(folder.secrets, '{"client_id":"killed-0","client_sec', { flag: 'a', mode: 0o600 });
  const { code, stdout } = await installation.type([...args, '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ created: 300 - begun });
  const secrets = await folder.readSecrets();
  expect([secrets.length, new Set(secrets.map(({ client_id }) => client_id)).size]).toEqual([300, 300]);
  for (const { client_id, client_secret } of secrets)
    expect(await isSecretOf(client_id, client_secret)).toBe(true);
  expect(await installation.type([...args, '--json'])).toMatchObject({ code: 0 });
  expect(await folder.readSecrets()).toEqual(secrets);
});

it('does not write a secret again that a killed run wrote and did not record', async () => {
  const folder = await clientFolder({ 'a.yaml': clientYaml('unrecorded') });
  const into = ['--secrets-file', folder.secrets];
  await apply(folder, 'unrecorded', ...into);
  const before = await folder.readSecrets();
  const client = new pg.Client(installation.environment.DATABASE_URL);
  await client.connect();
  await client.query(`UPDATE client SET is_secret_undelivered = true WHERE id = 'unrecorded'`);
  await client.end();
  expect(await apply(folder, 'unrecorded', ...into)).toMatchObject({ code: 0 });
  expect(await folder.readSecrets()).toEqual(before);
  expect(await stored('unrecorded')).toMatchObject({ ownership: { isSecretUndelivered: false } });
});

it('appends to no file that has other content', async () => {
  const folder = await clientFolder({ 'a.yaml': clientYaml('appended') });
  for (const content of ['DATABASE_URL=postgresql://example\n', '{}\n', '[', '{"client_id":"a"}\nx\n']) {
    await writeFile(folder.secrets, content, { mode: 0o600 });
    expect(await apply(folder, 'appended', '--secrets-file', folder.secrets)).toMatchObject({
      code: 2,
      stderr: 'vestibule: The secrets file has other content: use a new file.\n',
    });
    expect(await readFile(folder.secrets, 'utf8')).toBe(content);
  }
  expect(await stored('appended')).toBeUndefined();
});

it('says so if the file for secrets has no space, and hands the secrets over later', async () => {
  const files = Array.from({ length: 30 }, (_, index) => [`${index}.yaml`, clientYaml(`space-${index}`)]);
  const folder = await clientFolder(Object.fromEntries(files));
  const args = ['apply', folder.path, '--owner', 'space', '--yes', '--secrets-file', folder.secrets];
  // Files of the process have at most 2 blocks of 512 bytes.
  const limited = spawnSync(
    '/bin/sh',
    ['-c', 'ulimit -f 2; exec "$@"', 'sh', process.execPath, PROGRAM, ...args],
    {
      env: { ...installation.environment },
      encoding: 'utf8',
    },
  );
  expect(limited).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^vestibule: The secrets file cannot be written\. No secret is lost/),
  });
  expect(await installation.type(args)).toMatchObject({ code: 0 });
  const secrets = await folder.readSecrets();
  expect(new Set(secrets.map(({ client_id }) => client_id)).size).toBe(30);
  expect(secrets).toHaveLength(30);
  for (const { client_id, client_secret } of secrets)
    expect(await isSecretOf(client_id, client_secret)).toBe(true);
});

it('refuses an empty command, which would lose every secret', async () => {
  const folder = await clientFolder({ 'a.yaml': clientYaml('lost') });
  for (const command of ['', '  '])
    expect(await apply(folder, 'lost', '--secrets-command', command)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('It must not be empty.'),
    });
  expect(await stored('lost')).toBeUndefined();
});
