import { createMetrics } from '@vestibule/http/observability';
import { memoryLog } from '@vestibule/http/testing';
import { nowSeconds } from '@vestibule/protocol';
import { signedBy, TEST_KEYS } from '@vestibule/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { buildApp, composeAuthorization, unverifiedRevocationCounter } from '../../src/index.js';
import { buildTestApp, ISSUER } from '../support/build-test-app.js';
import { NO_CONTENT, post } from '../support/calls.js';

it('logs once and counts JWTs that do not verify, names the setting, and tells the caller nothing', async () => {
  const { config, store, deps, register } = await buildTestApp();
  const { client_id: id } = await register();
  const metrics = createMetrics('test');
  const log = memoryLog();
  const onUnverifiedJwt = unverifiedRevocationCounter(metrics.registry, log.logger);
  const app = buildApp(composeAuthorization(config, store, { clock: deps.clock, onUnverifiedJwt }), {
    logger: false,
  });
  onTestFinished(() => app.close());
  const iat = nowSeconds(deps.clock);
  const token = (jti: string) =>
    signedBy(TEST_KEYS.es256, { iss: ISSUER, sub: 'alice', client_id: id, jti, iat, exp: iat + 600 });
  const [first, second] = [await token('one'), await token('two')];
  for (const text of [first, second, 'e30.e30.e30', 'u'.repeat(43)])
    expect(await post(app, '/direct-authz/revoke', { token: text })).toEqual(NO_CONTENT);
  expect(await metrics.registry.metrics()).toMatch(/^unverified_revocations_total\{[^}]*\} 2$/m);
  expect(log.lines()).toEqual([
    expect.objectContaining({
      level: 'warn',
      reason: expect.stringContaining('AUTHORIZATION_SERVER_JWKS is not set'),
      msg: expect.stringContaining('set AUTHORIZATION_SERVER_JWKS of the authorization service'),
    }),
  ]);
  for (const part of [...first.split('.'), ...second.split('.')]) expect(log.text()).not.toContain(part);
});
