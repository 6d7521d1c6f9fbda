import { expect, it } from 'vitest';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import {
  INVALID_TOKEN,
  information,
  insufficientScope,
  NO_CONTENT,
  NOT_FOUND,
  pathOf,
  registered,
  registrationIn,
  send,
} from '../support/calls.js';
import { race } from '../support/race.js';

const PREVIOUS_TOKEN = insufficientScope(
  'The previous registration access token may only read the client and repeat the update that replaced it.',
);

// A mixture of two updates would be a client that no request described, and a lost secret would lock it out.
it('with one registration token leave exactly the registration of the accepted one', async () => {
  const service = await buildTestApp();
  const { app, stored } = service;
  const other = await service.anotherInstance();
  const { client_id: id, registration_access_token: token } = await registered(app);
  const seen = await race([service, other], 100, (instance, index) => {
    const redirectUris = [`https://app.example/${index}`];
    const body = { client_id: id, redirect_uris: redirectUris, client_name: `name ${index}` };
    return send(instance, `PUT ${pathOf(id)}`, { token, body });
  });
  const final = registrationIn(await send(app, `GET ${pathOf(id)}`, { token: MASTER }));
  expect(seen.filter(({ status }) => status === 200).map(information)).toEqual([final]);
  expect(seen.filter(({ status }) => status !== 200)).toEqual(Array(99).fill(PREVIOUS_TOKEN));
  expect((await stored(id))?.version).toBe(2);
  expect(
    information(await send(app, `GET ${pathOf(id)}`, { token: final.registration_access_token })),
  ).toEqual(final);
});

it('with the master token leave exactly the registration of one of 100 responses, and the tokens of the others are invalid', async () => {
  const service = await buildTestApp();
  const { app, stored } = service;
  const other = await service.anotherInstance();
  const { client_id: id } = await registered(app);
  const seen = await race([service, other], 100, (instance, index) => {
    const body = { client_id: id, redirect_uris: [`https://app.example/${index}`] };
    return send(instance, `PUT ${pathOf(id)}`, { token: MASTER, body });
  });
  const responses = seen.map(information);
  const final = registrationIn(await send(app, `GET ${pathOf(id)}`, { token: MASTER }));
  expect(responses.filter(({ client_secret }) => client_secret === final.client_secret)).toEqual([final]);
  expect((await stored(id))?.version).toBe(101);
  const tokens = new Set(responses.map(({ registration_access_token }) => registration_access_token));
  for (const token of [...tokens].filter((each) => each !== final.registration_access_token))
    expect(await send(app, `GET ${pathOf(id)}`, { token })).toEqual(INVALID_TOKEN);
});

it('return the same response to all that repeat one update', async () => {
  const service = await buildTestApp();
  const other = await service.anotherInstance();
  const client = await registered(service.app);
  const path = pathOf(client.client_id);
  const responses = await race([service, other], 30, (instance) => {
    const body = { ...client, client_name: 'New' };
    return send(instance, `PUT ${path}`, { token: client.registration_access_token, body });
  });
  const final = registrationIn(await send(service.app, `GET ${path}`, { token: MASTER }));
  expect(responses.map(information)).toEqual(Array(30).fill(final));
  expect((await service.stored(client.client_id))?.version).toBe(2);
});

it('accept only one change of the same version', async () => {
  const service = await buildTestApp();
  const { app } = service;
  const other = await service.anotherInstance();
  const client = await registered(app);
  const path = pathOf(client.client_id);
  const responses = await race([service, other], 30, (instance, index) => {
    const body = { ...client, client_name: `name ${index}` };
    return send(instance, `PUT ${path}`, { token: client.registration_access_token, body });
  });
  const won = responses.filter(({ status }) => status === 200);
  expect(won).toHaveLength(1);
  expect(responses.filter(({ status }) => status !== 200)).toEqual(Array(29).fill(PREVIOUS_TOKEN));
  const final = registrationIn(await send(app, `GET ${path}`, { token: MASTER }));
  expect(won.map(({ body }) => JSON.parse(body))).toEqual([final]);
});

it('do not restore a client that is deleted in the meantime', async () => {
  const service = await buildTestApp();
  const { app, all } = service;
  const other = await service.anotherInstance();
  const { client_id: id } = await registered(app);
  const body = { client_id: id, redirect_uris: ['https://app.example/cb'] };
  const responses = await race([service, other], 40, (instance, index) =>
    index === 10
      ? send(instance, `DELETE ${pathOf(id)}`, { token: MASTER })
      : send(instance, `PUT ${pathOf(id)}`, { token: MASTER, body }),
  );
  const failures = responses.filter(({ status }) => status !== 200);
  expect(failures.filter(({ status }) => status === 204)).toEqual([NO_CONTENT]);
  for (const response of failures.filter(({ status }) => status !== 204)) expect(response).toEqual(NOT_FOUND);
  expect(await all()).toEqual([]);
});
