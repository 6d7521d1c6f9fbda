import { expect, it } from 'vitest';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import { INVALID_TOKEN, information, pathOf, registered, send, tagOf } from '../support/calls.js';
import { race } from '../support/race.js';

it('are all applied, each to the result of the others', async () => {
  const service = await buildTestApp();
  const other = await service.anotherInstance();
  const { client_id: id } = await registered(service.app, { client_name: 'Shop' });
  const responses = await race([service, other], 30, (instance, index) => {
    const body =
      index % 3 === 0 ? { [`client_name#x-${index}`]: `name ${index}` } : { data: { [`m${index}`]: index } };
    return send(instance, `PATCH ${pathOf(id)}`, { token: MASTER, body });
  });
  for (const response of responses) information(response);
  const final = information(await send(service.app, `GET ${pathOf(id)}`, { token: MASTER }));
  const expected = Array.from({ length: 30 }, (_, at) => at + 1);
  for (const index of expected.filter((each) => each % 3 === 0))
    expect(final[`client_name#x-${index}`]).toBe(`name ${index}`);
  const members = expected.filter((each) => each % 3 !== 0).map((each) => [`m${each}`, each]);
  expect(final['data']).toEqual(Object.fromEntries(members));
  expect((await service.stored(id))?.version).toBe(31);
});

it('with a condition on the same version are refused except one', async () => {
  const service = await buildTestApp();
  const other = await service.anotherInstance();
  const { client_id: id } = await registered(service.app);
  const tag = tagOf(await send(service.app, `GET ${pathOf(id)}`, { token: MASTER }));
  const responses = await race([service, other], 20, (instance, index) =>
    send(instance, `PATCH ${pathOf(id)}`, {
      token: MASTER,
      headers: { 'if-match': tag },
      body: { data: { [`m${index}`]: index } },
    }),
  );
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(responses.filter(({ status }) => status === 412)).toHaveLength(19);
  const final = information(await send(service.app, `GET ${pathOf(id)}`, { token: MASTER }));
  expect(Object.keys(Object(final['data']))).toHaveLength(1);
});

it('with one registration token apply all acknowledged changes, and the token stays valid', async () => {
  const service = await buildTestApp({ ROTATE_REGISTRATION_TOKEN_ON_UPDATE: 'false' });
  const initial = await service.initialToken('client-reg');
  const { client_id: id, registration_access_token: token } = await registered(service.app, {}, initial);
  const responses = await race([service], 10, (instance, index) =>
    send(instance, `PATCH ${pathOf(id)}`, { token, body: { data: { [`m${index}`]: index } } }),
  );
  for (const response of responses) information(response);
  const final = information(await send(service.app, `GET ${pathOf(id)}`, { token }));
  expect(Object.keys(Object(final['data']))).toHaveLength(10);
  expect(await send(service.app, `GET ${pathOf(id)}`, { token: 'x'.repeat(43) })).toEqual(INVALID_TOKEN);
});
