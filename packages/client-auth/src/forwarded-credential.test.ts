import type { ClientId } from '@vestibule/protocol';
import { describe, expect, it } from 'vitest';
import { authenticateForwarded } from './forwarded-credential.js';
import { assertionFixture } from './testing/assertion-fixture.js';
import { aClientCertificate } from './testing/authenticate-by-certificate.js';
import { clientFixture, SECRET } from './testing/client-fixture.js';

const RS1 = 'rs1' as ClientId;
const UNEXPLAINED = { code: 'invalid_client', description: 'Client authentication failed or is missing' };

describe('authenticateForwarded', () => {
  it('accepts a secret for either method that sends one', async () => {
    const fixture = await clientFixture();
    for (const method of ['client_secret_basic', 'client_secret_post']) {
      const client = fixture.register({}, { token_endpoint_auth_method: method });
      expect(await authenticateForwarded(fixture, RS1, { secret: SECRET })).toEqual({ client, method });
    }
  });

  it('refuses a secret of a client with another method, an unknown client and another secret', async () => {
    const fixture = await clientFixture();
    fixture.register();
    for (const [id, secret] of [
      ['rs2', SECRET],
      ['rs1', `${SECRET}x`],
      ['rs1', ''],
    ] as const)
      await expect(authenticateForwarded(fixture, id as ClientId, { secret })).rejects.toMatchObject(
        UNEXPLAINED,
      );
    fixture.register({}, { token_endpoint_auth_method: 'none' });
    await expect(authenticateForwarded(fixture, RS1, { secret: `${SECRET}x` })).rejects.toMatchObject(
      UNEXPLAINED,
    );
    await expect(authenticateForwarded(fixture, RS1, { secret: SECRET })).rejects.toMatchObject({
      description: expect.stringContaining('used client_secret_basic or client_secret_post'),
    });
  });

  it('compares an unknown client too, so that it takes the same time', async () => {
    const fixture = await clientFixture();
    let compared = 0;
    const digester = {
      ...fixture.digester,
      matchesAvailable: (...compare: Parameters<typeof fixture.digester.matchesAvailable>) => {
        compared += 1;
        return fixture.digester.matchesAvailable(...compare);
      },
    };
    await authenticateForwarded({ ...fixture, digester }, RS1, { secret: SECRET }).catch(() => undefined);
    expect(compared).toBe(1);
  });

  it('refuses a certificate of a client that uses none', async () => {
    const fixture = await clientFixture();
    fixture.register();
    const forwarded = { certificate: aClientCertificate() };
    await expect(authenticateForwarded(fixture, RS1, forwarded)).rejects.toMatchObject(UNEXPLAINED);
  });

  it('refuses an assertion of another client without consuming it', async () => {
    const fixture = await assertionFixture();
    fixture.registerKeys();
    const assertion = await fixture.assertion();
    const other = authenticateForwarded(fixture.deps, 'other' as ClientId, { assertion });
    await expect(other).rejects.toMatchObject({ description: 'client_assertion: sub must be the client_id' });
    expect(fixture.replays.records.size).toBe(0);
    expect(await authenticateForwarded(fixture.deps, RS1, { assertion })).toMatchObject({
      method: 'private_key_jwt',
    });
  });
});
