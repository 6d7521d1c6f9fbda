import type { Client } from '@vestibule/clients';
import { type ClientId, epochSeconds } from '@vestibule/protocol';
import { describe, expect, it } from 'vitest';
import type { CredentialRequest } from '../credential-request.js';
import { grantIntrospection } from '../introspection-caller.js';
import { clientFixture, ISSUER, SECRET } from '../testing/client-fixture.js';
import { controlledClientWatch } from '../testing/controlled-client-watch.js';
import { authenticationCache } from './authentication-cache.js';

const basic = (id = 'rs1', secret = SECRET): CredentialRequest => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
  form: {},
});
const post = (id = 'rs1', secret = SECRET): CredentialRequest => ({
  form: { client_id: id, client_secret: secret },
});

/** A fixture with an authentication cache, whose invalidation stream the test controls. */
async function createCacheFixture(deviation: { readonly secretOverlapSeconds?: number } = {}) {
  const fixture = { ...(await clientFixture()), ...deviation };
  const { watch, invalidate, disconnect } = controlledClientWatch();
  const cache = authenticationCache({
    auth: fixture,
    watch,
    grant: (client: Client) => grantIntrospection(client, ISSUER),
  });
  return {
    ...fixture,
    cache,
    invalidate,
    disconnect,
  };
}

describe('authenticationCache', () => {
  it('recognizes an authenticated caller by exactly the same secret and nothing else', async () => {
    const { cache, register } = await createCacheFixture();
    register();
    expect(cache.known(basic())).toBeUndefined();
    const caller = await cache.identify(basic());
    expect(cache.known(basic())).toBe(caller);
    const others = [
      basic('rs1', `${SECRET} `),
      basic('rs2'),
      post(),
      { form: {} },
      { form: { client_id: 'rs1' } },
    ];
    for (const other of others) expect(cache.known(other)).toBeUndefined();
  });

  it('recognizes a caller by form parameters too', async () => {
    const { cache, register } = await createCacheFixture();
    register({}, { token_endpoint_auth_method: 'client_secret_post' });
    const caller = await cache.identify(post());
    expect(cache.known(post())).toBe(caller);
    for (const other of [basic(), post('rs', `1${SECRET}`), post('rs1', '')])
      expect(cache.known(other)).toBeUndefined();
  });

  it('checks requests by the full rules if they carry more than the secret, or name another client', async () => {
    const { cache, register } = await createCacheFixture();
    register();
    await cache.identify(basic());
    expect(cache.known({ ...basic(), form: { client_id: 'rs1' } })).toBeDefined();
    const contradictions = [
      { client_id: 'rs2' },
      { client_secret: SECRET },
      { client_assertion: 'a' },
      { client_assertion_type: 'a' },
    ];
    for (const form of contradictions) {
      expect(cache.known({ ...basic(), form })).toBeUndefined();
      await expect(cache.identify({ ...basic(), form })).rejects.toMatchObject({ code: 'invalid_request' });
    }
  });

  it('discards a caller when its client changes, and uses no entry while the invalidation stream is down', async () => {
    const { cache, register, invalidate, disconnect } = await createCacheFixture();
    register();
    await cache.identify(basic());
    invalidate();
    expect(cache.known(basic())).toBeUndefined();
    await cache.identify(basic());
    expect(cache.known(basic())).toBeDefined();
    disconnect();
    expect(cache.known(basic())).toBeUndefined();
  });

  it('does not cache a client that changed while it was read', async () => {
    const { cache, register, clients, invalidate } = await createCacheFixture();
    register();
    const { find } = clients;
    clients.find = async (id) => {
      const client = await find(id);
      invalidate();
      return client;
    };
    await cache.identify(basic());
    expect(cache.known(basic())).toBeUndefined();
  });

  it('checks the expiry of secret and client at each call', async () => {
    for (const expiring of ['secret', 'client'] as const) {
      const { cache, register, clock, now, digester } = await createCacheFixture();
      const expiresAt = epochSeconds(now + 60);
      const secret = { digest: digester.digest('client-secret', SECRET), encrypted: '', expiresAt };
      register(expiring === 'secret' ? { secret } : { expiresAt });
      await cache.identify(basic());
      clock.advanceSeconds(59);
      expect(cache.known(basic())).toBeDefined();
      clock.advanceSeconds(1);
      expect(cache.known(basic())).toBeUndefined();
    }
  });

  it('caches neither failures nor clients without the granted scope', async () => {
    const { cache, register } = await createCacheFixture();
    register({}, { scope: 'read' });
    await expect(cache.identify(basic())).rejects.toMatchObject({ code: 'access_denied' });
    register();
    await expect(cache.identify(basic('rs1', 'wrong'))).rejects.toMatchObject({ code: 'invalid_client' });
    await expect(cache.identify(basic('unknown-id'))).rejects.toMatchObject({ code: 'invalid_client' });
    expect(cache.size).toBe(0);
  });

  it('never caches a replaced secret, even while it still authenticates', async () => {
    const { cache, register, previous, digester, now } = await createCacheFixture({
      secretOverlapSeconds: 60,
    });
    register();
    previous.push({
      digest: digester.digest('client-secret', 'before'),
      encrypted: '',
      authenticatesUntil: epochSeconds(now + 60),
      keptUntil: epochSeconds(now + 60),
    });
    await cache.identify(basic('rs1', 'before'));
    expect(cache.known(basic('rs1', 'before'))).toBeUndefined();
    await cache.identify(basic());
    expect(cache.known(basic())).toBeDefined();
  });

  it('holds at most the configured number of callers, and no secret', async () => {
    const { cache, register } = await createCacheFixture();
    for (let index = 0; index < 2_100; index += 1) {
      register({ id: `rs${index}` as ClientId });
      await cache.identify(basic(`rs${index}`));
    }
    // A full map evicts a part of its entries at a time.
    expect(cache.size).toBeLessThanOrEqual(2_000);
    expect(cache.size).toBeGreaterThan(1_980);
    expect(cache.known(basic('rs0'))).toBeUndefined();
    expect(cache.known(basic('rs2099'))).toBeDefined();
  });
});
