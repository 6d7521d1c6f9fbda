import process from 'node:process';
import createClient, { type Middleware } from 'openapi-fetch';
import type { paths as AuthorizationPaths } from './authorization.js';
import type { paths as IntrospectionPaths } from './introspection.js';
import type { components, paths as RegistrationPaths } from './registration.js';
import { ensure, step } from './report.mjs';

const { BASE_URL: baseUrl = '', MASTER_TOKEN: masterToken = '' } = process.env;

/** Sends a credential, and throws the service's message for a refused request. */
function authorization(credential: string): Middleware {
  return {
    onRequest: ({ request }) => {
      request.headers.set('authorization', credential);
      return request;
    },
    onResponse: async ({ response }) => {
      if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    },
  };
}

function present<Value>(value: Value | undefined): Value {
  ensure(value !== undefined, 'a member is missing');
  return value;
}

const operator = createClient<RegistrationPaths>({ baseUrl });
operator.use(authorization(`Bearer ${masterToken}`));

const registration: components['schemas']['RegistrationRequest'] = {
  client_name: 'My API',
  'client_name#de': 'Meine API',
  grant_types: ['client_credentials'],
  scope: `${baseUrl}/token/introspect`,
  token_endpoint_auth_method: 'client_secret_basic',
  jwks: { keys: [{ kty: 'OKP', crv: 'X448', x: 'AQAB' }] },
  data: { team: 'billing', levels: [1, 2] },
  tos_uri: null,
};

await step('register in a dry run', async () => {
  const params = { query: { dry_run: 'true' as const } };
  const { data } = await operator.POST('/clients', { params, body: registration });
  ensure(data?.['client_name#de'] === 'Meine API', 'the name in German is missing');
  ensure(data.registration_access_token === undefined, 'a dry run issued a token');
});

const registered = present(
  await step('register', async () => present((await operator.POST('/clients', { body: registration })).data)),
);
const id = present(registered.client_id);
const params = { path: { id } };

const client = createClient<RegistrationPaths>({ baseUrl });
client.use(authorization(`Bearer ${present(registered.registration_access_token)}`));

const written = await step('read, change and write back', async () => {
  const { data: read } = await client.GET('/clients/{id}', { params });
  const body = { ...present(read), client_name: 'Renamed' };
  const { data } = await client.PUT('/clients/{id}', { params, body });
  ensure(data?.client_name === 'Renamed', 'the name was not changed');
  ensure(data['client_name#de'] === 'Meine API', 'the name in German is gone');
  ensure(data.jwks?.keys.length === 1 && data.data?.['team'] === 'billing', 'jwks or data is gone');
  return data;
});

await step('patch', async () => {
  const { data } = await operator.PATCH('/clients/{id}', {
    params,
    body: { 'client_name#fr': 'Mon API', data: null },
    headers: { 'content-type': 'application/merge-patch+json' },
  });
  const names = [data?.['client_name#de'], data?.['client_name#fr']];
  ensure(names.join() === 'Meine API,Mon API' && data?.data === undefined, 'the patch was not carried out');
});

await step('list', async () => {
  const { data } = await operator.GET('/clients', { params: { query: { limit: '10' } } });
  ensure(Array.isArray(data), 'the list is none');
  ensure(
    data.some(({ client_id }) => client_id === id),
    'the client is not listed',
  );
});

await step('issue, introspect and revoke', async () => {
  const { data: current } = await operator.GET('/clients/{id}', { params });
  const secret = present(current?.client_secret ?? written?.client_secret);
  const server = createClient<AuthorizationPaths>({ baseUrl });
  server.use(authorization(`Bearer ${masterToken}`));
  const issued = await server.POST('/direct-authz', { body: { client_id: id, scope: 'read', aud: [id] } });
  const { access_token: token } = present(issued.data);
  const resourceServer = createClient<IntrospectionPaths>({ baseUrl });
  resourceServer.use(authorization(`Basic ${btoa(`${id}:${secret}`)}`));
  const introspect = async () => {
    const { data } = await resourceServer.POST('/token/introspect', {
      body: { token },
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    return typeof data === 'object' ? data : undefined;
  };
  ensure((await introspect())?.client_id === id, 'the token is not active');
  await server.POST('/direct-authz/revoke', { body: { token } });
  ensure((await introspect())?.active === false, 'the token is active after its revocation');
});
