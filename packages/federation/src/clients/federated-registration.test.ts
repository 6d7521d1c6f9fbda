import type { JsonObject } from '@vestibule/protocol/json';
import { expect, it } from 'vitest';
import { requireOffered } from './federated-registration.js';

const PROVIDER = {
  token_endpoint_auth_methods_supported: ['private_key_jwt', 'client_secret_basic'],
  grant_types_supported: ['authorization_code'],
};

const problemOf = (requested: JsonObject) =>
  requireOffered(requested, async () => PROVIDER).then(
    () => undefined,
    (error: Error) => error.message,
  );

it('needs one offered value in a list of supported ones, and every value without a list', async () => {
  const list = 'token_endpoint_auth_methods_supported';
  expect(await problemOf({ [list]: ['tls_client_auth', 'private_key_jwt'] })).toBeUndefined();
  expect(
    await problemOf({
      token_endpoint_auth_method: 'tls_client_auth',
      [list]: ['tls_client_auth', 'private_key_jwt'],
    }),
  ).toBeUndefined();
  expect(await problemOf({ [list]: ['tls_client_auth'] })).toMatch(
    /^token_endpoint_auth_method: the provider/,
  );
  expect(await problemOf({ token_endpoint_auth_method: 'tls_client_auth' })).toMatch(/does not offer/);
});

it('is not satisfied by a list that is no client metadata', async () => {
  const requested = { grant_types: ['implicit'], grant_types_supported: ['authorization_code'] };
  expect(await problemOf(requested)).toMatch(/^grant_types: the provider does not offer/);
});
