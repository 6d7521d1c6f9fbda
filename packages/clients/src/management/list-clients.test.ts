import { epochSeconds } from '@vestibule/protocol';
import { describe, expect, it } from 'vitest';
import type { ClientInformation } from '../client-information.js';
import { failure } from '../testing/failure.js';
import {
  ACCESS_TOKEN,
  MASTER,
  type RegistrationFixture,
  registrationFixture,
} from '../testing/registration-fixture.js';
import { listClients } from './list-clients.js';

const REDIRECT = { redirect_uris: ['https://app.example.org/cb'] };

async function listed({ deps }: RegistrationFixture): Promise<readonly ClientInformation[]> {
  const clients: ClientInformation[] = [];
  const { pages } = await listClients(deps, { token: MASTER });
  for await (const page of pages) clients.push(...page);
  return clients;
}

describe('the list of clients', () => {
  it('contains the registration responses of all clients (registration/API.md#list)', async () => {
    const fixture = await registrationFixture({ allowOpenRegistration: true });
    expect(await listed(fixture)).toEqual([]);
    const responses = [];
    for (let i = 0; i < 5; i += 1)
      responses.push(await fixture.register({ ...REDIRECT, client_name: `Client ${i}` }));
    expect(await listed(fixture)).toEqual(
      responses.map(({ information }) => ({ ...information, status: 'active', origin: 'open_registration' })),
    );
  });

  it('shows expired secrets without renewing them, and no expired clients', async () => {
    const fixture = await registrationFixture({ clientSecretLifetimeSeconds: 100 });
    const { information } = await fixture.register(REDIRECT, MASTER);
    const ended = await fixture.register(REDIRECT, MASTER);
    const expiresAt = epochSeconds(fixture.clock.nowMs() / 1000 + 100);
    await fixture.change(ended.information.client_id, (client) => ({ ...client, expiresAt }));
    expect(await listed(fixture)).toHaveLength(2);
    fixture.clock.advanceSeconds(100);
    expect(await listed(fixture)).toEqual([{ ...information, status: 'active', origin: 'registration' }]);
  });

  it('is available only with the master token', async () => {
    const { deps, issue, register } = await registrationFixture();
    const { information } = await register(REDIRECT, MASTER);
    const attempt = (token?: string) => listClients(deps, { token });
    await expect(attempt()).rejects.toEqual(failure('missing_token'));
    await expect(attempt(ACCESS_TOKEN)).rejects.toEqual(failure('insufficient_scope'));
    await expect(attempt(await issue('client-reg'))).rejects.toEqual(failure('insufficient_scope'));
    await expect(attempt(await issue('client-reg', { usesLeft: 0 }))).rejects.toEqual(
      failure('invalid_token'),
    );
    await expect(attempt(String(information['registration_access_token']))).rejects.toEqual(
      failure('invalid_token'),
    );
    await expect(attempt('unknown')).rejects.toEqual(failure('invalid_token'));
  });
});
