import type { Client } from '@vestibule/clients';
import { nowSeconds, parseClientId, systemClock } from '@vestibule/protocol';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startInstallation } from '../support/installation.js';

const SECRET = 'qVx0oW3mZ1rT8uYbN5cKd7LpHs2JfGaE';

const client = (clientId: string, changes: object = {}) => ({
  clientId,
  enabled: true,
  publicClient: false,
  protocol: 'openid-connect',
  secret: SECRET,
  redirectUris: [`https://${clientId}.example.org/cb`],
  attributes: { 'client.secret.authentication.allowed.method': 'client_secret_basic' },
  ...changes,
});

const REALM = {
  realm: 'shop',
  clients: [
    client('web-shop'),
    client('single-page', { redirectUris: ['https://spa.example.org/*'] }),
    client('old-app', { secret: '**********' }),
    client('sign-on', { protocol: 'saml' }),
  ],
};

let installation: Awaited<ReturnType<typeof startInstallation>>;
let realm: string;

beforeAll(async () => {
  installation = await startInstallation();
  realm = await installation.file('realm.json', JSON.stringify(REALM));
});
afterAll(() => installation.close());

const stored = (id: string) => {
  const clientId = parseClientId(id);
  return clientId && installation.store.database.clients.find(clientId);
};

const isSecretOf = (client: Client | undefined, secret: string) =>
  client?.secret !== undefined &&
  installation.store.digester.matches('client-secret', secret, client.secret.digest);

it('reports every problem of an export in a dry run, and imports nothing', async () => {
  const { code, stdout, stderr } = await installation.type([
    ...['clients', 'import', realm, '--from', 'keycloak', '--dry-run'],
  ]);
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  expect(stdout.split('\n').map((line) => line.trimEnd())).toEqual([
    'CLIENT ID    OUTCOME      REMARK',
    'single-page  problem      redirect_uris: is required for clients with a response type',
    '                          URIs with a wildcard in redirectUris are left out: list every URI that is used.',
    'old-app      problem      Its secret cannot be kept. The export masks the secret: use kcadm get clients or kc.sh export. Use --new-secrets to issue a new one, or --skip to skip the client.',
    'sign-on      passed over  It is a client of another protocol.',
    '',
    'would be created  1',
    'would be updated  0',
    'already exist     0',
    'passed over       1',
    'problems          2',
    '',
  ]);
  expect(await stored('web-shop')).toBeUndefined();
});

it('refuses an export that can be read only once', async () => {
  expect(await installation.type(['clients', 'import', '/dev/null', '--from', 'hydra'])).toEqual({
    code: 2,
    stdout: '',
    stderr: 'vestibule: The export must be a file, not a pipe, because it is read more than once.\n',
  });
});

it('keeps identifiers and secrets, and continues an earlier import', async () => {
  const typed = ['clients', 'import', realm, '--from', 'keycloak', '--actor', 'alice'];
  expect(await installation.type(typed)).toMatchObject({ code: 1 });
  const kept = await stored('web-shop');
  expect(kept).toMatchObject({ origin: 'import' });
  expect(isSecretOf(kept, SECRET)).toBe(true);
  const again = await installation.type([...typed, '--new-secrets', '--json']);
  const [exists, problem, renewed] = JSON.parse(again.stdout);
  expect(exists).toEqual({ client_id: 'web-shop', outcome: 'exists', remarks: [] });
  expect(problem).toMatchObject({ client_id: 'single-page', outcome: 'problem' });
  expect(renewed).toMatchObject({ client_id: 'old-app', outcome: 'created', secret: 'new' });
  expect(isSecretOf(await stored('old-app'), renewed.client_secret)).toBe(true);
  expect(again.stdout).not.toContain(SECRET);
  expect(await installation.events()).toEqual([
    'operator:alice client.registered client:web-shop',
    'operator:alice client.registered client:old-app',
  ]);
});

