import { describe, expect, it } from 'vitest';
import { operatorActor } from '../audit-actor.js';
import { parseClientOwner } from '../client-owner.js';
import { type RegistrationFixture, registrationFixture } from '../testing/registration-fixture.js';
import { adoptClient, applyClient } from './apply-client.js';
import { type DeclaredClient, readDeclaredClient } from './declared-client.js';
import { type ClientChange, evaluateClient, type FileAuthority } from './evaluate-client.js';
import { deleteOwnedClient } from './prune-owned.js';

const OPERATOR = operatorActor('jane');

function ownerOf(name: string) {
  const owner = parseClientOwner(name);
  if (owner === undefined) throw new TypeError(name);
  return owner;
}

const AUTHORITY: FileAuthority = { owner: ownerOf('shop'), operator: OPERATOR, adopts: false };

function declared(members: object = {}): DeclaredClient {
  const value = { client_id: 'web', redirect_uris: ['https://web.example.org/cb'], ...members };
  const read = readDeclaredClient(value);
  if ('problems' in read) throw new TypeError(JSON.stringify(read.problems));
  return read.client;
}

async function changeOf(
  { deps }: RegistrationFixture,
  client: DeclaredClient,
  authority = AUTHORITY,
): Promise<ClientChange> {
  const plan = await evaluateClient(deps, client, authority);
  if (plan.action === 'none' || plan.action === 'problem') throw new TypeError(plan.action);
  return plan;
}

async function apply(fixture: RegistrationFixture, client: DeclaredClient, authority = AUTHORITY) {
  const change = await changeOf(fixture, client, authority);
  return applyClient(fixture.deps, client, { change, authority });
}

describe('applying a declared client', () => {
  it('creates it with a secret to hand over, and then needs no change but the delivery', async () => {
    const fixture = await registrationFixture();
    const client = declared();
    const { action, delivery } = await apply(fixture, client);
    expect([action, delivery?.id, delivery?.version]).toEqual(['create', 'web', 1]);
    expect(await evaluateClient(fixture.deps, client, AUTHORITY)).toMatchObject({ action: 'deliver_secret' });
    expect((await apply(fixture, client)).delivery).toEqual(delivery);
    await fixture.change('web', ({ ownership, ...rest }) => ({
      ...rest,
      ...(ownership && { ownership: { ...ownership, isSecretUndelivered: false } }),
    }));
    expect(await evaluateClient(fixture.deps, client, AUTHORITY)).toEqual({ action: 'none' });
  });

  it('lists the members that an update changes, and keeps the credentials', async () => {
    const fixture = await registrationFixture();
    await apply(fixture, declared({ client_name: 'Before', data: { a: 1 } }));
    const before = await fixture.find('web');
    const change = await changeOf(fixture, declared({ client_name: 'After', contacts: ['ops@example.org'] }));
    expect(change).toMatchObject({
      action: 'update',
      members: [
        { member: 'contacts', after: ['ops@example.org'] },
        { member: 'client_name', before: 'Before', after: 'After' },
        { member: 'data', before: { a: 1 } },
      ],
    });
    await apply(fixture, declared({ client_name: 'After' }));
    const { secret, registrationToken, data } = (await fixture.find('web')) ?? {};
    expect({ secret, registrationToken, data }).toEqual({
      secret: before?.secret,
      registrationToken: before?.registrationToken,
      data: undefined,
    });
  });

  it('hands over the secret that an update issues', async () => {
    const fixture = await registrationFixture();
    await apply(fixture, declared({ token_endpoint_auth_method: 'none' }));
    expect((await fixture.find('web'))?.ownership).toEqual({ owner: 'shop', isSecretUndelivered: false });
    expect(await changeOf(fixture, declared())).toMatchObject({ action: 'update', deliversSecret: true });
    const { delivery } = await apply(fixture, declared());
    const { secret, ownership } = (await fixture.find('web')) ?? {};
    expect(
      fixture.deps.digester.matches(
        'client-secret',
        delivery?.secret ?? '',
        ...(secret ? [secret.digest] : []),
      ),
    ).toBe(true);
    expect(ownership?.isSecretUndelivered).toBe(true);
    // The operator makes it public by hand: there is nothing to hand over any more.
    await fixture.change('web', ({ secret: _, ...rest }) => rest);
    expect(await evaluateClient(fixture.deps, declared(), AUTHORITY)).toEqual({ action: 'none' });
  });

  it('decides again if the client was changed, created or deleted in between', async () => {
    const fixture = await registrationFixture();
    const client = declared({ client_name: 'Declared' });
    const creation = await changeOf(fixture, client);
    await apply(fixture, client);
    expect((await applyClient(fixture.deps, client, { change: creation, authority: AUTHORITY })).action).toBe(
      'deliver_secret',
    );
    await fixture.change('web', (found) => ({
      ...found,
      metadata: { ...found.metadata, client_name: 'By hand' },
    }));
    const update = await changeOf(fixture, client);
    await fixture.change('web', (found) => ({
      ...found,
      metadata: { ...found.metadata, client_name: 'Again' },
    }));
    await applyClient(fixture.deps, client, { change: update, authority: AUTHORITY });
    expect((await fixture.find('web'))?.metadata.client_name).toBe('Declared');
    await fixture.change('web', (found) => ({
      ...found,
      metadata: { ...found.metadata, client_name: 'Third' },
    }));
    const last = await changeOf(fixture, client);
    expect(await deleteOwnedClient(fixture.deps, client.id, AUTHORITY)).toBe(true);
    expect((await applyClient(fixture.deps, client, { change: last, authority: AUTHORITY })).action).toBe(
      'create',
    );
  });

  it('needs no document that an unchanged client refers to', async () => {
    const fixture = await registrationFixture();
    const client = declared({
      subject_type: 'pairwise',
      sector_identifier_uri: 'https://web.example.org/sector',
    });
    const sectorIdentifiers = { read: async () => ['https://web.example.org/cb'] };
    const reachable = { ...fixture, deps: { ...fixture.deps, sectorIdentifiers } };
    await apply(reachable, client);
    expect(await evaluateClient(fixture.deps, client, AUTHORITY)).toMatchObject({ action: 'deliver_secret' });
    expect(
      await evaluateClient(
        fixture.deps,
        { ...client, members: { ...client.members, client_name: 'x' } },
        AUTHORITY,
      ),
    ).toEqual({
      action: 'problem',
      problem: { member: 'sector_identifier_uri', problem: 'is not supported' },
    });
  });
});

