import { nowSeconds } from '@vestibule/protocol';
import { describe, expect, it } from 'vitest';
import { operatorActor } from '../audit-actor.js';
import type { ClientReplacement } from '../client-repository.js';
import { failure } from '../testing/failure.js';
import { MASTER, registrationFixture } from '../testing/registration-fixture.js';
import { rotateClientSecret, rotateRegistrationToken } from './rotate-credentials.js';

const BODY = { redirect_uris: ['https://app.example.org/cb'], client_name: 'Shop' };
const operator = operatorActor('alice');

async function registered(settings = {}, body = {}) {
  const fixture = await registrationFixture({ allowOpenRegistration: true, ...settings });
  const { information } = await fixture.register({ ...BODY, ...body }, MASTER);
  const id = information.client_id;
  const client = async () => {
    const found = await fixture.find(id);
    if (found === undefined) throw new Error('no such client');
    return found;
  };
  return { ...fixture, id, client };
}

describe('rotating a secret', () => {
  it('changes only the secret, and is recorded as a rotation', async () => {
    const { deps, clock, id, client } = await registered({ clientSecretLifetimeSeconds: 500 });
    const before = await client();
    const changes: ClientReplacement[] = [];
    const clients = {
      ...deps.clients,
      replace: (change: ClientReplacement) => {
        changes.push(change);
        return deps.clients.replace(change);
      },
    };
    clock.advanceSeconds(100);
    const rotated = await rotateClientSecret({ ...deps, clients }, { id, operator });
    const now = nowSeconds(clock);
    const after = await client();
    expect(after).toEqual({ ...before, secret: after.secret, updatedAt: now, version: 2 });
    expect(after.secret).toMatchObject({
      digest: deps.digester.digest('client-secret', String(rotated.information['client_secret'])),
      expiresAt: now + 500,
    });
    expect(changes).toMatchObject([{ actor: 'operator:alice', action: 'client.secret_rotated' }]);
  });

  it('revokes the previous secret at once, or after the overlap', async () => {
    for (const [overlap, until] of [
      [0, {}],
      [60, { authenticatesUntil: 60 }],
    ] as const) {
      const { deps, clock, id, client } = await registered({ clientSecretOverlapSeconds: overlap });
      const { secret: before } = await client();
      const now = nowSeconds(clock);
      await rotateClientSecret(deps, { id, operator });
      const [previous, ...others] = await deps.clients.previousSecrets((await client()).id, now);
      expect(others).toEqual([]);
      expect(previous?.digest).toEqual(before?.digest);
      const authenticatesUntil = previous?.authenticatesUntil;
      expect(
        authenticatesUntil === undefined ? {} : { authenticatesUntil: authenticatesUntil - now },
      ).toEqual(until);
    }
  });

  it('keeps concurrent changes', async () => {
    const { deps, change, id, client } = await registered();
    let hasChanged = false;
    const clients = {
      ...deps.clients,
      replace: async (replacement: ClientReplacement) => {
        if (!hasChanged) {
          hasChanged = true;
          await change(id, (present) => ({ ...present, data: { tier: 'gold' } }));
        }
        return deps.clients.replace(replacement);
      },
    };
    const { information } = await rotateClientSecret({ ...deps, clients }, { id, operator });
    expect(await client()).toMatchObject({
      data: { tier: 'gold' },
      version: 3,
      secret: { digest: deps.digester.digest('client-secret', String(information['client_secret'])) },
    });
  });

  it('refuses a client without a secret, and an unknown one', async () => {
    const { deps, id } = await registered({}, { token_endpoint_auth_method: 'none' });
    await expect(rotateClientSecret(deps, { id, operator })).rejects.toEqual(failure('invalid_request'));
    await expect(rotateClientSecret(deps, { id: 'unknown-id', operator })).rejects.toEqual(
      failure('not_found'),
    );
  });
});

describe('rotating a registration access token', () => {
  it('by the operator revokes the previous token at once, and by the client leaves it for reads', async () => {
    const { deps, id, client } = await registered();
    const now = nowSeconds(deps.clock);
    const first = await rotateRegistrationToken(deps, { id, token: MASTER });
    expect((await client()).registrationToken).not.toHaveProperty('previous');
    const token = String(first.information['registration_access_token']);
    const { digest } = (await client()).registrationToken ?? {};
    await rotateRegistrationToken(deps, { id, token });
    expect((await client()).registrationToken?.previous).toEqual({ digest, expiresAt: now + 600 });
    const again = rotateRegistrationToken(deps, { id, token });
    await expect(again).rejects.toMatchObject({ code: 'insufficient_scope' });
  });
});
