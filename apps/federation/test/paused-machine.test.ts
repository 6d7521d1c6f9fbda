import { builtService } from '@vestibule/service/testing';
import { suspendMachine } from '@vestibule/testkit';
import { createEntityKey } from '@vestibule/testkit/federation';
import { decodeJwt } from 'jose';
import { expect, it, onTestFinished } from 'vitest';
import { build } from '../src/build.js';
import { loadFederationConfig } from '../src/index.js';
import { ISSUER, openTestStore } from './support/test-federation.js';

it('signs with the time of the store right after the machine was suspended', async () => {
  const { url, keys } = await openTestStore();
  const { publicJwk } = await createEntityKey();
  const { server, close } = await builtService(
    build,
    loadFederationConfig({
      BASE_URL: ISSUER,
      DATABASE_URL: url,
      ENCRYPTION_KEYS: keys,
      FEDERATION_ENABLED: 'true',
      FEDERATION_TRUST_ANCHORS: JSON.stringify({ 'https://a.example': { keys: [publicJwk] } }),
      FEDERATION_OLDER_DIALECT: 'refused',
    }),
  );
  onTestFinished(close);
  suspendMachine(3_600_000);
  const response = await server.inject('/federation/historical-keys');
  expect(response.statusCode).toBe(200);
  expect(decodeJwt(response.body).iat).toBeGreaterThan(Date.now() / 1000 - 60);
});
