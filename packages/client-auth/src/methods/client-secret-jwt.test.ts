import { previousSecretAssociatedData } from '@vestibule/clients/associated-data';
import type { EpochSeconds } from '@vestibule/protocol';
import { describe, expect, it } from 'vitest';
import { assertionFixture, LONG_SECRET } from '../testing/assertion-fixture.js';
import { authenticate, expectRefused, REFUSED } from '../testing/authenticate-by-assertion.js';

describe('client_secret_jwt', () => {
  it('accepts the registered algorithm, or any HMAC algorithm if none is registered', async () => {
    const fixture = await assertionFixture();
    for (const algorithm of ['HS256', 'HS384', 'HS512'] as const) {
      await fixture.registerSecret();
      await authenticate(fixture, await fixture.assertion({}, fixture.secretKey(algorithm)));
      await fixture.registerSecret({ token_endpoint_auth_signing_alg: algorithm });
      await authenticate(fixture, await fixture.assertion({}, fixture.secretKey(algorithm)));
      const other = algorithm === 'HS256' ? 'HS512' : 'HS256';
      await fixture.registerSecret({ token_endpoint_auth_signing_alg: other });
      await expectRefused(fixture, await fixture.assertion({}, fixture.secretKey(algorithm)), algorithm);
    }
  });
});

describe('the secrets of client_secret_jwt', () => {
  it('authenticate until they expire', async () => {
    const fixture = await assertionFixture();
    await fixture.registerSecret({}, (fixture.now + 10) as EpochSeconds);
    fixture.clock.advanceSeconds(9);
    await authenticate(fixture, await fixture.assertion({}, fixture.secretKey()));
    fixture.clock.advanceSeconds(1);
    await expectRefused(fixture, await fixture.assertion({}, fixture.secretKey()), 'expired');
  });

  it('include previous secrets, within an overlap and only if overlaps are allowed', async () => {
    const fixture = await assertionFixture();
    const client = await fixture.registerSecret();
    const before = `the-secret-before-${LONG_SECRET}`;
    fixture.previous.push({
      digest: fixture.digester.digest('client-secret', before),
      encrypted: await fixture.encryptor.encrypt(before, previousSecretAssociatedData(client.id)),
      authenticatesUntil: (fixture.now + 60) as EpochSeconds,
      keptUntil: (fixture.now + 6000) as EpochSeconds,
    });
    const attempt = (deps = fixture.deps) =>
      fixture
        .assertion({ exp: fixture.now + 120 }, fixture.secretKey('HS256', before))
        .then((assertion) => authenticate({ ...fixture, deps }, assertion));
    const overlapping = { ...fixture.deps, secretOverlapSeconds: 60 };
    await attempt(overlapping);
    await expect(attempt()).rejects.toMatchObject(REFUSED);
    fixture.clock.advanceSeconds(60);
    await expect(attempt(overlapping)).rejects.toMatchObject(REFUSED);
  });

  it('never include secrets that are kept only for ID token hints', async () => {
    const fixture = await assertionFixture();
    const client = await fixture.registerSecret();
    const before = `the-secret-before-${LONG_SECRET}`;
    fixture.previous.push({
      digest: fixture.digester.digest('client-secret', before),
      encrypted: await fixture.encryptor.encrypt(before, previousSecretAssociatedData(client.id)),
      keptUntil: (fixture.now + 6000) as EpochSeconds,
    });
    const overlapping = { ...fixture, deps: { ...fixture.deps, secretOverlapSeconds: 60 } };
    const assertion = await fixture.assertion({}, fixture.secretKey('HS256', before));
    await expectRefused(overlapping, assertion, 'kept for hints');
  });

  it('do not exist for a client without a secret', async () => {
    const fixture = await assertionFixture();
    const { secret: _, ...withoutSecret } = await fixture.registerSecret();
    const deps = { ...fixture.deps, clients: { ...fixture.clients, find: async () => withoutSecret } };
    await expect(
      authenticate({ ...fixture, deps }, await fixture.assertion({}, fixture.secretKey())),
    ).rejects.toMatchObject(REFUSED);
  });

  it('are never treated as wrong when they cannot be decrypted', async () => {
    const fixture = await assertionFixture();
    fixture.register({}, { token_endpoint_auth_method: 'client_secret_jwt' });
    await expect(authenticate(fixture, await fixture.assertion({}, fixture.secretKey()))).rejects.toThrow(
      expect.objectContaining({ name: 'DecryptionError' }),
    );
  });
});
