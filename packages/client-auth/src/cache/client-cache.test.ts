import type { Client } from '@vestibule/clients';
import { type ClientId, epochSeconds } from '@vestibule/protocol';
import { describe, expect, it } from 'vitest';
import { authenticateAndGrant } from '../authenticate-client.js';
import { authorizeByBearer } from '../bearer/authorize-by-bearer.js';
import type { ClientAuthDeps } from '../client-auth-deps.js';
import type { CredentialRequest } from '../credential-request.js';
import { grantIntrospection } from '../introspection-caller.js';
import { assertionFixture, assertionRequest } from '../testing/assertion-fixture.js';
import { clientFixture, ISSUER, SECRET } from '../testing/client-fixture.js';
import { controlledClientWatch } from '../testing/controlled-client-watch.js';
import { cachedClients } from './client-cache.js';

const RS1 = 'rs1' as ClientId;
const REFUSED = { code: 'invalid_client' };

const basic = (id = 'rs1', secret = SECRET): CredentialRequest => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
  form: {},
});

/** Client authentication with a client cache. Only the test sends invalidation events. */
function withClientCache(fixture: ClientAuthDeps) {
  let [lookups, comparisons] = [0, 0];
  let storeFails = false;
  const { watch, invalidate, disconnect } = controlledClientWatch();
  const find = async (id: ClientId) => {
    lookups += 1;
    if (storeFails) throw new Error('store down');
    return fixture.clients.find(id);
  };
  const { digester } = fixture;
  const matchesAvailable: typeof digester.matches = (kind, value, ...stored) => {
    comparisons += 1;
    return digester.matchesAvailable(kind, value, ...stored);
  };
  const deps = {
    ...fixture,
    digester: { ...digester, matchesAvailable },
    clients: { ...fixture.clients, find },
    clientReader: cachedClients({ find }, watch),
  };
  const grant = (client: Client) => grantIntrospection(client, ISSUER);
  return {
    deps,
    identify: (request: CredentialRequest) => authenticateAndGrant(deps, request, grant),
    work: () => ({ lookups, comparisons }),
    invalidate,
    disconnect,
    failStore: () => {
      storeFails = true;
    },
  };
}

