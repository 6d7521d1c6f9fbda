import { createEgress } from '@vestibule/egress';
import { JSON_HEADERS } from '@vestibule/http/testing';
import { expect, it } from 'vitest';
import { ISSUER, startFederation } from '../support/test-federation.js';

/** The response if capacity is lacking, which says nothing about the entity. */
const BUSY = {
  status: 429,
  headers: { ...JSON_HEADERS, 'retry-after': '5' },
  body: expect.stringContaining('"error":"too_many_requests"'),
};

it('is the response while there is no capacity to fetch statements', async () => {
  const egress = createEgress({ allowHosts: ['127.0.0.1'], maxConcurrent: 1, maxQueued: 0 });
  const settings = () => ({ FEDERATION_NEGATIVE_CACHE_SECONDS: '30' });
  const fixture = await startFederation({ egress, settings });
  const member = await fixture.relyingParty();
  const hanging = await fixture.newEntity();
  hanging.behaviour.configurationFault = 'hang';
  const ended = new AbortController();
  const url = `${hanging.id}/.well-known/openid-federation`;
  const occupied = egress.fetchDocument({
    url,
    accept: '*/*',
    mediaTypes: [],
    maxBytes: 1,
    signal: ended.signal,
  });
  expect(await fixture.register(await fixture.registrationRequest(member, ISSUER))).toEqual(BUSY);
  ended.abort();
  await occupied;
  expect(await fixture.register(await fixture.registrationRequest(member, ISSUER))).toMatchObject({
    status: 200,
  });
});

it('is the response if twenty fetches do not suffice: no more are made, however many superiors are named', async () => {
  const fixture = await startFederation();
  const newEntities = await Promise.all(Array.from({ length: 12 }, () => fixture.newEntity()));
  for (const superior of newEntities)
    for (const other of newEntities) if (other !== superior) superior.vouchFor(other);
  const response = await fixture.attempt((_world, member) => {
    member.hints.splice(0);
    for (const newEntity of newEntities) newEntity.vouchFor(member);
  });
  expect(response).toEqual(BUSY);
  const requested = newEntities.flatMap((newEntity) => newEntity.requestedPaths);
  expect(requested.length).toBeLessThanOrEqual(20);
  expect(requested.length).toBeGreaterThan(8);
});
