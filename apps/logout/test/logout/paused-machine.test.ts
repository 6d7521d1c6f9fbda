import { signJwt } from '@vestibule/crypto/jwt';
import { nowSeconds, systemClock } from '@vestibule/protocol';
import { builtService } from '@vestibule/service/testing';
import { suspendMachine } from '@vestibule/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { build } from '../../src/build.js';
import { aTestService, BACK, ISSUER } from '../support/test-service.js';

it('evaluates a hint by the time of the store right after the machine was suspended', async () => {
  const { store, config, register } = await aTestService();
  await register('app');
  const { server, close } = await builtService(build, config);
  onTestFinished(close);
  const now = nowSeconds(systemClock);
  const claims = { iss: ISSUER, sub: 'alice', aud: 'app', iat: now, nbf: now, exp: now + 600 };
  const key = store.providerKeys.signingKey('ES256');
  const hint = await signJwt({ key, typ: 'JWT', claims });
  suspendMachine(3_600_000);
  const query = new URLSearchParams({ id_token_hint: hint, post_logout_redirect_uri: BACK });
  const postDecision = await server.inject(`/logout?${query}`);
  expect({ status: postDecision.statusCode, location: postDecision.headers.location }).toEqual({
    status: 303,
    location: BACK,
  });
});