it('reads one client per line, names invalid lines, and replaces metadata only on request', async () => {
  const lines = [
    { client_id: 'web-shop', client_name: 'Renamed', redirect_uris: ['https://web-shop.example.org/cb'] },
    { client_id: 'from-a-line', redirect_uris: ['https://line.example.org/cb'], client_secret: SECRET },
  ].map((line) => JSON.stringify(line));
  const path = await installation.file('clients.ndjson', [lines[0], '{broken', lines[1], ''].join('\n'));
  const before = await stored('web-shop');
  const { code, stdout } = await installation.type([
    ...['clients', 'import', path, '--from', 'oidc-provider', '--update', '--json'],
  ]);
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toEqual([
    { client_id: 'web-shop', outcome: 'updated', secret: 'kept', remarks: [] },
    { outcome: 'problem', remarks: ['Line 2: The text is not valid JSON.'] },
    { client_id: 'from-a-line', outcome: 'created', secret: 'kept', remarks: [] },
  ]);
  const after = await stored('web-shop');
  expect(after?.metadata['client_name']).toBe('Renamed');
  expect(after?.secret).toEqual(before?.secret);
});

it('shows the new secret of an existing client without one, and issues one only on request', async () => {
  const entry = { client_id: 'was-public', redirect_uris: ['https://public.example.org/cb'] };
  const importing = async (changes: object, ...options: string[]) => {
    const path = await installation.file('public.json', JSON.stringify({ ...entry, ...changes }));
    return installation.type(['clients', 'import', path, '--from', 'oidc-provider', '--json', ...options]);
  };
  await importing({ token_endpoint_auth_method: 'none' });
  const refused = await importing({}, '--update');
  expect(refused.code).toBe(1);
  expect(JSON.parse(refused.stdout)).toEqual([
    {
      client_id: 'was-public',
      outcome: 'problem',
      remarks: [
        'Line 1: Its secret cannot be kept. The export has no secret. Use --new-secrets to issue a new one, or --skip to skip the client.',
      ],
    },
  ]);
  const [updated] = JSON.parse((await importing({}, '--update', '--new-secrets')).stdout);
  expect(updated).toMatchObject({
    outcome: 'updated',
    secret: 'new',
    remarks: ['Its secret cannot be kept: a new one is issued.'],
  });
  expect(isSecretOf(await stored('was-public'), updated.client_secret)).toBe(true);
});

it('reports in a dry run what happens to a duplicate client', async () => {
  const twice = [
    { client_id: 'twice', redirect_uris: ['https://twice.example.org/cb'], client_secret: SECRET },
    { client_id: 'twice', redirect_uris: ['https://twice.example.org/other'], client_secret: `${SECRET}2` },
    { client_id: 'once', redirect_uris: ['https://once.example.org/cb'], client_secret: SECRET },
  ];
  const path = await installation.file('twice.json', JSON.stringify(twice));
  const importing = async (...options: string[]) => {
    const typed = ['clients', 'import', path, '--from', 'oidc-provider', '--json', ...options];
    return JSON.parse((await installation.type(typed)).stdout);
  };
  const expected = [
    { client_id: 'twice', outcome: 'created', secret: 'kept', remarks: [] },
    { client_id: 'twice', outcome: 'exists', remarks: [] },
    { client_id: 'once', outcome: 'created', secret: 'kept', remarks: [] },
  ];
  expect(await importing('--dry-run')).toEqual(expected);
  const updated = {
    client_id: 'twice',
    outcome: 'updated',
    secret: 'kept',
    remarks: ['The export has another secret; the existing one stays.'],
  };
  expect(await importing('--dry-run', '--update')).toEqual([expected[0], updated, expected[2]]);
  expect(await stored('twice')).toBeUndefined();
  expect(await importing()).toEqual(expected);
});

it('imports no blocked client, and says so in a dry run', async () => {
  const file = await installation.file('blocked.json', JSON.stringify({ clients: [client('bad-shop')] }));
  const change = { actor: 'operator:jane', now: nowSeconds(systemClock) } as const;
  const { clientBlocks } = installation.store.database;
  await clientBlocks.add([{ kind: 'host', value: 'bad-shop.example.org' }], undefined, change);
  for (const options of [['--dry-run'], []]) {
    const line = ['clients', 'import', file, '--from', 'keycloak', ...options];
    const { code, stdout } = await installation.type(line);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^bad-shop +problem +The operator of this server has blocked this client\./m);
  }
  expect(await stored('bad-shop')).toBeUndefined();
});
