import { randomBytes } from 'node:crypto';
import { builtService } from '@vestibule/service/testing';
import { createTestDatabase, suspendMachine } from '@vestibule/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { build } from '../src/build.js';
import { loadRegistrationConfig } from '../src/index.js';

it('registers with the time of the store right after the machine was suspended', async () => {
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  const { server, close } = await builtService(
    build,
    loadRegistrationConfig({
      BASE_URL: 'https://as.example',
      DATABASE_URL: url,
      ENCRYPTION_KEYS: randomBytes(32).toString('base64url'),
      ALLOW_OPEN_REGISTRATION: 'true',
    }),
  );
  onTestFinished(close);
  suspendMachine(3_600_000);
  const response = await server.inject({
    method: 'POST',
    url: '/clients',
    headers: { 'content-type': 'application/json' },
    payload: { redirect_uris: ['https://app.example/cb'] },
  });
  expect(response.statusCode).toBe(200);
  expect(response.json().client_id_issued_at).toBeGreaterThan(Date.now() / 1000 - 60);
});
