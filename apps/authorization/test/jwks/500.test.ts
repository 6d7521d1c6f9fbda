import { randomBytes } from 'node:crypto';
import { secureRandom } from '@vestibule/crypto';
import { openStore } from '@vestibule/database';
import { systemClock } from '@vestibule/protocol';
import { expect, it, onTestFinished } from 'vitest';
import { buildApp, composeAuthorization, loadAuthorizationConfig } from '../../src/index.js';
import { ISSUER } from '../support/build-test-app.js';
import { FAULT, send } from '../support/calls.js';

it('responds with nothing cacheable while the database has not been reached', async () => {
  const config = loadAuthorizationConfig({
    BASE_URL: ISSUER,
    DATABASE_URL: 'postgres://user@127.0.0.1:1/nothing',
    ENCRYPTION_KEYS: randomBytes(32).toString('base64url'),
    MASTER_TOKEN_SHA256: 'a'.repeat(64),
  });
  const store = openStore({
    connection: { url: config.DATABASE_URL.reveal(), poolSize: 1 },
    keyEncryptionKeys: config.ENCRYPTION_KEYS,
    clock: systemClock,
    random: secureRandom,
    onProblem: () => undefined,
  });
  onTestFinished(() => store.close());
  const app = buildApp(composeAuthorization(config, store), { logger: false });
  onTestFinished(() => app.close());
  expect(await send(app, 'GET /jwks.json')).toEqual({
    ...FAULT,
    headers: { ...FAULT.headers, 'access-control-allow-origin': '*' },
  });
});
