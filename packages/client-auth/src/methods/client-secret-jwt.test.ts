import { earlierSecretAssociatedData } from '@vestibule/clients';
import type { EpochSeconds } from '@vestibule/protocol';
import { describe, expect, it } from 'vitest';
import { assertionFixture, LONG_SECRET } from '../testing/assertion-fixture.js';
import { authenticate, expectRefused, REFUSED } from '../testing/authenticate-by-assertion.js';

describe('client_secret_jwt', () => {
  it('accepts the registered algorithm, or any HMAC algorithm if none is registered', async () => {
    const world = await assertionFixture();
    for (const algorithm of ['HS256', 'HS384', 'HS512'] as const) {
      await world.registerSecret();
      await authenticate(world, await world.assertion({}, world.secretKey(algorithm)));
      await world.registerSecret({ token_endpoint_auth_signing_alg: algorithm });
      await authenticate(world, await world.assertion({}, world.secretKey(algorithm)));
      const other = algorithm === 'HS256' ? 'HS512' : 'HS256';
      await world.registerSecret({ token_endpoint_auth_signing_alg: other });
      await expectRefused(world, await world.assertion({}, world.secretKey(algorithm)), algorithm);
    }
  });
});

describe('the secrets of client_secret_jwt', () => {
  it('authenticate until they expire', async () => {
    const world = await assertionFixture();
    await world.registerSecret({}, (world.now + 10) as EpochSeconds);
    world.clock.advanceSeconds(9);
    await authenticate(world, await world.assertion({}, world.secretKey()));
    world.clock.advanceSeconds(1);
    await expectRefused(world, await world.assertion({}, world.secretKey()), 'expired');
  });

  it('include previous secrets, within an overlap and only if overlaps are allowed', async () => {
    const world = await assertionFixture();
    const client = await world.registerSecret();
    const before = `the-secret-before-${LONG_SECRET}`;
    world.earlier.push({
      digest: world.digester.digest('client-secret', before),
      encrypted: await world.encryptor.encrypt(before, earlierSecretAssociatedData(client.id)),
      authenticatesUntil: (world.now + 60) as EpochSeconds,
      keptUntil: (world.now + 6000) as EpochSeconds,
    });
    const attempt = (deps = world.deps) =>
      world
        .assertion({ exp: world.now + 120 }, world.secretKey('HS256', before))
        .then((assertion) => authenticate({ ...world, deps }, assertion));
    const overlapping = { ...world.deps, secretOverlapSeconds: 60 };
    await attempt(overlapping);
    await expect(attempt()).rejects.toMatchObject(REFUSED);
    world.clock.advanceSeconds(60);
    await expect(attempt(overlapping)).rejects.toMatchObject(REFUSED);
  });

  it('never include secrets that are kept only for ID token hints', async () => {
    const world = await assertionFixture();
    const client = await world.registerSecret();
    const before = `the-secret-before-${LONG_SECRET}`;
    world.earlier.push({
      digest: world.digester.digest('client-secret', before),
      encrypted: await world.encryptor.encrypt(before, earlierSecretAssociatedData(client.id)),
      keptUntil: (world.now + 6000) as EpochSeconds,
    });
    const overlapping = { ...world, deps: { ...world.deps, secretOverlapSeconds: 60 } };
    const assertion = await world.assertion({}, world.secretKey('HS256', before));
    await expectRefused(overlapping, assertion, 'kept for hints');
  });

  it('do not exist for a client without a secret', async () => {
    const world = await assertionFixture();
    const { secret: _, ...withoutSecret } = await world.registerSecret();
    const deps = { ...world.deps, clients: { ...world.clients, find: async () => withoutSecret } };
    await expect(
      authenticate({ ...world, deps }, await world.assertion({}, world.secretKey())),
    ).rejects.toMatchObject(REFUSED);
  });

  it('are never treated as wrong when they cannot be decrypted', async () => {
    const world = await assertionFixture();
    world.register({}, { token_endpoint_auth_method: 'client_secret_jwt' });
    await expect(authenticate(world, await world.assertion({}, world.secretKey()))).rejects.toThrow(
      expect.objectContaining({ name: 'DecryptionError' }),
    );
  });
});
