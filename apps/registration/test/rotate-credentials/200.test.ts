import { expect, it } from 'vitest';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import {
  INVALID_TOKEN,
  information,
  MISSING_TOKEN,
  NOT_FOUND,
  pathOf,
  send,
  tagOf,
} from '../support/calls.js';

const BODY = { redirect_uris: ['https://app.example/cb'] };

async function registeredClient(settings = {}, metadata = {}) {
  const service = await buildTestApp(settings);
  const body = { ...BODY, ...metadata };
  const registered = information(await send(service.app, 'POST /clients', { token: MASTER, body }));
  const { client_id: id, registration_access_token: token } = registered;
  return { ...service, registered, id, token, url: pathOf(id) };
}

it.each(['master token', 'registration access token'])(
  'issues only a new secret, by the %s',
  async (kind) => {
    const { app, deps, stored, registered, url, token, id } = await registeredClient();
    const right = kind === 'master token' ? MASTER : token;
    const response = await send(app, `POST ${url}/secret`, { token: right });
    const { client_secret: secret } = information(response);
    expect(secret).not.toBe(registered.client_secret);
    expect(information(response)).toEqual({ ...registered, client_secret: secret });
    const client = await stored(id);
    expect(Buffer.from(client?.secret?.digest ?? [])).toEqual(
      Buffer.from(deps.digester.digest('client-secret', String(secret))),
    );
    expect(client).toMatchObject({ version: 2 });
    const read = await send(app, `GET ${url}`, { token });
    expect(information(read)).toEqual(information(response));
    expect(tagOf(read)).toBe(tagOf(response));
  },
);

it('issues only a new registration access token, which revokes the operator’s previous one at once', async () => {
  const { app, registered, url, token } = await registeredClient();
  const rotated = information(await send(app, `POST ${url}/registration-token`, { token: MASTER }));
  const { registration_access_token: next } = rotated;
  expect(next).not.toBe(token);
  expect(rotated).toEqual({ ...registered, registration_access_token: next });
  expect(await send(app, `GET ${url}`, { token })).toEqual(INVALID_TOKEN);
  expect(information(await send(app, `GET ${url}`, { token: next }))).toEqual(rotated);
});

it('lets the requesting client read with its previous token until it uses the new one', async () => {
  const { app, clock, url, token } = await registeredClient();
  const rotated = information(await send(app, `POST ${url}/registration-token`, { token }));
  expect(information(await send(app, `GET ${url}`, { token }))).toEqual(rotated);
  for (const path of ['secret', 'registration-token'])
    expect(await send(app, `POST ${url}/${path}`, { token }), path).toMatchObject({ status: 403 });
  const { registration_access_token: next } = rotated;
  expect(await send(app, `GET ${url}`, { token: next })).toMatchObject({ status: 200 });
  expect(await send(app, `GET ${url}`, { token })).toEqual(INVALID_TOKEN);
  clock.advanceSeconds(600);
  expect(await send(app, `GET ${url}`, { token: next })).toMatchObject({ status: 200 });
});

it('rotates only the version that was read, if the request says so', async () => {
  const { app, stored, url, token, id } = await registeredClient();
  const present = tagOf(await send(app, `GET ${url}`, { token }));
  for (const path of ['secret', 'registration-token']) {
    const rotate = (tag: string) =>
      send(app, `POST ${url}/${path}`, { token: MASTER, headers: { 'if-match': tag } });
    expect(await rotate('"x"')).toMatchObject({ status: 412 });
  }
  expect(await stored(id)).toMatchObject({ version: 1 });
  const headers = { 'if-match': present };
  expect(await send(app, `POST ${url}/secret`, { token, headers })).toMatchObject({ status: 200 });
  expect(await send(app, `POST ${url}/secret`, { token, headers })).toMatchObject({ status: 412 });
});

it('refuses a client without a secret, unknown clients, and every other token', async () => {
  const { app, url } = await registeredClient({}, { token_endpoint_auth_method: 'none' });
  expect(await send(app, `POST ${url}/secret`, { token: MASTER })).toMatchObject({ status: 400 });
  for (const path of ['secret', 'registration-token']) {
    expect(await send(app, `POST ${url}/${path}`)).toEqual(MISSING_TOKEN);
    expect(await send(app, `POST ${url}/${path}`, { token: 'x'.repeat(43) })).toEqual(INVALID_TOKEN);
    expect(await send(app, `POST /clients/unknown/${path}`, { token: MASTER })).toEqual(NOT_FOUND);
    expect(await send(app, `POST ${url}/${path}?dry_run=true`, { token: MASTER })).toMatchObject({
      status: 400,
    });
    expect(await send(app, `GET ${url}/${path}`, { token: MASTER })).toMatchObject({ status: 405 });
  }
});

it('counts rotations by a registration access token as updates', async () => {
  const { app, url, token } = await registeredClient({ UPDATES_PER_HOUR_AND_CLIENT: '2' });
  const rotate = (right: string) => send(app, `POST ${url}/secret`, { token: right });
  const statuses = [];
  for (const right of [token, token, token, MASTER]) statuses.push((await rotate(right)).status);
  expect(statuses).toEqual([200, 200, 429, 200]);
});