describe('cached clients', () => {
  it('are read once until they change', async () => {
    const fixture = await clientFixture();
    const { identify, work, invalidate } = withClientCache(fixture);
    const client = fixture.register();
    for (let round = 0; round < 3; round += 1) expect((await identify(basic())).client).toBe(client);
    expect(work().lookups).toBe(1);
    const changed = fixture.register();
    invalidate();
    expect((await identify(basic())).client).toBe(changed);
    expect(work().lookups).toBe(2);
  });

  it('are accepted with their current credentials even before the invalidation event', async () => {
    const fixture = await clientFixture();
    const digest = fixture.digester.digest('client-secret', 'another secret');
    const changes: readonly (() => Client)[] = [
      () => fixture.register({ secret: { digest, encrypted: '' } }),
      () => fixture.register({}, { token_endpoint_auth_method: 'client_secret_post' }),
      () => fixture.register({}, { scope: 'read' }),
      () => fixture.register({ status: 'pending' }),
      () => fixture.register({ expiresAt: epochSeconds(fixture.now) }),
    ];
    for (const change of changes) {
      const { identify } = withClientCache(fixture);
      change();
      await expect(identify(basic())).rejects.toThrow();
      const changed = fixture.register();
      expect((await identify(basic())).client).toBe(changed);
    }
  });

  it('are refused only after the store was read, by the same steps whether they are unknown, cached or not cached', async () => {
    const fixture = await clientFixture();
    const { identify, work, disconnect } = withClientCache(fixture);
    fixture.register();
    fixture.register({ id: 'rs2' as ClientId });
    fixture.register({ id: 'rs3' as ClientId, status: 'pending' });
    await identify(basic());
    await expect(identify(basic('rs3'))).rejects.toMatchObject(REFUSED);
    const workFor = async (request: CredentialRequest) => {
      const before = work();
      await expect(identify(request)).rejects.toMatchObject(REFUSED);
      const { lookups, comparisons } = work();
      return { lookups: lookups - before.lookups, comparisons: comparisons - before.comparisons };
    };
    const attempts = [basic('rs1', 'wrong'), basic('rs2', 'wrong'), basic('rs3'), basic('unknown', 'wrong')];
    for (const attempt of attempts) expect(await workFor(attempt)).toEqual({ lookups: 1, comparisons: 2 });
    disconnect();
    for (const attempt of attempts) expect(await workFor(attempt)).toEqual({ lookups: 1, comparisons: 2 });
  });

  // A cached entry would be verified again, against a hash that another process may have replaced since.
  it('are read each time while their secret is an imported hash, which is verified once', async () => {
    const fixture = await clientFixture();
    const { deps, work } = withClientCache(fixture);
    const { secret: _, ...client } = fixture.register();
    fixture.clients.find = async () => ({ ...client, secretHash: { encrypted: 'v1.hash' } });
    let verifications = 0;
    const importedSecrets = {
      isProven: async (_client: Client, presented: string) => {
        verifications += 1;
        return presented === SECRET;
      },
    };
    const identify = (request: CredentialRequest) =>
      authenticateAndGrant({ ...deps, importedSecrets }, request, (granted) =>
        grantIntrospection(granted, ISSUER),
      );
    for (let round = 1; round <= 3; round += 1) {
      await expect(identify(basic('rs1', 'wrong'))).rejects.toMatchObject(REFUSED);
      expect((await identify(basic())).client.id).toBe(RS1);
      expect({ verifications, lookups: work().lookups }).toEqual({
        verifications: 2 * round,
        lookups: 2 * round,
      });
    }
  });

  it('do not use up an assertion that the cached client does not accept', async () => {
    const fixture = await assertionFixture();
    const { identify } = withClientCache(fixture.deps);
    fixture.registerKeys({}, { status: 'pending' });
    await expect(identify(assertionRequest(await fixture.assertion()))).rejects.toMatchObject(REFUSED);
    const client = fixture.registerKeys();
    const good = assertionRequest(await fixture.assertion());
    expect((await identify(good)).client).toBe(client);
    await expect(identify(good)).rejects.toMatchObject(REFUSED);
  });

  it('are accepted by recent entries while the store fails, and never refused by them', async () => {
    const fixture = await clientFixture();
    const { identify, disconnect, failStore, invalidate } = withClientCache(fixture);
    const client = fixture.register();
    await identify(basic());
    failStore();
    const down = 'store down';
    await expect(identify(basic('rs1', 'wrong'))).rejects.toThrow(down);
    disconnect();
    expect((await identify(basic())).client).toBe(client);
    await expect(identify(basic('rs1', 'wrong'))).rejects.toThrow(down);
    await expect(identify(basic('rs2'))).rejects.toThrow(down);
    invalidate();
    await expect(identify(basic())).rejects.toThrow(down);
  });

  it('are read once more before their access token is refused', async () => {
    const fixture = await clientFixture();
    const { deps, work } = withClientCache(fixture);
    const access = { clientId: RS1, audience: [] };
    const address = `${ISSUER}/token/introspect`;
    const bearerAccess = { read: async () => ({ ...access, scope: address }) };
    const authorize = () =>
      authorizeByBearer(
        { ...deps, issuer: ISSUER, bearerAccess, operation: { method: 'POST', address } },
        { authorization: 'Bearer t', scheme: 'Bearer', token: 't', form: {} },
      );
    await expect(authorize()).rejects.toMatchObject(REFUSED);
    fixture.register({ status: 'pending' });
    await expect(authorize()).rejects.toMatchObject(REFUSED);
    const client = fixture.register();
    for (let round = 0; round < 2; round += 1) expect((await authorize()).client).toBe(client);
    expect(work().lookups).toBe(3);
  });
});
