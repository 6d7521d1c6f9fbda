import type { Client } from '@vestibule/clients';
import { type ClientId, epochSeconds } from '@vestibule/protocol';
import { describe, expect, it } from 'vitest';
import type { CredentialRequest } from '../credential-request.js';
import { grantIntrospection } from '../introspection-caller.js';
import { clientFixture, ISSUER, SECRET } from '../testing/client-fixture.js';
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
  let version = 0;
  let isTold = true;
  const watch = {
    start: () => {
      const seen = version;
      const isSame = () => seen === version;
      return () => ({ stillHold: () => isTold && isSame(), heldLately: isSame });
    },
    orStaleFallback: <Result>(read: Promise<Result>, staleFallback: () => Result | undefined) =>
      read.catch((error: unknown) => {
        const result = staleFallback();
        if (result === undefined) throw error;
        return result;
      }),
  };
  const memory = authenticationCache({
    auth: fixture,
    watch,
    grant: (client: Client) => grantIntrospection(client, ISSUER),
  });
  return {
    ...fixture,
    memory,
    announceChange: () => {
      version += 1;
    },
    silence: () => {
      isTold = false;
    },
  };
}

describe('authenticationCache', () => {
  it('recognizes an authenticated caller by exactly the same secret and nothing else', async () => {
    const { memory, register } = await createCacheFixture();
    register();
    expect(memory.known(basic())).toBeUndefined();
    const caller = await memory.identify(basic());
    expect(memory.known(basic())).toBe(caller);
    const others = [
      basic('rs1', `${SECRET} `),
      basic('rs2'),
      post(),
      { form: {} },
      { form: { client_id: 'rs1' } },
    ];
    for (const other of others) expect(memory.known(other)).toBeUndefined();
  });

  it('recognizes a caller by form parameters too', async () => {
    const { memory, register } = await createCacheFixture();
    register({}, { token_endpoint_auth_method: 'client_secret_post' });
    const caller = await memory.identify(post());
    expect(memory.known(post())).toBe(caller);
    for (const other of [basic(), post('rs', `1${SECRET}`), post('rs1', '')])
      expect(memory.known(other)).toBeUndefined();
  });

  it('checks requests by the full rules if they carry more than the secret, or name another client', async () => {
    const { memory, register } = await createCacheFixture();
    register();
    await memory.identify(basic());
    expect(memory.known({ ...basic(), form: { client_id: 'rs1' } })).toBeDefined();
    const contradictions = [
      { client_id: 'rs2' },
      { client_secret: SECRET },
      { client_assertion: 'a' },
      { client_assertion_type: 'a' },
    ];
    for (const form of contradictions) {
      expect(memory.known({ ...basic(), form })).toBeUndefined();
      await expect(memory.identify({ ...basic(), form })).rejects.toMatchObject({ code: 'invalid_request' });
    }
  });

  it('discards a caller when its client changes, and uses no entry while the invalidation stream is down', async () => {
    const { memory, register, announceChange, silence } = await createCacheFixture();
    register();
    await memory.identify(basic());
    announceChange();
    expect(memory.known(basic())).toBeUndefined();
    await memory.identify(basic());
    expect(memory.known(basic())).toBeDefined();
    silence();
    expect(memory.known(basic())).toBeUndefined();
  });

  it('does not cache a client that changed while it was read', async () => {
    const { memory, register, clients, announceChange } = await createCacheFixture();
    register();
    const { find } = clients;
    clients.find = async (id) => {
      const client = await find(id);
      announceChange();
      return client;
    };
    await memory.identify(basic());
    expect(memory.known(basic())).toBeUndefined();
  });

  it('checks the expiry of secret and client at each call', async () => {
    for (const expiring of ['secret', 'client'] as const) {
      const { memory, register, clock, now, digester } = await createCacheFixture();
      const expiresAt = epochSeconds(now + 60);
      const secret = { digest: digester.digest('client-secret', SECRET), encrypted: '', expiresAt };
      register(expiring === 'secret' ? { secret } : { expiresAt });
      await memory.identify(basic());
      clock.advanceSeconds(59);
      expect(memory.known(basic())).toBeDefined();
      clock.advanceSeconds(1);
      expect(memory.known(basic())).toBeUndefined();
    }
  });

  it('caches neither failures nor clients without the granted scope', async () => {
    const { memory, register } = await createCacheFixture();
    register({}, { scope: 'read' });
    await expect(memory.identify(basic())).rejects.toMatchObject({ code: 'access_denied' });
    register();
    await expect(memory.identify(basic('rs1', 'wrong'))).rejects.toMatchObject({ code: 'invalid_client' });
    await expect(memory.identify(basic('nobody'))).rejects.toMatchObject({ code: 'invalid_client' });
    expect(memory.size).toBe(0);
  });

  it('never caches a replaced secret, even while it still authenticates', async () => {
    const { memory, register, earlier, digester, now } = await createCacheFixture({
      secretOverlapSeconds: 60,
    });
    register();
    earlier.push({
      digest: digester.digest('client-secret', 'before'),
      encrypted: '',
      authenticatesUntil: epochSeconds(now + 60),
      keptUntil: epochSeconds(now + 60),
    });
    await memory.identify(basic('rs1', 'before'));
    expect(memory.known(basic('rs1', 'before'))).toBeUndefined();
    await memory.identify(basic());
    expect(memory.known(basic())).toBeDefined();
  });

  it('holds at most the configured number of callers, and no secret', async () => {
    const { memory, register } = await createCacheFixture();
    for (let index = 0; index < 2_100; index += 1) {
      register({ id: `rs${index}` as ClientId });
      await memory.identify(basic(`rs${index}`));
    }
    // A full map evicts a part of its entries at a time.
    expect(memory.size).toBeLessThanOrEqual(2_000);
    expect(memory.size).toBeGreaterThan(1_980);
    expect(memory.known(basic('rs0'))).toBeUndefined();
    expect(memory.known(basic('rs2099'))).toBeDefined();
  });
});
