import type { Client } from '@vestibule/clients';
import type { EpochSeconds } from '@vestibule/protocol';
import { describe, expect, it, vi } from 'vitest';
import { authenticateClient } from './authenticate-client.js';
import type { CredentialRequest } from './credential-request.js';
import { clientFixture, SECRET } from './testing/client-fixture.js';

const PUBLIC = { code: 'invalid_client', description: 'Client authentication failed or is missing' };

const basic = (id: string, secret: string, form = {}): CredentialRequest => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
  form,
});
const post = (client_id: string, client_secret: string): CredentialRequest => ({
  form: { client_id, client_secret },
});

/** The two public parts of a refusal and its private detail. */
async function refusal(attempt: Promise<unknown>) {
  const error = await attempt.then(
    () => expect.fail('was accepted'),
    (thrown) => thrown,
  );
  return { code: error.code, description: error.description, detail: error.detail };
}

describe('authenticateClient', () => {
  it('authenticates a client by the method that it registered', async () => {
    const fixture = await clientFixture();
    const client = fixture.register();
    const authenticated = await authenticateClient(fixture, basic('rs1', SECRET));
    expect(authenticated).toEqual({ client, method: 'client_secret_basic' });

    fixture.register({}, { token_endpoint_auth_method: 'client_secret_post' });
    expect(await authenticateClient(fixture, post('rs1', SECRET))).toMatchObject({
      method: 'client_secret_post',
    });
  });

  it('refuses every failure with the same public description, and logs for operators what failed', async () => {
    const fixture = await clientFixture();
    const past = (fixture.now - 1) as EpochSeconds;
    const digest = fixture.digester.digest('client-secret', SECRET);
    const right = basic('rs1', SECRET);
    const cases: [string, Partial<Client> | undefined, string, CredentialRequest][] = [
      ['unknown client', undefined, 'client_secret_basic', basic('rs2', SECRET)],
      ['wrong secret', {}, 'client_secret_basic', basic('rs1', 'wrong')],
      ['empty secret', {}, 'client_secret_basic', basic('rs1', '')],
      [
        'expired secret',
        { secret: { digest, encrypted: '', expiresAt: past } },
        'client_secret_basic',
        right,
      ],
      ['expired client', { expiresAt: past }, 'client_secret_basic', right],
      ['pending client', { status: 'pending' }, 'client_secret_basic', right],
      ['basic for post, wrong', {}, 'client_secret_post', basic('rs1', 'wrong')],
      ['post for basic, wrong', {}, 'client_secret_basic', post('rs1', 'wrong')],
      ['basic for post, pending', { status: 'pending' }, 'client_secret_post', right],
      ['basic for a key pair, wrong', {}, 'private_key_jwt', basic('rs1', 'wrong')],
      ['basic for no authentication, wrong', {}, 'none', basic('rs1', 'wrong')],
      ['post without client_id', {}, 'client_secret_post', { form: { client_secret: SECRET } }],
      ['nothing', {}, 'client_secret_basic', { form: {} }],
      ['client_id alone', {}, 'none', { form: { client_id: 'rs1' } }],
      ['unreadable Basic', {}, 'client_secret_basic', { authorization: 'Basic =', form: {} }],
      ['another scheme', {}, 'client_secret_basic', { authorization: 'Digest x', form: {} }],
      ['empty header', {}, 'client_secret_basic', { authorization: '', form: {} }],
    ];
    const details = new Set<string>();
    for (const [title, deviation, method, request] of cases) {
      if (deviation !== undefined) fixture.register(deviation, { token_endpoint_auth_method: method });
      const { detail, ...shown } = await refusal(authenticateClient(fixture, request));
      expect(shown, title).toEqual(PUBLIC);
      details.add(detail);
    }
    expect(details.size).toBeGreaterThanOrEqual(9);
  });

  it('accepts a secret until the second of its expiry', async () => {
    const fixture = await clientFixture();
    const digest = fixture.digester.digest('client-secret', SECRET);
    fixture.register({ secret: { digest, encrypted: '', expiresAt: (fixture.now + 10) as EpochSeconds } });
    fixture.clock.advanceSeconds(9);
    await authenticateClient(fixture, basic('rs1', SECRET));
    fixture.clock.advanceSeconds(1);
    await expect(authenticateClient(fixture, basic('rs1', SECRET))).rejects.toMatchObject(PUBLIC);
  });

  it('compares a secret for clients without one and for unknown clients too', async () => {
    const fixture = await clientFixture();
    const { secret: _, ...withoutSecret } = fixture.register();
    const clients = {
      ...fixture.clients,
      find: async (id: string) => (id === 'rs1' ? withoutSecret : undefined),
    };
    const matches = vi.spyOn(fixture.digester, 'matchesAvailable');
    for (const id of ['rs1', 'unknown'])
      await expect(authenticateClient({ ...fixture, clients }, basic(id, SECRET))).rejects.toMatchObject(
        PUBLIC,
      );
    expect(matches).toHaveBeenCalledTimes(2);
  });

  it('refuses more than one credential before it checks any (RFC 6749 section 2.3)', async () => {
    const fixture = await clientFixture();
    fixture.register();
    const find = vi.spyOn(fixture.clients, 'find');
    const { authorization } = basic('rs1', SECRET);
    const forms = [
      { client_secret: SECRET },
      { client_id: 'rs1', client_secret: '' },
      { client_assertion: 'x' },
      { client_assertion_type: 'x' },
    ];
    const requests: CredentialRequest[] = [
      ...forms.map((form) => ({ authorization, form })),
      { authorization: 'Basic garbage', form: { client_secret: SECRET } },
      { form: { client_id: 'rs1', client_secret: SECRET, client_assertion: 'x' } },
    ];
    for (const request of requests)
      expect(await refusal(authenticateClient(fixture, request))).toMatchObject({ code: 'invalid_request' });
    expect(find).not.toHaveBeenCalled();
  });

  it('refuses a client_id that contradicts the Basic credentials, and accepts an equal one', async () => {
    const fixture = await clientFixture();
    fixture.register();
    await authenticateClient(fixture, basic('rs1', SECRET, { client_id: 'rs1' }));
    for (const client_id of ['rs2', '', 'RS1'])
      expect(await refusal(authenticateClient(fixture, basic('rs1', SECRET, { client_id })))).toMatchObject({
        code: 'invalid_request',
      });
  });

  it('accepts a previous secret within its overlap, and only if overlaps are allowed', async () => {
    const fixture = await clientFixture();
    fixture.register();
    fixture.previous.push({
      digest: fixture.digester.digest('client-secret', 'before'),
      encrypted: '',
      authenticatesUntil: (fixture.now + 60) as EpochSeconds,
      keptUntil: (fixture.now + 6000) as EpochSeconds,
    });
    const overlapping = { ...fixture, secretOverlapSeconds: 60 };
    const attempt = () => authenticateClient(overlapping, basic('rs1', 'before'));
    await attempt();
    await expect(authenticateClient(fixture, basic('rs1', 'before'))).rejects.toMatchObject(PUBLIC);
    await expect(authenticateClient(overlapping, basic('rs1', 'other'))).rejects.toMatchObject(PUBLIC);
    fixture.clock.advanceSeconds(60);
    await expect(attempt()).rejects.toMatchObject(PUBLIC);
  });

  it('never authenticates with a previous secret that is kept only for ID token hints', async () => {
    const fixture = { ...(await clientFixture()), secretOverlapSeconds: 60 };
    fixture.register();
    const digest = fixture.digester.digest('client-secret', 'before');
    fixture.previous.push({ digest, encrypted: '', keptUntil: (fixture.now + 6000) as EpochSeconds });
    await expect(authenticateClient(fixture, basic('rs1', 'before'))).rejects.toMatchObject(PUBLIC);
  });

  it('passes on an error of the store', async () => {
    const fixture = await clientFixture();
    const find = () => Promise.reject(new Error('store down'));
    const broken = { ...fixture, clients: { ...fixture.clients, find } };
    await expect(authenticateClient(broken, basic('rs1', SECRET))).rejects.toThrow('store down');
  });
});
