import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  everyCommandWasRun,
  introspect,
  issue,
  type OperatedStack,
  openStack,
  resourceServer,
  tokenFor,
} from '../support/operated-stack.js';

const KEPT_SECRET = 'qVx0oW3mZ1rT8uYbN5cKd7LpHs2JfGaE';

let stack: OperatedStack;

/** Hosts one client ID metadata document at `/client.json`. */
const documents = createServer(({ headers: { host }, url }, response) => {
  const content = { client_id: `http://${host}/client.json`, redirect_uris: ['com.example.app:/cb'] };
  const isThere = url === '/client.json';
  response.writeHead(isThere ? 200 : 404, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ ...content, application_type: 'native' }));
});
let documentHost: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => documents.listen(0, '127.0.0.1', resolve));
  documentHost = `127.0.0.1:${(documents.address() as AddressInfo).port}`;
  stack = await openStack({
    ALLOW_OPEN_REGISTRATION: 'true',
    OPEN_REGISTRATION_APPROVAL: 'true',
    CLIENT_ID_METADATA_DOCUMENTS: documentHost,
    EGRESS_ALLOW_HOSTS: documentHost,
  });
});
afterAll(async () => {
  documents.close();
  await stack.stop();
});

/** Registers a client over HTTP without a token; it waits for approval. */
async function registerPending(name: string): Promise<{ readonly id: string; readonly token: string }> {
  const json = { client_name: name, redirect_uris: ['https://app.example.org/cb'] };
  const { body } = await stack.send('/clients', { json });
  const { client_id: id, registration_access_token: token } = body;
  return { id, token };
}

const registrationOf = ({ id, token }: { readonly id: string; readonly token: string }) =>
  stack.send(`/clients/${id}`, { token });

