import { systemClock } from '@vestibule/protocol';
import { createEntityKey, openSmallFederation } from '@vestibule/testkit/federation';
import { expect, it, onTestFinished } from 'vitest';
import { requestClaims, signRequest } from '../support/automatic-fixture.js';
import { buildTestApp } from '../support/build-test-app.js';

it('says when to retry after too many resolutions, and fetches nothing', async () => {
  const federation = await openSmallFederation();
  onTestFinished(() => federation.close());
  const { app } = await buildTestApp(
    {
      FEDERATION_ENABLED: 'true',
      FEDERATION_TRUST_ANCHORS: JSON.stringify(federation.trustAnchors),
      FEDERATION_REGISTRATIONS_PER_MINUTE_AND_NETWORK: '1',
      EGRESS_ALLOW_HOSTS: '127.0.0.1',
    },
    false,
    true,
  );
  const key = await createEntityKey();
  const send = async (remoteAddress: string) => {
    const { id, requestedPaths: requested } = await federation.newEntity();
    const request = await signRequest(key, requestClaims(id, Math.floor(systemClock.nowMs() / 1000)));
    const { statusCode, headers } = await app.inject({
      url: `/authorize?${new URLSearchParams({ client_id: id, request })}`,
      remoteAddress,
    });
    return { statusCode, retryAfter: headers['retry-after'], requested: requested.length };
  };
  expect(await send('192.0.2.1')).toEqual({ statusCode: 401, retryAfter: undefined, requested: 1 });
  const { retryAfter, ...throttled } = await send('192.0.2.2');
  expect(throttled).toEqual({ statusCode: 429, requested: 0 });
  expect(Number(retryAfter)).toBeGreaterThan(0);
  expect(await send('198.51.100.1')).toMatchObject({ statusCode: 401, requested: 1 });
});
