import { aDpopClient } from '@vestibule/crypto/testing';
import { describe, expect, it } from 'vitest';
import { json, startProgrammedServer } from './testing/authorization-server.js';
import { event, stamped, startChangeServer } from './testing/change-server.js';
import {
  active,
  aRequest,
  aResourceServer,
  bearer,
  RESOURCE,
  summary,
  TOKEN,
} from './testing/resource-server-fixture.js';

const INVOICES = 'https://invoices.example/v1';
const NOW = Date.UTC(2026, 5, 1, 12) / 1000;

describe('a further API of a resource server', () => {
  it('has an audience, challenges, explanations and metadata of its own', async () => {
    const authorizationServer = await startProgrammedServer(json(active({ aud: INVOICES })));
    const { server } = aResourceServer(authorizationServer.url);
    const invoices = server.forResource({ identifier: INVOICES, name: 'Invoices' });
    expect(summary(await server.verify(bearer()))).toBe('401 audience');
    expect(summary(await invoices.verify(bearer()))).toBe('accepted');
    const url = 'https://invoices.example/.well-known/oauth-protected-resource/v1';
    expect(await invoices.verify(aRequest({}))).toHaveProperty(
      'headers.WWW-Authenticate',
      expect.stringContaining(`resource_metadata="${url}"`),
    );
    expect(invoices.metadata()).toMatchObject({
      url,
      document: { resource: INVOICES, resource_name: 'Invoices' },
    });
    expect(server.metadata().document['resource']).toBe(RESOURCE);
    const isAccepted = [await server.explain(TOKEN), await invoices.explain(TOKEN)].map(
      (explanation) => explanation.isAccepted,
    );
    expect(isAccepted).toEqual([false, true]);
  });

  it('shares the cache, the stream of changes and the counters', async () => {
    const members = active({ aud: [RESOURCE, INVOICES] });
    const changes = await startChangeServer(json(members, 200, stamped('e.10', 'a')));
    const { server } = aResourceServer(changes.server.url, { changes: {} });
    const invoices = server.forResource({ identifier: INVOICES });
    await changes.opened(1);
    changes.write(event('reset', 'e.10'));
    const metric = (name: string) =>
      server.metrics.all.find((each) => each.name === name)?.read()[0]?.value ?? 0;
    await expect.poll(() => metric('resource_server_changes_watermark_age_seconds')).toBe(0);
    expect(summary(await server.verify(bearer()))).toBe('accepted');
    expect(summary(await invoices.verify(bearer()))).toBe('accepted');
    expect([changes.introspections(), changes.streamRequests().length]).toEqual([1, 1]);
    expect(metric('resource_server_requests_total')).toBe(2);
  });

  it('checks proofs for its own address, and accepts each once', async () => {
    const client = aDpopClient();
    const members = active({ aud: [RESOURCE, INVOICES], cnf: { jkt: client.thumbprint } });
    const authorizationServer = await startProgrammedServer(json(members));
    const { server } = aResourceServer(authorizationServer.url);
    const invoices = server.forResource({ identifier: INVOICES });
    const proof = client.proof(TOKEN, { htu: 'https://invoices.example/orders/7', iat: NOW });
    const request = aRequest({ authorization: `DPoP ${TOKEN}`, dpop: proof });
    expect(summary(await server.verify(request))).toBe('401 proof');
    expect(summary(await invoices.verify(request))).toBe('accepted');
    expect(summary(await invoices.verify(request))).toBe('401 replayed_proof');
  });

  it('requires DPoP as the first API does, unless it has options of its own', async () => {
    const authorizationServer = await startProgrammedServer(json(active({ aud: INVOICES })));
    const { server } = aResourceServer(authorizationServer.url, { dpop: { isRequired: true } });
    const outcome = async (...api: Parameters<typeof server.forResource>) =>
      summary(await server.forResource(...api).verify(bearer()));
    expect(await outcome({ identifier: INVOICES })).toBe('401 binding');
    expect(await outcome({ identifier: INVOICES }, {})).toBe('accepted');
  });

  it('is refused if its options cannot be used', () => {
    const { server } = aResourceServer('http://127.0.0.1:1');
    expect(() => server.forResource({ identifier: 'urn:api' })).toThrow(/^resource.identifier: /);
    expect(() => server.forResource({ identifier: INVOICES }, { algorithms: [] })).toThrow(
      /^dpop.algorithms: /,
    );
  });
});
