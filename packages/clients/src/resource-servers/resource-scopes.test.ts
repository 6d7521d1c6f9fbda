import { introspectionEndpoint, OPENID_SCOPES, registrationEndpoint } from '@vestibule/protocol/constants';
import type { JsonObject } from '@vestibule/protocol/json';
import { expect, it } from 'vitest';
import { updateClient } from '../management/update-client.js';
import { failure } from '../testing/failure.js';
import { ISSUER, MASTER, registrationFixture } from '../testing/registration-fixture.js';
import { declaredScope } from './resource-scopes.js';

const API: JsonObject = {
  grant_types: ['client_credentials'],
  scope: `read ${introspectionEndpoint(ISSUER)}`,
};
const refusal = (rule: string) => failure('invalid_client_metadata', `resource_scopes: ${rule}`);

it('registers, shows and returns the scope values that a resource server declares', async () => {
  const { register, find } = await registrationFixture();
  const resource_scopes = 'orders:read https://orders.example/write';
  const { information } = await register({ ...API, resource_scopes }, MASTER);
  expect(information).toMatchObject({ resource_scopes });
  const client = await find(information.client_id);
  expect(client && [...declaredScope(client.metadata)]).toEqual(resource_scopes.split(' '));
});

it('accepts declared scope values only from clients that may introspect', async () => {
  const { register, deps } = await registrationFixture();
  const resource_scopes = 'orders:read';
  const rule =
    'needs the grant type client_credentials and the address of the introspection endpoint in scope';
  for (const lacking of [
    { grant_types: ['client_credentials'] },
    { ...API, scope: 'read' },
    { ...API, grant_types: ['authorization_code'], redirect_uris: ['https://app.example/cb'] },
  ])
    await expect(register({ ...lacking, resource_scopes }, MASTER)).rejects.toEqual(refusal(rule));
  const { information } = await register({ ...API, resource_scopes }, MASTER);
  const id = information.client_id;
  const body = { client_id: id, grant_types: ['client_credentials'], resource_scopes };
  await expect(updateClient(deps, { id, token: MASTER, body })).rejects.toEqual(refusal(rule));
});

it('refuses declared scope values that give access to this server or to claims about end-users', async () => {
  const { register } = await registrationFixture();
  const ours = 'must not have an address of this server';
  const registering = 'must not have a scope value that registers clients';
  const rules = [
    ...OPENID_SCOPES.map((value) => [value, 'must not have a scope value of OpenID Connect'] as const),
    ...['client-reg', 'client-reg:data', 'client-reg:scope:x'].map((value) => [value, registering] as const),
    ...[ISSUER, `${ISSUER}/`, introspectionEndpoint(ISSUER), `${registrationEndpoint(ISSUER)}/`].map(
      (value) => [value, ours] as const,
    ),
  ];
  for (const [value, rule] of rules)
    await expect(register({ ...API, resource_scopes: `read ${value}` }, MASTER), value).rejects.toEqual(
      refusal(rule),
    );
});
