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

// A mixture of two updates would be a client that nobody asked for; a lost secret would lock it out.
it('leave exactly what one of 100 answers says, and the tokens of the others open nothing', async () => {
  const { app, anotherInstance, stored } = await buildTestApp();
  const { app: other } = await anotherInstance();
  const { client_id: id, registration_access_token: token } = await registered(app);
  const answers = await Promise.all(
    Array.from({ length: 100 }, async (_, index) => {
      const body = {
        client_id: id,
        redirect_uris: [`https://app.example/${index}`],
        client_name: `name ${index}`,
      };
      return information(await send(index % 2 === 0 ? app : other, `PUT ${pathOf(id)}`, { token, body }));
    }),
  );
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
}, 60_000);

it('let one alone change what all have read', async () => {
  const { app, anotherInstance } = await buildTestApp();
  const { app: other } = await anotherInstance();
  const client = await registered(app);
  const path = pathOf(client.client_id);
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      send(index % 2 === 0 ? app : other, `PUT ${path}`, {
        token: client.registration_access_token,
        body: { ...client, client_name: `name ${index}` },
      }),
    ),
  );
  const won = answers.filter(({ status }) => status === 200);
  expect(won).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(29);
  const final = information(await send(app, `GET ${path}`, { token: MASTER }));
  expect(won.map(({ body }) => JSON.parse(body))).toEqual([final]);
});

it('bring no client back that is deleted meanwhile', async () => {
  const { app, anotherInstance, all } = await buildTestApp();
  const { app: other } = await anotherInstance();
  const { client_id: id } = await registered(app);
  const body = { client_id: id, redirect_uris: ['https://app.example/cb'] };
  const updates = Array.from({ length: 20 }, () => send(app, `PUT ${pathOf(id)}`, { token: MASTER, body }));
  const deletion = send(other, `DELETE ${pathOf(id)}`, { token: MASTER });
  expect(await deletion).toEqual(NO_CONTENT);
  for (const answer of await Promise.all(updates))
    if (answer.status !== 200) expect(answer).toEqual(NOT_FOUND);
  expect(await all()).toEqual([]);
});