describe('ownership', () => {
  it('is taken only of clients without an owner, and on request', async () => {
    const fixture = await registrationFixture();
    await fixture.register(
      { preferred_client_id: 'web', redirect_uris: ['https://web.example.org/cb'] },
      'master-token-of-the-tests-0123456789abcdef',
    );
    const refused = { action: 'problem', problem: { member: 'client_id', problem: expect.any(String) } };
    expect(await evaluateClient(fixture.deps, declared(), AUTHORITY)).toEqual(refused);
    const before = await fixture.find('web');
    expect(await apply(fixture, declared(), { ...AUTHORITY, adopts: true })).toEqual({ action: 'adopt' });
    expect(await fixture.find('web')).toEqual({
      ...before,
      version: 2,
      ownership: { owner: 'shop', isSecretUndelivered: false },
    });
    const other = { ...AUTHORITY, owner: ownerOf('other'), adopts: true };
    expect(await evaluateClient(fixture.deps, declared(), other)).toEqual(refused);
    expect(await deleteOwnedClient(fixture.deps, declared().id, other)).toBe(false);
  });

  it('is not taken of a client that has changed since it was read', async () => {
    const fixture = await registrationFixture();
    await apply(fixture, declared());
    const found = await fixture.find('web');
    if (found === undefined) throw new TypeError('no client');
    await fixture.change('web', (client) => client);
    expect(await adoptClient(fixture.deps, found, AUTHORITY)).toBe(false);
  });

  it('stays with the client through its own updates', async () => {
    const fixture = await registrationFixture();
    await apply(fixture, declared());
    await fixture.change('web', (client) => ({ ...client, status: 'suspended' }));
    expect((await fixture.find('web'))?.ownership?.owner).toBe('shop');
  });
});

it.each(['', ' a', 'a b', '-a', 'ä', 'a'.repeat(65)])('refuses the owner %j', (text) => {
  expect(parseClientOwner(text)).toBeUndefined();
});
