import { expect, it } from 'vitest';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import {
  INVALID_TOKEN,
  information,
  NO_CONTENT,
  NOT_FOUND,
  pathOf,
  registered,
  send,
} from '../support/calls.js';
import { race } from '../support/race.js';

// A mixture of two updates would be a client that nobody asked for; a lost secret would lock it out.
it('leave exactly what one of 100 answers says, and the tokens of the others open nothing', async () => {
  const service = await buildTestApp();
  const { app, stored } = service;
  const other = await service.anotherInstance();
  const { client_id: id, registration_access_token: token } = await registered(app);
  const seen = await race([service, other], 100, (instance, index) => {
    const redirectUris = [`https://app.example/${index}`];
    const body = { client_id: id, redirect_uris: redirectUris, client_name: `name ${index}` };
    return send(instance, `PUT ${pathOf(id)}`, { token, body });
  });
  const answers = seen.map(information);
  const final = information(await send(app, `GET ${pathOf(id)}`, { token: MASTER }));
  const matching = answers.filter(
    (answer) => answer.registration_access_token === final.registration_access_token,
  );
  expect(matching).toEqual([final]);
  expect((await stored(id))?.version).toBe(101);
  expect(new Set(answers.map(({ client_secret }) => client_secret)).size).toBe(100);
  for (const answer of answers.filter((each) => each !== matching[0]))
    expect(await send(app, `GET ${pathOf(id)}`, { token: answer.registration_access_token })).toEqual(
      INVALID_TOKEN,
    );
  expect(
    information(await send(app, `GET ${pathOf(id)}`, { token: final.registration_access_token })),
  ).toEqual(final);
});

it('let one alone change what all have read', async () => {
  const service = await buildTestApp();
  const { app } = service;
  const other = await service.anotherInstance();
  const client = await registered(app);
  const path = pathOf(client.client_id);
  const answers = await race([service, other], 30, (instance, index) => {
    const body = { ...client, client_name: `name ${index}` };
    return send(instance, `PUT ${path}`, { token: client.registration_access_token, body });
  });
  const won = answers.filter(({ status }) => status === 200);
  expect(won).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(29);
  const final = information(await send(app, `GET ${path}`, { token: MASTER }));
  expect(won.map(({ body }) => JSON.parse(body))).toEqual([final]);
});

it('bring no client back that is deleted meanwhile', async () => {
  const service = await buildTestApp();
  const { app, all } = service;
  const other = await service.anotherInstance();
  const { client_id: id } = await registered(app);
  const body = { client_id: id, redirect_uris: ['https://app.example/cb'] };
  const answers = await race([service, other], 40, (instance, index) =>
    index === 10
      ? send(instance, `DELETE ${pathOf(id)}`, { token: MASTER })
      : send(instance, `PUT ${pathOf(id)}`, { token: MASTER, body }),
  );
  const failures = answers.filter(({ status }) => status !== 200);
  expect(failures.filter(({ status }) => status === 204)).toEqual([NO_CONTENT]);
  for (const answer of failures.filter(({ status }) => status !== 204)) expect(answer).toEqual(NOT_FOUND);
  expect(await all()).toEqual([]);
});
