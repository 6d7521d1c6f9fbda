import { aClient, aClientId } from '@vestibule/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startInstallation } from '../support/installation.js';

let installation: Awaited<ReturnType<typeof startInstallation>>;

beforeAll(async () => {
  installation = await startInstallation();
});
afterAll(() => installation.close());

const METADATA = { client_name: 'Tool', grant_types: ['client_credentials'], preferred_client_id: 'tool' };

it('registers, shows, changes, lists and deletes a client, and records who did', async () => {
  const { type, events } = installation;
  const created = JSON.parse(
    (await type(['clients', 'create', '-', '--json'], JSON.stringify(METADATA))).stdout,
  );
  expect(created).toMatchObject({ client_id: 'tool', client_secret: expect.stringMatching(/^\w{43}$/) });

  const updated = await type([
    'clients',
    'update',
    'tool',
    '--set',
    'client_name=\u001b[2J',
    '--actor',
    'bob',
  ]);
  expect(updated).toMatchObject({ code: 1, stderr: expect.stringMatching(/client_name/) });
  await type([
    'clients',
    'update',
    'tool',
    '--set',
    'client_name=Renamed',
    '--unset',
    'scope',
    '--actor',
    'bob',
  ]);
  const shown = await type(['clients', 'show', 'tool', '--credentials', '--json']);
  expect(JSON.parse(shown.stdout)).toMatchObject({
    client_id: 'tool',
    metadata: { client_name: 'Renamed', grant_types: ['client_credentials'] },
    client_secret: created.client_secret,
    registration_access_token: created.registration_access_token,
  });

  const rotated = JSON.parse((await type(['clients', 'rotate-secret', 'tool', '--json'])).stdout);
  expect(rotated.client_secret).not.toBe(created.client_secret);

  const listed = await type(['clients', 'list', '--name', 'ren', '--origin', 'import']);
  expect(listed).toMatchObject({ code: 0, stderr: '' });
  expect(listed.stdout).toMatch(/^CLIENT ID .*\ntool +Renamed +active +import +client_secret_basic .*\n$/);
  expect(listed.stdout).not.toContain(rotated.client_secret);

  expect(await type(['clients', 'delete', 'tool'])).toEqual({
    code: 2,
    stdout: '',
    stderr: 'vestibule: Nothing was deleted: --yes deletes 1 client.\n',
  });
  expect(await type(['clients', 'delete', 'tool', '--yes'])).toMatchObject({ stdout: 'Deleted 1 client.\n' });
  expect(await events()).toEqual([
    'operator:cli client.registered client:tool',
    'operator:bob client.updated client:tool',
    'operator:cli client.updated client:tool',
    'operator:cli client.deleted client:tool',
  ]);
});

it('approves and rejects those who wait, and prunes those whom nobody uses, after telling which', async () => {
  const { type, store } = installation;
  for (const id of ['first', 'second'])
    await store.database.clients.create({ ...aClient(), id: aClientId(id), status: 'pending' });
  expect(await type(['clients', 'approve', 'first'])).toMatchObject({ code: 0, stdout: 'Approved: 1.\n' });
  expect(await type(['clients', 'reject', 'second'])).toMatchObject({ code: 0, stdout: 'Rejected: 1.\n' });
  const prune = ['clients', 'prune', '--unused-days', '1', '--origin', 'registration', 'import'];
  const told = await type([...prune, '--json']);
  expect(JSON.parse(told.stdout)).toMatchObject([{ client_id: 'first' }]);
  expect(told.stderr).toBe('Nothing was deleted: --yes deletes 1.\n');
  expect(await type([...prune, '--yes'])).toMatchObject({ code: 0, stderr: 'Deleted 1.\n' });
  expect((await installation.events()).slice(-3)).toEqual([
    'operator:cli client.approved client:first',
    'operator:cli client.rejected client:second',
    'operator:cli client.pruned client:first',
  ]);
});
