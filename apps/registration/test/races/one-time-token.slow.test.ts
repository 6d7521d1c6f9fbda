import { expect, it } from 'vitest';
import { buildTestApp } from '../support/build-test-app.js';
import { badRequest, INVALID_TOKEN, send } from '../support/calls.js';
import { race } from '../support/race.js';

const BODY = { redirect_uris: ['https://app.example/cb'] };

// Otherwise one leaked one-time token could register any number of clients.
it('is consumed by exactly one of 100 parallel registrations over two instances', async () => {
  const service = await buildTestApp();
  const { initialToken, usesLeft, all } = service;
  const other = await service.anotherInstance();
  for (let round = 1; round <= 50; round += 1) {
    const token = await initialToken('client-reg');
    const responses = await race([service, other], 100, (app) =>
      send(app, 'POST /clients', { token, body: BODY }),
    );
    const won = responses.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    expect(responses.filter(({ status }) => status !== 200)).toEqual(Array(99).fill(INVALID_TOKEN));
    const ids = (await all()).map(({ id }) => id);
    expect(ids).toHaveLength(round);
    expect(ids).toContain(JSON.parse(won[0]?.body ?? '{}').client_id);
    expect(await usesLeft(token)).toBe(0);
  }
});

it('is consumed by as many registrations as it has uses, and no more', async () => {
  const service = await buildTestApp();
  const { initialToken, all } = service;
  const other = await service.anotherInstance();
  const token = await initialToken('client-reg', { usesLeft: 7 });
  const responses = await race([service, other], 50, (app) =>
    send(app, 'POST /clients', { token, body: BODY }),
  );
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(7);
  expect(await all()).toHaveLength(7);
});

it('gives an identifier to exactly one of parallel requests for it, and consumes only its token', async () => {
  const service = await buildTestApp();
  const { initialToken, usesLeft, all } = service;
  const other = await service.anotherInstance();
  const token = await initialToken('client-reg', { usesLeft: 100 });
  const body = { ...BODY, preferred_client_id: 'wanted' };
  const responses = await race([service, other], 50, (app) => send(app, 'POST /clients', { token, body }));
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(responses.filter(({ status }) => status !== 200)).toEqual(
    Array(49).fill(badRequest('invalid_client_metadata', 'preferred_client_id: cannot be used')),
  );
  expect(await usesLeft(token)).toBe(99);
  expect(await all()).toHaveLength(1);
});