it('create: the client can authenticate at the stack, and a dry run creates none', async () => {
  const { json, typed, text, refused } = stack;
  const path = await stack.file('tool.json', JSON.stringify(resourceServer(stack, 'tool')));
  const dryRun = await typed(['clients', 'create', path, '--dry-run']);
  expect(dryRun).toMatchObject({ client_id: 'tool' });
  expect(dryRun).not.toHaveProperty('client_secret');
  expect(await stack.send('/clients/tool', { token: stack.masterToken })).toMatchObject({ status: 404 });
  const made = await json(['clients', 'create', '-'], JSON.stringify(resourceServer(stack, 'tool')));
  expect(made).toMatchObject({
    client_secret: expect.stringMatching(/^\w{43}$/),
    registration_client_uri: `${stack.baseUrl}/clients/tool`,
  });
  const token = await tokenFor(stack, { client_id: 'tool' });
  expect(await introspect(stack, ['tool', made.client_secret], token)).toMatchObject({
    body: { active: true },
  });
  const shown = await text(
    ['clients', 'create', '-', '--actor', 'jane'],
    '{"grant_types":["client_credentials"]}',
  );
  expect(shown).toMatch(/^client_secret +\w{43}$/m);
  expect(await refused(2, ['clients', 'create', '-'], '{')).toMatchObject({
    stdout: '',
    stderr: 'vestibule: The text is not valid JSON.\n',
  });
  expect((await refused(1, ['clients', 'create', stack.folder])).stderr).toMatch(/it is a directory\.\n$/);
  expect((await refused(1, ['clients', 'create', '-'], '{}')).stderr).toMatch(/redirect_uris.*\(invalid_/);
});

it('list: lists registered clients by filters, without credentials', async () => {
  const { id, token } = await registerPending('日本語の店舗');
  const table = await stack.text(['clients', 'list', '--name', '日本']);
  expect(table).toMatch(
    new RegExp(
      `^CLIENT ID +NAME +STATUS +ORIGIN +ISSUED +LAST USED\n${id}  日本語の店舗  pending  open_registration  `,
    ),
  );
  const all = await stack.json(['clients', 'list']);
  expect(all).toHaveLength(3);
  expect(all).toContainEqual(
    expect.objectContaining({ client_id: id, status: 'pending', metadata: expect.any(Object) }),
  );
  expect(JSON.stringify(all)).not.toContain(token);
  expect(await stack.typed(['clients', 'list', '--origin', 'federation_explicit'])).toEqual([]);
  await stack.refused(2, ['clients', 'list', '--origin', 'heaven']);
});

it('list: finds clients by part of the name, a redirect URI and a contact', async () => {
  const json = {
    client_name: 'Ledger of Bäckerei',
    'client_name#ru': 'Магазин',
    redirect_uris: ['https://ledger.example.org/cb'],
    contacts: ['Ops@ledger.example.org'],
  };
  const { client_id: id } = (await stack.send('/clients', { json })).body;
  const listed = async (...options: string[]) => {
    const clients: readonly { client_id: string }[] = await stack.json(['clients', 'list', ...options]);
    return clients.map(({ client_id }) => client_id);
  };
  for (const part of ['edger of b', 'BÄCKEREI', 'магазин'])
    expect(await listed('--name-contains', part), part).toEqual([id]);
  expect(await listed('--redirect-uri', 'https://ledger.example.org/cb')).toEqual([id]);
  expect(await listed('--contact', 'ops@LEDGER.example.org')).toEqual([id]);
  expect(await listed('--name-contains', 'ledger', '--contact', 'ops@other.example')).toEqual([]);
  expect(await listed('--name-contains', '%%')).toEqual([]);
  for (const part of ['', 'x', '🚀', 'x'.repeat(201)]) {
    const { stderr } = await stack.refused(2, ['clients', 'list', '--name-contains', part]);
    expect(stderr).toMatch(/--name-contains.* It must be a string of 2 to 200 characters\./);
  }
});

it('show: prints the registration of a client, and its credentials only on request', async () => {
  const client = await registerPending('Shown');
  const fields = await stack.text(['clients', 'show', client.id]);
  expect(fields).toMatch(/^client_name +Shown$/m);
  expect(fields).not.toContain(client.token);
  expect(await stack.json(['clients', 'show', client.id, '--credentials'])).toMatchObject({
    client_id: client.id,
    registration_access_token: client.token,
  });
  expect(await stack.refused(3, ['clients', 'show', 'unknown-id'])).toMatchObject({
    stdout: '',
    stderr: 'vestibule: There is no client unknown-id: see vestibule clients list.\n',
  });
});

it('update: changes the registration of the client, but not its credentials', async () => {
  const client = await registerPending('Before');
  const set = (name: string) => ['clients', 'update', client.id, '--set', `client_name=${name}`];
  await stack.text(set('After'));
  expect(await registrationOf(client)).toMatchObject({ status: 200, body: { client_name: 'After' } });
  expect(await stack.json([...set('Never'), '--dry-run'])).toMatchObject({ client_name: 'Never' });
  expect(await registrationOf(client)).toMatchObject({ body: { client_name: 'After' } });
  const refused = await stack.refused(1, set('\u001b[2J'));
  expect(refused.stderr).toMatch(/client_name/);
  await stack.refused(3, ['clients', 'update', 'unknown-id', '--set', 'client_name=x']);
  await stack.refused(2, ['clients', 'update', client.id]);
});

it('rotate-secret: the previous secret is refused at once, the new one accepted', async () => {
  const made = await stack.typed(
    ['clients', 'create', '-'],
    JSON.stringify(resourceServer(stack, 'rotated')),
  );
  const tries = (secret: string) => introspect(stack, ['rotated', secret], 'x');
  expect(await tries(made.client_secret)).toMatchObject({ status: 200 });
  const { client_secret: second } = await stack.json(['clients', 'rotate-secret', 'rotated']);
  expect(await tries(second)).toMatchObject({ status: 200 });
  await expect.poll(() => tries(made.client_secret), { timeout: 60_000 }).toMatchObject({ status: 401 });
  const [, third = ''] =
    /^client_secret +(\w{43})$/m.exec(await stack.text(['clients', 'rotate-secret', 'rotated'])) ?? [];
  expect(await tries(third)).toMatchObject({ status: 200 });
  const open = await registerPending('Without a secret');
  await stack.typed(['clients', 'update', open.id, '--set', 'token_endpoint_auth_method=none']);
  await stack.refused(4, ['clients', 'rotate-secret', open.id]);
});

it('rotate-registration-token: the previous token is refused at once, the new one accepted', async () => {
  const client = await registerPending('Managed');
  const read = async (token: unknown) =>
    (await stack.send(`/clients/${client.id}`, { token: String(token) })).status;
  const { registration_access_token: second } = await stack.json([
    'clients',
    'rotate-registration-token',
    client.id,
  ]);
  expect([await read(client.token), await read(second)]).toEqual([401, 200]);
  const shown = await stack.text(['clients', 'rotate-registration-token', client.id]);
  const [, third = ''] = /^registration_access_token +(\w{43})$/m.exec(shown) ?? [];
  expect([await read(second), await read(third)]).toEqual([401, 200]);
  await stack.refused(3, ['clients', 'rotate-registration-token', 'unknown-id']);
});

it('suspend and resume: a suspended client is refused everywhere, and its tokens are active again after resume', async () => {
  const made = await stack.typed(
    ['clients', 'create', '-'],
    JSON.stringify(resourceServer(stack, 'suspended')),
  );
  const caller = ['suspended', made.client_secret] as const;
  const grant = { client_id: 'suspended', sub: 'alice', scope: 'read' };
  const issued = await issue(stack, { ...grant, aud: ['suspended'] });
  const { access_token: token } = issued.body;
  const asks = () => introspect(stack, caller, token);
  expect(await asks()).toMatchObject({ status: 200, body: { active: true } });
  expect(await stack.text(['clients', 'suspend', 'suspended'])).toBe('Suspended 1 client.\n');
  await expect.poll(asks, { timeout: 60_000 }).toMatchObject({ status: 401 });
  expect(await issue(stack, grant)).toMatchObject({ status: 400 });
  expect(await stack.json(['clients', 'list', '--status', 'suspended'])).toHaveLength(1);
  await stack.refused(4, ['clients', 'approve', 'suspended']);
  expect(await stack.json(['clients', 'resume', 'suspended'])).toEqual({ resumed: ['suspended'] });
  await expect.poll(asks, { timeout: 60_000 }).toMatchObject({ status: 200, body: { active: true } });
  await stack.refused(4, ['clients', 'resume', 'suspended']);
  await stack.refused(3, ['clients', 'suspend', 'unknown-id']);
  expect(await stack.json(['clients', 'suspend', 'suspended'])).toEqual({ suspended: ['suspended'] });
  expect(await stack.text(['clients', 'resume', 'suspended'])).toBe('Resumed 1 client.\n');
});

it('approve: pending clients get tokens from then on', async () => {
  const [first, second] = [await registerPending('First'), await registerPending('Second')];
  const wants = ({ id }: { readonly id: string }) =>
    issue(stack, { client_id: id, sub: 'alice', scope: 'read' });
  expect((await wants(first)).status).toBe(400);
  expect(await stack.text(['clients', 'approve', first.id])).toBe('Approved 1 client.\n');
  expect(await stack.json(['clients', 'approve', second.id])).toEqual({ approved: [second.id] });
  for (const client of [first, second]) expect(await wants(client)).toMatchObject({ status: 200 });
  const both = await stack.refused(3, [
    'clients',
    'approve',
    (await registerPending('Third')).id,
    'unknown-id',
  ]);
  expect(both.stderr).toMatch(/no client unknown-id/);
  expect(await stack.typed(['clients', 'list', '--status', 'pending', '--name', 'Third'])).toHaveLength(1);
});

it('approve: approves only the given version', async () => {
  const client = await registerPending('Looked at');
  const approve = (version: string) => ['clients', 'approve', client.id, '--if-version', version];
  const changed = await stack.refused(4, approve('2'));
  expect(changed.stderr).toBe(
    `vestibule: The client ${client.id} has changed and now has version 1: see vestibule clients show.\n`,
  );
  await stack.refused(2, [...approve('1'), 'another']);
  expect(await stack.text(approve('1'))).toBe('Approved 1 client.\n');
});

it('reject: pending clients are deleted, and others are kept', async () => {
  const [first, second] = [await registerPending('Turned away'), await registerPending('Turned away too')];
  expect(await stack.text(['clients', 'reject', first.id])).toBe('Rejected 1 client.\n');
  expect(await stack.json(['clients', 'reject', second.id])).toEqual({ rejected: [second.id] });
  for (const client of [first, second]) expect(await registrationOf(client)).toMatchObject({ status: 401 });
  const { stderr } = await stack.refused(4, ['clients', 'reject', 'tool']);
  expect(stderr).toBe(
    'vestibule: The client tool does not wait for approval: see vestibule clients list --status pending.\n',
  );
});

it('delete: deletes the registration only with --yes', async () => {
  const [first, second] = [await registerPending('Gone'), await registerPending('Gone too')];
  expect(await stack.refused(2, ['clients', 'delete', first.id])).toMatchObject({
    stderr: 'vestibule: Nothing was deleted: use --yes to delete 1 client.\n',
  });
  expect(await registrationOf(first)).toMatchObject({ status: 200 });
  expect(await stack.text(['clients', 'delete', first.id, '--yes'])).toBe('Deleted 1 client.\n');
  expect(await stack.json(['clients', 'delete', second.id, '--yes'])).toEqual({ deleted: [second.id] });
  for (const client of [first, second]) expect(await registrationOf(client)).toMatchObject({ status: 401 });
  await stack.refused(3, ['clients', 'delete', first.id, '--yes']);
});

it('import: a kept secret authenticates at the stack', async () => {
  const kept = { ...resourceServer(stack, 'kept'), client_id: 'kept', client_secret: KEPT_SECRET };
  const path = await stack.file('exported.ndjson', `${JSON.stringify(kept)}\n`);
  expect(await stack.text(['clients', 'import', path, '--from', 'oidc-provider', '--dry-run'])).toMatch(
    /^would be created +1$/m,
  );
  expect(await introspect(stack, ['kept', KEPT_SECRET], 'x')).toMatchObject({ status: 401 });
  expect(await stack.json(['clients', 'import', path, '--from', 'oidc-provider'])).toEqual([
    { client_id: 'kept', outcome: 'created', secret: 'kept', remarks: expect.any(Array) },
  ]);
  await expect
    .poll(() => introspect(stack, ['kept', KEPT_SECRET], 'x'), { timeout: 60_000 })
    .toMatchObject({ status: 200 });
  expect((await stack.refused(1, ['clients', 'import', 'nowhere.json', '--from', 'hydra'])).stderr).toBe(
    'vestibule: The file cannot be read: no such file.\n',
  );
});

it('prune: deletes unused registrations only with --yes', async () => {
  const [old, recent] = [await registerPending('Old'), await registerPending('Recent')];
  await stack.sql(`UPDATE client SET issued_at = issued_at - interval '3 days' WHERE id = '${old.id}'`);
  const prune = ['clients', 'prune', '--unused-days', '2'];
  expect(await stack.json(prune)).toMatchObject([{ client_id: old.id }]);
  expect(await registrationOf(old)).toMatchObject({ status: 200 });
  expect(await stack.text([...prune, '--yes'])).toMatch(new RegExp(`^CLIENT ID .*\n${old.id} `));
  expect(await registrationOf(old)).toMatchObject({ status: 401 });
  expect(await registrationOf(recent)).toMatchObject({ status: 200 });
  await stack.refused(2, ['clients', 'prune', '--unused-days', '0']);
});

it('block, blocks, unblock: end the clients of a host only with --yes, and refuse them until it is lifted', async () => {
  const client = await registerPending('Blocked');
  const names = ['--host', 'APP.example.org'];
  expect(await stack.json(['clients', 'block', ...names])).toContainEqual(
    expect.objectContaining({ client_id: client.id, origin: 'open_registration' }),
  );
  expect(await registrationOf(client)).toMatchObject({ status: 200 });
  expect(await stack.text(['clients', 'blocks'])).toMatch(/^Nothing is blocked\./);
  const blocking = [...names, '--reason', 'phishing', '--yes', '--actor', 'jane'];
  expect(await stack.text(['clients', 'block', ...blocking])).toContain(client.id);
  expect(await registrationOf(client)).toMatchObject({ status: 401 });
  expect((await registerPending('Again')).id).toBeUndefined();
  expect(await stack.json(['clients', 'blocks'])).toEqual([
    {
      kind: 'host',
      value: 'app.example.org',
      reason: 'phishing',
      blocked_at: expect.any(Number),
      clients_deleted_at: expect.any(Number),
    },
  ]);
  expect(await stack.json(['clients', 'unblock', ...names])).toEqual({
    lifted: ['host app.example.org'],
    unknown: [],
  });
  expect((await registerPending('Again')).id).toBeDefined();
  await stack.text(['clients', 'block', '--software-id', 'bad', '--yes']);
  expect(await stack.text(['clients', 'unblock', '--software-id', 'bad'])).toContain('no longer blocked');
  await stack.refused(3, ['clients', 'unblock', '--software-id', 'bad']);
  await stack.refused(2, ['clients', 'blocks', 'app.example.org']);
  await stack.refused(2, ['clients', 'block', '--yes']);
  await stack.refused(2, ['clients', 'block', '--host', 'https://app.example.org', '--yes']);
  await stack.refused(2, ['clients', 'block', '--redirect-uri', 'https:*', '--yes']);
});

it('explain: shows why a client ID metadata document is accepted or refused', async () => {
  const url = `http://${documentHost}/client.json`;
  expect(await stack.text(['clients', 'explain', url])).toContain(`${url} is accepted.\n\nRegisters:\n`);
  expect(await stack.json(['clients', 'explain', url])).toMatchObject({ accepted: true, metadata: {} });
  const missing = await stack.refused(1, ['clients', 'explain', `http://${documentHost}/other.json`]);
  expect(missing.stdout).toContain('is refused (withdrawn): status 404\n');
});

it('export: writes a client to a file that owns it', async () => {
  const { json, text, typed, refused } = stack;
  for (const id of ['to-file', 'to-other-file'])
    await typed(['clients', 'create', '-'], JSON.stringify(resourceServer(stack, id)));
  const folder = join(stack.folder, 'exported');
  const exporting = ['clients', 'export', folder, '--owner', 'team'];
  expect(await text([...exporting, '--client', 'to-file'])).toMatch(/^to-file +to-file\.yaml +adopted/m);
  expect(await json([...exporting, '--client', 'to-file', 'to-other-file'])).toEqual([
    { client_id: 'to-file', file: 'to-file.yaml', outcome: 'owned' },
    { client_id: 'to-other-file', file: 'to-other-file.yaml', outcome: 'adopted' },
  ]);
  expect(await readFile(join(folder, 'to-file.yaml'), 'utf8')).toMatch(/\nclient_id: to-file\n/);
  expect(await typed(['clients', 'show', 'to-file'])).toMatchObject({ owner: 'team' });
  await refused(3, [...exporting, '--client', 'unknown']);
  await refused(1, ['clients', 'export', folder, '--owner', 'others', '--client', 'to-file']);
  await typed(['clients', 'delete', 'to-file', 'to-other-file', '--yes']);
});

it('records the operator in audit events', async () => {
  const events = await stack.events();
  expect(events).toContain('operator:cli client.registered client:tool');
  expect(events.filter((event) => event.startsWith('operator:jane client.registered'))).toHaveLength(1);
  const actions = events.filter((event) => event.startsWith('operator:')).map((event) => event.split(' ')[1]);
  expect([...new Set(actions)].toSorted()).toEqual([
    'client.adopted',
    'client.approved',
    'client.blocked',
    'client.deleted',
    'client.pruned',
    'client.registered',
    'client.registration_token_rotated',
    'client.rejected',
    'client.resumed',
    'client.secret_rotated',
    'client.suspended',
    'client.updated',
    'client_block.added',
    'client_block.removed',
  ]);
});

everyCommandWasRun('clients', () => stack);
