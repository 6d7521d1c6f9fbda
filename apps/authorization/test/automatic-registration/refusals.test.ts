import { parseBlockedHost } from '@vestibule/clients/blocks';
import { expect, it } from 'vitest';
import { createAutomaticFixture, requestClaims, signRequest } from '../support/automatic-fixture.js';
import { openBrowser } from '../support/browser.js';

it('logs the refused entity and the reason, at a bounded length, and nothing of the request', async () => {
  const fixture = await createAutomaticFixture();
  const { intermediates, anchor } = fixture.federation;
  const spoilt = await fixture.member();
  intermediates[0].behaviour.subordinates.set(spoilt.entity.id, {
    spoil: (token) => `${token.slice(0, -4)}AAAA`,
  });
  await expect(fixture.register(spoilt)).rejects.toMatchObject({ code: 'unauthorized_client' });
  const outside = await fixture.member({ client_registration_types: ['explicit'] });
  await expect(fixture.register(outside)).rejects.toMatchObject({ code: 'invalid_client_metadata' });
  const registrationRequest = await fixture.registrationRequest(outside);
  const clientId = `${outside.entity.id}/${'a'.repeat(1_000)}`;
  await expect(fixture.automatic.register({ ...registrationRequest, clientId })).rejects.toThrow();
  expect(fixture.refusals).toEqual([
    {
      entity: spoilt.entity.id,
      reason: 'signature',
      detail: `signature: signature does not verify (statement of ${intermediates[0].id} about ${spoilt.entity.id})`,
    },
    { entity: outside.entity.id, reason: 'invalid_client_metadata', detail: expect.any(String) },
    { entity: clientId.slice(0, 200), reason: expect.any(String), detail: expect.any(String) },
  ]);
  const logged = JSON.stringify(fixture.refusals);
  expect(logged).not.toContain('eyJ');
  expect(logged).not.toContain(anchor.id);
});

it('registers no blocked entity, whose chain a request does not fetch', async () => {
  const fixture = await createAutomaticFixture();
  const { app, store, now } = fixture;
  const member = await fixture.member();
  const client_id = member.entity.id;
  const change = { actor: 'operator:jane', now: now() } as const;
  const host = parseBlockedHost('127.0.0.1');
  await store.database.clientBlocks.add([host], undefined, change);
  const visit = async () => {
    const request = await signRequest(member.key, {
      ...requestClaims(client_id, now()),
      response_type: 'code',
      redirect_uri: 'https://rp.example/cb',
      scope: 'openid',
    });
    const query = new URLSearchParams({ client_id, request, response_type: 'code', scope: 'openid' });
    return openBrowser(app).go(`/authorize?${query}`);
  };
  expect((await visit()).status).toBe(400);
  expect(fixture.requested(member)).toBe(0);
  await expect(fixture.register(member)).rejects.toMatchObject({ code: 'invalid_client_metadata' });
  expect(await fixture.stored(member)).toBeUndefined();
  await store.database.clientBlocks.remove(host, change);
  await visit();
  expect(await fixture.stored(member)).toMatchObject({ origin: 'federation_automatic' });
});
