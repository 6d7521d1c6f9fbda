import { nowSeconds, systemClock } from '@vestibule/protocol';
import { builtService } from '@vestibule/service/testing';
import { suspendMachine } from '@vestibule/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { build } from '../../src/build.js';
import { loadIntrospectionConfig } from '../../src/index.js';
import { aTimedService } from '../support/cached-instance.js';
import { assertionForm, assertionOf, registerCaller } from '../support/callers.js';
import { ISSUER } from '../support/test-service.js';

it('authenticates callers by the clock of the store right after the machine was suspended', async () => {
  const service = await aTimedService();
  await registerCaller(service, 'rs', 'private_key_jwt');
  const { server, close } = await builtService(
    build,
    loadIntrospectionConfig({
      BASE_URL: ISSUER,
      DATABASE_URL: service.databaseUrl,
      ENCRYPTION_KEYS: service.encryptionKeys,
      ACCESS_TOKEN_SIGNING_ALG: 'ES256',
    }),
  );
  onTestFinished(close);
  const introspect = (assertion: string) =>
    server.inject({
      method: 'POST',
      url: '/token/introspect',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ token: 'x', ...assertionForm(assertion) }).toString(),
    });
  // From here on the client is cached, so that nothing waits before the assertion is checked.
  await introspect(await assertionOf(service, 'rs'));
  const assertion = await assertionOf(service, 'rs', { nbf: nowSeconds(systemClock) });
  suspendMachine(3_600_000);
  const response = await introspect(assertion);
  expect({ status: response.statusCode, body: response.body }).toEqual({
    status: 200,
    body: '{"active":false}',
  });
});
