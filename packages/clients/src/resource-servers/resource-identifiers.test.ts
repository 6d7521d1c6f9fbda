import { introspectionEndpoint, registrationEndpoint } from '@vestibule/protocol/constants';
import type { JsonObject } from '@vestibule/protocol/json';
import { describe, expect, it } from 'vitest';
import { updateClient } from '../management/update-client.js';
import { failure } from '../testing/failure.js';
import { ISSUER, MASTER, registrationFixture } from '../testing/registration-fixture.js';
import { audienceNames } from './resource-identifiers.js';

const API: JsonObject = {
  grant_types: ['client_credentials'],
  scope: `read ${introspectionEndpoint(ISSUER)}`,
};
const refusal = (rule: string) => failure('invalid_client_metadata', `resource_identifiers${rule}`);

describe('resource identifiers', () => {
  it('are registered, shown and accepted as names in the audience, in either spelling', async () => {
    const { register, find } = await registrationFixture();
    const resource_identifiers = ['https://api.example/v1', 'https://files.example/', 'urn:example:api'];
    const { information } = await register({ ...API, resource_identifiers }, MASTER);
    expect(information['resource_identifiers']).toEqual(resource_identifiers);
    const client = await find(information.client_id);
    expect(client && audienceNames(client)).toEqual([
      information.client_id,
      'https://api.example/v1',
      'https://api.example/v1/',
      'https://files.example',
      'https://files.example/',
      'urn:example:api',
      'urn:example:api/',
    ]);
  });

  it('are accepted only for clients that may introspect', async () => {
    const { register, deps } = await registrationFixture();
    const resource_identifiers = ['https://api.example'];
    const rule =
      ': needs the grant type client_credentials and the address of the introspection endpoint in scope';
    for (const lacking of [
      { grant_types: ['client_credentials'] },
      { ...API, scope: 'read' },
      { ...API, grant_types: ['authorization_code'], redirect_uris: ['https://app.example/cb'] },
    ])
      await expect(register({ ...lacking, resource_identifiers }, MASTER)).rejects.toEqual(refusal(rule));
    const { information } = await register({ ...API, resource_identifiers }, MASTER);
    const id = information.client_id;
    const body = { client_id: id, grant_types: ['client_credentials'], resource_identifiers };
    await expect(updateClient(deps, { id, token: MASTER, body })).rejects.toEqual(refusal(rule));
  });

  it('may not be URLs of this server, whose tokens are for the server itself', async () => {
    const { register } = await registrationFixture();
    for (const ours of [
      ISSUER,
      `${ISSUER}/`,
      introspectionEndpoint(ISSUER),
      registrationEndpoint(ISSUER),
      `${registrationEndpoint(ISSUER)}/another`,
      `${ISSUER}/token`,
      `${ISSUER}/token/`,
    ])
      await expect(
        register({ ...API, resource_identifiers: ['https://api.example', ours] }, MASTER),
        ours,
      ).rejects.toEqual(refusal('[1]: must not be an address of this server'));
    const beside = { ...API, resource_identifiers: [`${ISSUER}/api`, `${ISSUER}/clients-api`] };
    await expect(register(beside, MASTER)).resolves.toBeDefined();
  });

  it('are unique: a second client is refused with the taken one, and consumes no token', async () => {
    const { register, issue } = await registrationFixture();
    await register({ ...API, resource_identifiers: ['https://api.example'] }, MASTER);
    const token = await issue('client-reg');
    const body = { ...API, resource_identifiers: ['https://free.example', 'https://api.example/'] };
    const rule = '[1]: must not be the name of another client';
    await expect(register(body, token)).rejects.toEqual(refusal(rule));
    await expect(
      register({ ...body, resource_identifiers: ['https://free.example'] }, token),
    ).resolves.toBeDefined();
  });
});
