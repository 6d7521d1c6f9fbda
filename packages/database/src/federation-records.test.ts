import type { Client, FederationMembership } from '@vestibule/clients';
import type { StoredSigningKey } from '@vestibule/crypto/signing-keys';
import { expect, it } from 'vitest';
import { FEDERATION_STATEMENTS } from './federation-records.js';
import { aClient, after, anId, NOW, twoProcesses } from './testing/fixtures.js';
import { query } from './testing/test-database.js';

const CHANGE = { actor: 'operator:jane', now: NOW } as const;

it('applies a denied entity in every process at once, and records the operator', async () => {
  const { one, other } = await twoProcesses();
  expect(await other.federation.controls()).toEqual({ denied: new Set(), purges: 0 });
  await one.federation.deny({ entityId: 'https://b.example', reason: 'keys stolen' }, CHANGE);
  await one.federation.deny({ entityId: 'https://a.example' }, CHANGE);
  expect((await other.federation.controls()).denied).toEqual(
    new Set(['https://a.example', 'https://b.example']),
  );
  expect(await other.federation.denied()).toStrictEqual([
    { entityId: 'https://a.example', deniedAt: NOW },
    { entityId: 'https://b.example', deniedAt: NOW, reason: 'keys stolen' },
  ]);
  expect(await one.federation.allow('https://a.example', CHANGE)).toBe(true);
  expect(await one.federation.allow('https://a.example', CHANGE)).toBe(false);
  expect((await other.federation.controls()).denied).toEqual(new Set(['https://b.example']));
  const events = [];
  for await (const event of one.auditEvents()) events.push(`${event.actor} ${event.action} ${event.target}`);
  expect(events).toEqual([
    'operator:jane federation.entity_denied entity:https://b.example',
    'operator:jane federation.entity_denied entity:https://a.example',
    'operator:jane federation.entity_allowed entity:https://a.example',
  ]);
});

it('counts purges of cached statements, even parallel ones', async () => {
  const { one, other } = await twoProcesses();
  await Promise.all([one, other, one, other].map(({ federation }) => federation.purgeStatements(CHANGE)));
  expect((await one.federation.controls()).purges).toBe(4);
});

it('finds the clients whose trust chain contains an entity in any position', async () => {
  const { one } = await twoProcesses();
  const federation = (changes: Partial<FederationMembership> = {}): FederationMembership => ({
    entityId: 'https://rp.example',
    trustAnchor: 'https://anchor.example',
    superior: 'https://low.example',
    chainExpiresAt: after(60),
    statementIssuedAt: NOW,
    isAddressed: true,
    ...changes,
  });
  const chainEntities = [
    'https://rp.example',
    'https://low.example',
    'https://mid.example',
    'https://anchor.example',
  ];
  await one.clients.create(aClient({ id: anId('new'), federation: federation({ chainEntities }) }));
  // A row of an earlier version, which does not contain the whole chain.
  await one.clients.create(
    aClient({ id: anId('old'), federation: federation({ entityId: 'https://old.example' }) }),
  );
  await one.clients.create(aClient({ id: anId('https://mid.example') }));
  expect((await one.clients.find(anId('new')))?.federation).toStrictEqual(federation({ chainEntities }));
  const through = (entity: string) => one.federation.clientsThrough(entity);
  expect(await through('https://rp.example')).toEqual(['new']);
  expect(await through('https://mid.example')).toEqual(['new']);
  for (const entity of ['https://low.example', 'https://anchor.example'])
    expect(await through(entity)).toEqual(['new', 'old']);
  expect(await through('https://other.example')).toEqual([]);
  const some = (atMost: number) => one.federation.clientsThrough('https://anchor.example', atMost);
  expect(['new', 'old']).toEqual(expect.arrayContaining([...(await some(1))]));
  expect(await some(1)).toHaveLength(1);
  expect((await some(2)).toSorted()).toEqual(['new', 'old']);
  expect((await some(3)).toSorted()).toEqual(['new', 'old']);
});

/** Many registered entities of one trust anchor, each with its own superior. */
const MEMBERS = `
  INSERT INTO client (id, metadata, rights, issued_at, updated_at, origin, entity_id, trust_anchor, superior,
    chain_entities, chain_expires_at, statement_issued_at)
  SELECT 'c' || n, '{}', '', now(), now(), 'federation_explicit', 'https://c' || n || '.example', 'https://anchor.example',
    'https://low' || n || '.example', concat_ws(' ', 'https://c' || n || '.example', 'https://low' || n || '.example',
    'https://mid' || n / 10 || '.example', 'https://anchor.example'), now(), now()
  FROM generate_series(1, 20000) n`;

