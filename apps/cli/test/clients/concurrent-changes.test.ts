import { parseClientId } from '@vestibule/protocol';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startInstallation } from '../support/installation.js';

const OLD_SECRET = 'qVx0oW3mZ1rT8uYbN5cKd7LpHs2JfGaE';

let installation: Awaited<ReturnType<typeof startInstallation>>;

beforeAll(async () => {
  installation = await startInstallation();
});
afterAll(() => installation.close());

/** Creates a client as an operator. */
async function created(id: string): Promise<void> {
  const body = {
    preferred_client_id: id,
    preferred_client_secret: OLD_SECRET,
    redirect_uris: ['https://app.example.org/cb'],
    client_name: 'Before',
    data: { tier: 'gold' },
  };
  const { code } = await installation.type(['clients', 'create', '-'], JSON.stringify(body));
  expect(code).toBe(0);
}

const stored = async (id: string) => {
  const clientId = parseClientId(id);
  const client = clientId && (await installation.store.database.clients.find(clientId));
  if (client === undefined) throw new Error('no such client');
  return client;
};

const isSecretOf = async (id: string, value: string) => {
  const { secret } = await stored(id);
  return secret !== undefined && installation.store.digester.matches('client-secret', value, secret.digest);
};

/** Runs a command that reads the client, and renames the client before the command changes it. */
async function typedWhileRenamed(id: string, args: readonly string[]) {
  const other = new pg.Client(installation.environment.DATABASE_URL);
  await other.connect();
  try {
    await other.query('BEGIN');
    await other.query('SELECT 1 FROM client WHERE id = $1 FOR UPDATE', [id]);
    const typed = installation.type(args);
    await expect.poll(() => waitingStatements(other), { timeout: 60_000 }).toBe(1);
    await other.query(
      `UPDATE client SET version = version + 1, metadata = metadata || '{"client_name":"Other"}' WHERE id = $1`,
      [id],
    );
    await other.query('COMMIT');
    return await typed;
  } finally {
    await other.end();
  }
}

async function waitingStatements(client: pg.Client): Promise<number> {
  // Otherwise a transaction reads the statistics only once.
  await client.query('SELECT pg_stat_clear_snapshot()');
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows[0]?.count ?? 0;
}

it('rotate-secret keeps concurrent changes', async () => {
  await created('rotated');
  const { registrationToken, metadata } = await stored('rotated');
  const { code, stdout } = await typedWhileRenamed('rotated', [
    ...['clients', 'rotate-secret', 'rotated', '--json'],
  ]);
  expect(code).toBe(0);
  const { client_secret, ...shown } = JSON.parse(stdout);
  expect(shown).toEqual({ client_id: 'rotated', client_secret_expires_at: 0 });
  expect(await isSecretOf('rotated', client_secret)).toBe(true);
  expect(await stored('rotated')).toMatchObject({
    metadata: { ...metadata, client_name: 'Other' },
    data: { tier: 'gold' },
    registrationToken,
  });
  expect((await installation.events()).at(-1)).toBe('operator:cli client.secret_rotated client:rotated');
});

// A leaked secret must be replaceable, even if the metadata is no longer valid.
it('rotate-secret works on a client whose metadata is no longer valid', async () => {
  await created('unreachable');
  const client = await stored('unreachable');
  const metadata = {
    ...client.metadata,
    subject_type: 'pairwise' as const,
    sector_identifier_uri: 'https://gone.invalid/',
  };
  const version = client.version + 1;
  await installation.store.database.clients.replace({ client: { ...client, metadata, version } });
  const { code, stderr } = await installation.type(['clients', 'rotate-secret', 'unreachable']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(await isSecretOf('unreachable', OLD_SECRET)).toBe(false);
});

it('update --set changes only the given members and keeps concurrent changes', async () => {
  await created('updated');
  const { code } = await typedWhileRenamed('updated', [
    ...['clients', 'update', 'updated', '--set', 'client_uri=https://app.example.org/'],
  ]);
  expect(code).toBe(0);
  expect(await stored('updated')).toMatchObject({
    metadata: { client_name: 'Other', client_uri: 'https://app.example.org/' },
    data: { tier: 'gold' },
  });
  expect(await isSecretOf('updated', OLD_SECRET)).toBe(true);
});
