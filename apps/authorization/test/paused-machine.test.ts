import { randomBytes } from 'node:crypto';
import { sha256 } from '@vestibule/crypto';
import { builtService } from '@vestibule/service/testing';
import { createTestDatabase, noteResponse, suspendMachine } from '@vestibule/testkit';
import { decodeJwt } from 'jose';
import { expect, it, onTestFinished } from 'vitest';
import { build } from '../src/build.js';
import { loadAuthorizationConfig } from '../src/index.js';
import { MASTER } from './support/build-test-app.js';

it('issues tokens with the time of the store right after the machine was suspended', async () => {
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  const { server, close } = await builtService(
    build,
    loadAuthorizationConfig({
      BASE_URL: 'https://as.example',
      DATABASE_URL: url,
      ENCRYPTION_KEYS: randomBytes(32).toString('base64url'),
      MASTER_TOKEN_SHA256: Buffer.from(sha256(MASTER)).toString('hex'),
      SIGNING_ALGORITHMS: 'ES256',
      ACCESS_TOKEN_SIGNING_ALG: 'ES256',
    }),
  );
  onTestFinished(close);
  suspendMachine(3_600_000);
  const response = await server.inject({
    method: 'POST',
    url: '/direct-authz',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${MASTER}` },
    payload: { scope: 'client-reg', expires_in: 600, format: 'jwt' },
  });
  expect(response.statusCode).toBe(200);
  noteResponse(response.body);
  expect(decodeJwt(response.json().access_token).iat).toBeGreaterThan(Date.now() / 1000 - 60);
});