// Otherwise the page of a denial would read all clients.
it('finds the clients of an entity by an index, unless every client is one', async () => {
  const { url, one } = await twoProcesses();
  await query(url, MEMBERS);
  await query(url, 'VACUUM ANALYZE client');
  const { clientsThrough, someClientsThrough } = FEDERATION_STATEMENTS;
  for (const { text, values } of [
    { text: clientsThrough.text, values: [] },
    { text: someClientsThrough.text, values: [1_001] },
  ])
    for (const entity of [
      'https://c7.example',
      'https://low7.example',
      'https://mid7.example',
      'https://0.example',
    ]) {
      const lines = await query<{ 'QUERY PLAN': string }>(url, `EXPLAIN ${text}`, [entity, ...values]);
      expect(JSON.stringify(lines), entity).toContain('client_chain_entities_idx');
    }
  expect(await one.federation.clientsThrough('https://mid7.example', 1_001)).toHaveLength(10);
  expect(await one.federation.clientsThrough('https://anchor.example', 1_001)).toHaveLength(1_001);
});

it('keeps the public part of used federation keys, before and after the clean-up', async () => {
  const { one } = await twoProcesses();
  const key = (kid: string, changes: Partial<StoredSigningKey> = {}): StoredSigningKey => ({
    kid,
    keySet: 'federation',
    use: 'sig',
    algorithm: 'RS256',
    state: 'retired',
    publicJwk: { kty: 'RSA', kid, n: 'n', e: 'AQAB' },
    privateJwkEncrypted: 'v1.sealed',
    createdAt: after(-100),
    activatedAt: after(-90),
    retiredAt: after(-20),
    expiresAt: after(-10),
    ...changes,
  });
  await one.signingKeys.insert(key('past'));
  await one.signingKeys.insert(key('published', { createdAt: after(-80), expiresAt: after(10) }));
  await one.signingKeys.insert(key('lasting', { state: 'active' }));
  const { activatedAt: _never, ...unused } = key('unused');
  await one.signingKeys.insert(unused);
  await one.signingKeys.insert(key('provider', { keySet: 'provider' }));
  const past = {
    publicJwk: { kty: 'RSA', kid: 'past', n: 'n', e: 'AQAB' },
    createdAt: after(-100),
    expiresAt: after(-10),
  };
  expect(await one.federation.historicalKeys(NOW)).toStrictEqual([past]);
  await one.cleanUp({ now: NOW });
  expect(await one.federation.historicalKeys(NOW)).toStrictEqual([past]);
  await one.cleanUp({ now: after(20) });
  expect((await one.federation.historicalKeys(after(20))).map(({ publicJwk }) => publicJwk['kid'])).toEqual([
    'past',
    'published',
  ]);
});

it('lists registered entities in pages, in the order of their identifiers', async () => {
  const { one } = await twoProcesses();
  for (const name of ['c', 'a', 'b'])
    await one.clients.create(
      aClient({
        id: anId(name),
        status: name === 'b' ? 'suspended' : 'active',
        metadata: (name === 'a' ? { client_name: 'x'.repeat(300) } : {}) as Client['metadata'],
        federation: {
          entityId: `https://${name}.example`,
          trustAnchor: 'https://anchor.example',
          superior: 'https://low.example',
          chainExpiresAt: after(60),
          statementIssuedAt: NOW,
          isAddressed: true,
        },
      }),
    );
  await one.clients.create(aClient({ id: anId('https://0.example') }));
  const member = (name: string) => ({
    clientId: name,
    entityId: `https://${name}.example`,
    trustAnchor: 'https://anchor.example',
    superior: 'https://low.example',
    chainExpiresAt: after(60),
    isActive: true,
  });
  const first = await one.federation.members({ limit: 2 });
  expect(first).toStrictEqual([
    { ...member('a'), name: 'x'.repeat(200) },
    { ...member('b'), isActive: false },
  ]);
  expect(await one.federation.members({ after: 'https://b.example', limit: 2 })).toStrictEqual([member('c')]);
});
